/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Tests that a view has no room beyond the end of its root after the root has shrunk. */
class ShrunkRootTest {
  @Test
  void aSliceReportsThatItHasNoRoom() {
    ByteBuf root = Unpooled.buffer(16);
    ByteBuf slice = root.slice(4, 8).setIndex(0, 2);
    assertThat(slice.isWritable(6)).isTrue();
    assertThat(slice.ensureWritable(6, false)).isZero();
    root.capacity(8);
    assertThat(slice.isWritable()).isTrue();
    assertThat(slice.isWritable(2)).isTrue();
    assertThat(slice.isWritable(3)).isFalse();
    assertThat(slice.ensureWritable(2, false)).isZero();
    assertThat(slice.ensureWritable(3, false)).isEqualTo(1);
    assertThat(slice.ensureWritable(3, true)).isEqualTo(1);
    assertThatThrownBy(() -> slice.writeMedium(1)).isInstanceOf(IndexOutOfBoundsException.class);
    root.capacity(2);
    assertThat(slice.isWritable()).isFalse();
    root.release();
  }
}
