/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.NioMemory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;

/**
 * Transfers of bytes between a buffer and NIO buffers, streams, channels, and buffers of other
 * libraries, which are no {@link AbstractByteBuf}. The caller has checked the range of the buffer,
 * and moves its indices.
 */
final class Transfers {
  /** The maximum length of an array that a stream gets for bytes of native memory, as in Netty. */
  private static final int MAX_WRITE_BYTES = 8192;

  private Transfers() {}

  /**
   * Copies to a buffer that may refuse the bytes. A wrapper of this library calls its target. A
   * class of another library gets a NIO buffer, because it could call {@code from} again without
   * end.
   */
  static void give(AbstractByteBuf from, int index, ByteBuf to, int toIndex, int length) {
    if (to instanceof ForwardingByteBuf) {
      to.setBytes(toIndex, from, index, length);
    } else {
      to.setBytes(toIndex, from.nioBuffer(index, length));
    }
  }

  /** Copies from a buffer that may refuse the access; see {@link #give}. */
  static void take(AbstractByteBuf to, int index, ByteBuf from, int fromIndex, int length) {
    if (from instanceof ForwardingByteBuf) {
      from.getBytes(fromIndex, to, index, length);
      return;
    }
    to.checkParts(index, length, true);
    int next = fromIndex;
    for (ByteBuffer part : to.parts(index, length)) {
      int bytes = part.remaining();
      from.getBytes(next, part);
      next += bytes;
    }
  }

  /**
   * Fills the remaining bytes of a NIO buffer.
   *
   * @param position the position of the NIO buffer. The caller reads position and length once,
   *     because another thread may move them
   * @param length the number of remaining bytes, for which the caller has checked the range of the
   *     buffer
   */
  static void copyTo(AbstractByteBuf from, int index, ByteBuffer to, int position, int length) {
    if (to.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    if (NioMemory.isKnown(to)) {
      checkNio(to, position, length);
      from.copyOut(index, NioMemory.base(to), NioMemory.address(to, position), length);
      to.position(position + length); // also keeps the memory reachable until here
    } else {
      for (ByteBuffer part : from.parts(index, length)) {
        to.put(part);
      }
    }
  }

  /** Copies the remaining bytes of a NIO buffer, which may be read-only; see {@link #copyTo}. */
  static void copyFrom(AbstractByteBuf to, int index, ByteBuffer from, int position, int length) {
    if (NioMemory.isKnown(from)) {
      checkNio(from, position, length);
      to.copyIn(index, NioMemory.base(from), NioMemory.address(from, position), length);
      from.position(position + length); // also keeps the memory reachable until here
    } else {
      to.checkParts(index, length, true);
      int limit = from.limit();
      for (ByteBuffer part : to.parts(index, length)) {
        part.put(from.limit(from.position() + part.remaining()));
      }
      from.limit(limit);
    }
  }

  /**
   * Checks a range of a NIO buffer against its capacity, which never changes. Another thread may
   * have moved position and limit since the caller read them.
   */
  private static void checkNio(ByteBuffer buffer, int position, int length) {
    if (length > buffer.capacity() - position) {
      throw new IndexOutOfBoundsException(
          "NIO buffer: position: %s, remaining: %s (expected: within its capacity of %s)"
              .formatted(position, length, buffer.capacity()));
    }
  }

  /**
   * Returns the number of bytes that a stream or channel claims to have moved, which may be wrong.
   *
   * @param least the minimum of {@code bytes}: -1 for a source, which may be at its end, and 0 for
   *     a target
   */
  private static int moved(long bytes, int least, int asked) {
    if (bytes < least || bytes > asked) {
      throw new IndexOutOfBoundsException(
          "bytes moved: " + bytes + " (expected: " + least + " to " + asked + ")");
    }
    return (int) bytes;
  }

  static void write(AbstractByteBuf from, int index, OutputStream out, int length)
      throws IOException {
    from.checkParts(index, length, false); // the array may be an only component that has shrunk
    if (from.hasArray()) {
      out.write(from.array(), from.arrayOffset() + index, length);
      return;
    }
    int maxBytes = Math.min(length, MAX_WRITE_BYTES);
    ByteBuf piece = from.alloc().heapBuffer(maxBytes, maxBytes); // the stream may use this buffer
    try {
      for (int done = 0; done < length; ) {
        int bytes = Math.min(maxBytes, length - done);
        from.checkAgain(index + done, bytes, false); // the stream may have released the buffer
        from.give(index + done, piece, 0, bytes);
        out.write(piece.array(), piece.arrayOffset(), bytes);
        done += bytes;
      }
    } finally {
      piece.release();
    }
  }

  /**
   * Reads once, so that a later failure of the stream loses no bytes. A composite reads at least
   * once for each part, and again until the part is full. Returns the number of bytes, or -1 at the
   * end of the stream.
   */
  static int read(AbstractByteBuf to, int index, InputStream in, int length) throws IOException {
    to.checkParts(index, length, true); // the array may be an only component that has shrunk
    if (to instanceof ViewByteBuf view && view.root instanceof AbstractCompositeByteBuf) {
      return read(view.root, view.offset + index, in, length);
    } else if (to instanceof AbstractCompositeByteBuf joined && length > 0) {
      return readParts(joined, index, in, length);
    } else if (to.hasArray()) {
      return moved(in.read(to.array(), to.arrayOffset() + index, length), -1, length);
    }
    ByteBuf piece = to.alloc().heapBuffer(length, length); // the stream may use this buffer
    try {
      int read = moved(in.read(piece.array(), piece.arrayOffset(), length), -1, length);
      if (read > 0) {
        to.setBytes(index, piece, 0, read);
      }
      return read;
    } finally {
      piece.release();
    }
  }

  private static int readParts(AbstractCompositeByteBuf to, int index, InputStream in, int length)
      throws IOException {
    int done = 0;
    while (done < length) {
      int from = index + done;
      Component part = to.part(from);
      int asked = Math.min(part.end - from, length - done);
      int read = part.root.setBytes(from + part.shift, in, asked);
      if (read < 0) {
        return done == 0 ? -1 : done;
      }
      done += read;
    }
    return done;
  }

  static int write(AbstractByteBuf from, int index, GatheringByteChannel out, int length)
      throws IOException {
    return moved(
        from.memory() != null
            ? out.write(from.nioBuffer(index, length))
            : out.write(from.parts(index, length)),
        0,
        length);
  }

  static int write(AbstractByteBuf from, int index, FileChannel out, long position, int length)
      throws IOException {
    int done = 0;
    for (ByteBuffer part : from.parts(index, length)) {
      int asked = part.remaining();
      done += moved(out.write(part, position + done), 0, asked);
      if (part.hasRemaining()) {
        break;
      }
    }
    return done;
  }

  /** Returns the number of bytes read, or -1 at the end or if the channel is closed. */
  static int read(AbstractByteBuf to, int index, ScatteringByteChannel in, int length)
      throws IOException {
    to.checkParts(index, length, true);
    try {
      return moved(
          to.memory() != null
              ? in.read(to.internalNioBuffer(index, length)) // the only writer: no new view
              : in.read(to.parts(index, length)),
          -1,
          length);
    } catch (ClosedChannelException closed) {
      return -1;
    }
  }

  /** Returns the number of bytes read, or -1 at the end or if the channel is closed. */
  static int read(AbstractByteBuf to, int index, FileChannel in, long position, int length)
      throws IOException {
    to.checkParts(index, length, true);
    int done = 0;
    try {
      for (ByteBuffer part : to.parts(index, length)) {
        int asked = part.remaining();
        int read = moved(in.read(part, position + done), -1, asked);
        if (read < 0) {
          return done == 0 ? read : done;
        }
        done += read;
        if (part.hasRemaining()) {
          break;
        }
      }
      return done;
    } catch (ClosedChannelException closed) {
      return done == 0 ? -1 : done;
    }
  }
}
