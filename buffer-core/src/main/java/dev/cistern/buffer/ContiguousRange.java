/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** Ranges of buffers that lie in one piece of memory, for code that writes buffers to channels. */
public final class ContiguousRange {
  private ContiguousRange() {}

  /**
   * Returns how many bytes from an index on lie in one piece of memory: in a composite, those up to
   * the end of the innermost component. {@link ByteBuf#nioBuffers(int, int)} of so many bytes makes
   * one NIO buffer.
   *
   * @param index a valid index
   * @param maxLength up to so many bytes, all of which must be in the buffer
   * @return the number of bytes, or 0 if it is not known: in a composite of another library
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
