/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** Ranges of buffers that are contiguous in memory, for code that writes buffers to channels. */
public final class ContiguousRange {
  private ContiguousRange() {}

  /**
   * Returns the number of bytes from an index on that are contiguous in memory. In a composite,
   * these are the bytes up to the end of the innermost component. {@link ByteBuf#nioBuffers(int,
   * int)} returns one NIO buffer for such a range.
   *
   * @param index a valid index
   * @param maxLength maximum of the result; the buffer must contain this number of bytes
   * @return the number of bytes, or 0 if it is unknown, as in a composite of another library
   */
  public static int length(ByteBuf buffer, int index, int maxLength) {
    ByteBuf inner = buffer;
    int from = index;
    int length = maxLength;
    while (true) {
      if (inner instanceof ForwardingByteBuf wrapper) {
        inner = wrapper.target;
      } else if (inner instanceof ViewByteBuf view) {
        inner = view.root;
        from += view.offset;
      } else if (inner instanceof AbstractCompositeByteBuf composite && length > 0) {
        Component part = composite.part(from);
        inner = part.root;
        length = Math.min(length, part.end - from);
        from += part.shift;
      } else {
        return inner.isContiguous() ? length : 0;
      }
    }
  }
}
