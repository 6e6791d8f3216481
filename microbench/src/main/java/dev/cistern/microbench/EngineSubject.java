/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.pool.BufferPool;

/** The pool with minimal buffers, to measure the cost of the engine alone. */
final class EngineSubject extends Subject {
  private final BufferPool direct =
      BufferPool.builder(MemoryKind.DIRECT, new DirectMemorySource(), CountedSlot.BINDER).build();
  private final BufferPool heap =
      BufferPool.builder(MemoryKind.HEAP, new HeapMemorySource(), CountedSlot.BINDER).build();

  private EngineSubject() {}

  /** Returns a {@link Subject}, so that a fork of another allocator never loads this class. */
  static Subject create() {
    return new EngineSubject();
  }

  @Override
  Object direct(int bytes) {
    return reused(direct, bytes);
  }

  @Override
  Object heap(int bytes) {
    return reused(heap, bytes);
  }

  private static Object reused(BufferPool pool, int bytes) {
    CountedSlot slot = (CountedSlot) pool.allocate(bytes);
    slot.reuse();
    return slot;
  }

  @Override
  boolean release(Object buffer) {
    return ((CountedSlot) buffer).release();
  }

  @Override
  void setByte(Object buffer, int index, int value) {
    throw new UnsupportedOperationException("the engine's slots have no bytes to write by index");
  }

  @Override
  void append(Object buffer, byte[] source) {
    throw new UnsupportedOperationException("the engine's slots do not grow");
  }
}
