/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty;

import java.nio.ByteOrder;

/**
 * Passes buffers between Netty's {@code ByteBuf} and the library's, without a copy.
 *
 * <pre>{@code
 * void channelRead(ChannelHandlerContext context, Object message) {
 *   dev.cistern.buffer.ByteBuf request = CisternBufs.wrap((ByteBuf) message);
 *   try {
 *     context.writeAndFlush(CisternBufs.wrap(codec.respond(request))); // which releases it
 *   } finally {
 *     request.release(); // and with it the message
 *   }
 * }
 * }</pre>
 *
 * <p>A wrapper and its origin share:
 *
 * <ul>
 *   <li>the bytes, the capacity, and whether they are read-only;
 *   <li>the reference count: releasing either of them releases both. Wrapping does not retain, so
 *       the wrapper takes the place of the origin for its last release.
 *   <li>the array and the memory address. NIO buffers are new ones over the same bytes.
 * </ul>
 *
 * <p>They do not share:
 *
 * <ul>
 *   <li>indices and marks: the wrapper begins with the indices of its origin and then has its own,
 *       as a duplicate has;
 *   <li>the byte order: a wrapper is big endian, also that of a buffer whose deprecated {@code
 *       order()} is little endian;
 *   <li>{@code alloc()}: a wrapper names the default allocator of its own type, {@link
 *       CisternAllocator#DEFAULT} or the library's {@code PooledByteBufAllocator.DEFAULT}; copies
 *       come from there;
 *   <li>{@code unwrap()}: null, because the origin has another type;
 *   <li>the leak record: the detector of the origin's allocator watches both.
 * </ul>
 *
 * <p>A wrapper throws the exceptions of its own type for a wrong index and for use after release.
 * Allocators use buffer objects again. When the object of a released origin is allocated again, the
 * wrapper has the bytes and the count of that allocation, as a duplicate of the origin would.
 *
 * <p>Only a wrapper itself is unwrapped by the opposite {@code wrap}. A slice or another view of a
 * wrapper gets a wrapper around the view.
 */
public final class CisternBufs {
  private CisternBufs() {}

  /**
   * Returns a buffer of Netty over the bytes of a buffer of the library. If that is itself a
   * wrapper of this class, returns a duplicate of its origin, with the wrapper's indices.
   *
   * @param buffer a buffer of the library
   * @return a buffer that shares bytes and reference count
   * @throws io.netty.util.IllegalReferenceCountException if the buffer is released
   * @throws IllegalArgumentException if the buffer has no NIO buffers, which sharing needs
   */
  @SuppressWarnings("deprecation") // order(): the wrapper is big endian
  public static io.netty.buffer.ByteBuf wrap(dev.cistern.buffer.ByteBuf buffer) {
    if (buffer.refCnt() == 0) {
      throw new io.netty.util.IllegalReferenceCountException("cannot wrap a released buffer");
    }
    if (buffer.nioBufferCount() < 0) {
      throw new IllegalArgumentException(
          "cannot wrap " + buffer + ": it has no NIO buffers; copy its bytes instead");
    }
    dev.cistern.buffer.ByteBuf ordered = buffer.order(ByteOrder.BIG_ENDIAN);
    return ordered instanceof NettyBackedByteBuf wrapper
        ? wrapper.origin().duplicate().setIndex(buffer.readerIndex(), buffer.writerIndex())
        : CisternBackedByteBuf.over(ordered);
  }

  /**
   * Returns a buffer of the library over the bytes of a buffer of Netty. If that is itself a
   * wrapper of this class, returns a duplicate of its origin, with the wrapper's indices.
   *
   * @param buffer a buffer of Netty, from any allocator
   * @return a buffer that shares bytes and reference count
   * @throws dev.cistern.util.IllegalReferenceCountException if the buffer is released
   * @throws IllegalArgumentException if the buffer has no NIO buffers, which sharing needs
   */
  @SuppressWarnings("deprecation") // order(): the wrapper is big endian
  public static dev.cistern.buffer.ByteBuf wrap(io.netty.buffer.ByteBuf buffer) {
    if (buffer.refCnt() == 0) {
      throw new dev.cistern.util.IllegalReferenceCountException("cannot wrap a released buffer");
    }
    if (buffer.nioBufferCount() < 0) {
      throw new IllegalArgumentException(
          "cannot wrap " + buffer + ": it has no NIO buffers; copy its bytes instead");
    }
    io.netty.buffer.ByteBuf ordered = buffer.order(ByteOrder.BIG_ENDIAN);
    return ordered instanceof CisternBackedByteBuf wrapper
        ? wrapper.origin().duplicate().setIndex(buffer.readerIndex(), buffer.writerIndex())
        : NettyBackedByteBuf.over(ordered);
  }
}
