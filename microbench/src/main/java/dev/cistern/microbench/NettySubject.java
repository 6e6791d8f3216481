/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Code that knows only Netty: one of Netty's allocators, or an allocator that Cistern backs. */
final class NettySubject extends Subject {
  private final ByteBufAllocator allocator;

  private NettySubject(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /** Returns a {@link Subject}, so that a fork of another allocator never loads this class. */
  static Subject of(ByteBufAllocator allocator) {
    return new NettySubject(allocator);
  }

  @Override
  Object direct(int bytes) {
    return allocator.directBuffer(bytes);
  }

  @Override
  Object heap(int bytes) {
    return allocator.heapBuffer(bytes);
  }

  @Override
  boolean release(Object buffer) {
    return ((ByteBuf) buffer).release();
  }

  @Override
  void setByte(Object buffer, int index, int value) {
    ((ByteBuf) buffer).setByte(index, value);
  }

  @Override
  void append(Object buffer, byte[] source) {
    ((ByteBuf) buffer).writeBytes(source);
  }
}
