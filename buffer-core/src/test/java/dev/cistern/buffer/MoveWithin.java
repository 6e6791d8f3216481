/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/**
 * A copy within one composite.
 *
 * @param from the first index to copy
 * @param to the index to which its byte is copied
 */
record MoveWithin(int from, int to, int length) {
  /** Returns the copy that a call makes, or null. The indices are those before the call. */
  static MoveWithin of(TwinCall call) {
    int readable = call.writerIndex() - call.readerIndex();
    if (call.name().startsWith("discard")) {
      return new MoveWithin(call.readerIndex(), 0, readable);
    } else if (!call.name().matches("[gs]etBytes") || !call.copiesWithinAComposite()) {
      return null;
    }
    // The argument has the indices and the bytes of the buffer: it is the buffer or a duplicate.
    int arguments = call.arguments().length;
    boolean gets = call.name().startsWith("get");
    int its = gets ? call.writerIndex() : call.readerIndex();
    int all = gets ? call.capacity() - its : readable;
    int other = arguments == 4 ? call.intArgument(2) : its;
    int length = arguments == 2 ? all : call.intArgument(arguments - 1);
    int index = call.intArgument(0);
    return gets ? new MoveWithin(index, other, length) : new MoveWithin(other, index, length);
  }

  /**
   * Copies as Netty's composite does: part by part, which can overwrite bytes before they are
   * copied. Stops before the index {@code end}.
   */
  void copyByParts(byte[] bytes, ByteBuf parts, int end) {
    int bytesToCopy = Math.min(length, end - to);
    for (int i = 0; i < bytesToCopy; ) {
      int inParts = Math.min(partEnd(parts, from + i) - from, partEnd(parts, to + i) - to);
      int next = Math.min(bytesToCopy, inParts);
      System.arraycopy(bytes, from + i, bytes, to + i, next - i);
      i = next;
    }
  }

  /** Returns the end index of the component that contains an index. */
  private static int partEnd(ByteBuf buffer, int index) {
    if (buffer instanceof ViewByteBuf view) {
      return partEnd(view.root, view.offset + index) - view.offset;
    } else if (buffer instanceof ForwardingByteBuf wrapper) {
      return partEnd(wrapper.target, index);
    } else if (buffer instanceof AbstractCompositeByteBuf joined) {
      Component part = joined.at(joined.indexOfComponent(index));
      return Math.min(part.end, partEnd(part.root, index + part.shift) - part.shift);
    }
    return buffer.capacity();
  }
}
