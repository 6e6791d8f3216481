/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufAllocator;
import dev.cistern.buffer.PooledByteBufAllocator;

/** Cistern's library, called directly. */
final class LibrarySubject extends Subject {
  /** The most recent subject, so that a test can check for unreleased buffers. */
  private static volatile LibrarySubject last = new LibrarySubject(PooledByteBufAllocator.DEFAULT);

  private final ByteBufAllocator allocator;

  private LibrarySubject(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /** Returns a {@link Subject}, so that a fork of another allocator never loads this class. */
  static Subject of(ByteBufAllocator allocator) {
    LibrarySubject made = new LibrarySubject(allocator);
    last = made;
    return made;
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

  /** Returns the bytes of slots that the benchmark has not released. */
  static long pinnedByLast() {
    PooledByteBufAllocator pooled = (PooledByteBufAllocator) last.allocator;
    return pooled.pinnedDirectMemory() + pooled.pinnedHeapMemory();
  }
}
