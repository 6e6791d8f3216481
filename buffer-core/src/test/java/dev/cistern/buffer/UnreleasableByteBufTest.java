/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.BufferKind.Trait;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Tests of a buffer whose count stays the same. */
@Tag("B11")
class UnreleasableByteBufTest {
  @EveryKind(without = Trait.UNCOUNTED)
  void neitherItNorItsViewsTouchTheCount(BufferKind kind) {
    ByteBuf buffer = kind.buffer(64).writeZero(32);
    ByteBuf shared = Unpooled.unreleasableBuffer(buffer);
    List<ByteBuf> views =
        List.of(
            shared,
            shared.retain().retain(3).touch().touch("hint"),
            shared.slice(),
            shared.slice(1, 2),
            shared.duplicate(),
            shared.asReadOnly(),
            shared.retainedSlice(),
            shared.retainedSlice(1, 2),
            shared.retainedDuplicate(),
            shared.readSlice(1),
            shared.readRetainedSlice(1),
            shared.slice().retainedDuplicate().retainedSlice(0, 1),
            Unpooled.unreleasableBuffer(shared));
    for (ByteBuf view : views) {
      assertThat(view.release()).isFalse();
      assertThat(view.release(2)).isFalse();
      assertThat(view.refCnt()).isEqualTo(1);
    }
    assertThat(buffer.readerIndex()).as("the indices are the other's").isEqualTo(2);
    assertThat(shared.writeByte(7)).isSameAs(shared);
    assertThat(buffer.getByte(32)).isEqualTo((byte) 7);
    ByteBuf copy = shared.copy();
    assertThat(copy.release()).as("a copy is its holder's").isTrue();
    assertThat(buffer.release()).isTrue();
  }
}
