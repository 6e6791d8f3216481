/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.MemoryQuarantine;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that native memory of unpooled buffers of foreign classes also stays in quarantine for a
 * while.
 */
class ForeignMemoryQuarantineTest {
  private static final int BYTES = 8 << 20;

  @BeforeEach
  void emptyTheQuarantine() {
    MemoryQuarantine.shared().freeAll();
    assertThat(MemoryQuarantine.shared().quarantinedBytes()).isZero();
  }

  private static void assertQuarantined() {
    assertThat(MemoryQuarantine.shared().quarantinedBytes()).isGreaterThanOrEqualTo(BYTES);
  }

  @Test
  void releasedMemoryOfASubclassableBufferIsQuarantined() {
    ByteBuf buffer = new UnpooledDirectByteBuf(UnpooledByteBufAllocator.DEFAULT, BYTES, BYTES);
    buffer.release();
    assertQuarantined();
  }

  @Test
  void memoryReplacedByACapacityChangeIsQuarantined() {
    ByteBuf buffer = new UnpooledDirectByteBuf(UnpooledByteBufAllocator.DEFAULT, BYTES, BYTES);
    buffer.capacity(8);
    assertQuarantined();
    buffer.release();
  }

  @Test
  void memoryThatIsNotDirectIsRefusedAtOnce() {
    ByteBuffer onHeap = ByteBuffer.allocate(1);
    assertThatThrownBy(() -> DirectMemorySource.freeBuffer(onHeap))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
