/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Memory as the C library hands it out. */
class UninitializedMemoryTest {
  @Test
  void itIsAViewOfItsOwnMemory() {
    assertThat(UninitializedMemory.isAvailable()).isTrue();
    ByteBuffer first = UninitializedMemory.allocate(100);
    ByteBuffer second = UninitializedMemory.allocate(100);
    try {
      assertThat(first.isDirect()).isTrue();
      assertThat(first.capacity()).isEqualTo(100);
      assertThat(first.remaining()).isEqualTo(100);
      for (int i = 0; i < 100; i++) {
        first.put(i, (byte) i);
        second.put(i, (byte) -i);
      }
      assertThat(first.get(99)).isEqualTo((byte) 99);
      assertThat(second.get(99)).isEqualTo((byte) -99);
      assertThat(MemoryAccess.address(first)).isNotEqualTo(MemoryAccess.address(second));
    } finally {
      UninitializedMemory.free(first);
      UninitializedMemory.free(second);
    }
  }

  @Test
  void aNegativeSizeIsRefused() {
    assertThatThrownBy(() -> UninitializedMemory.allocate(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
