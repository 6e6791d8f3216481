/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * Calls that the JVM's optimizing compiler does not inline, so that the code of the fast path stays
 * small.
 *
 * <p>On JDK 17, the compiler inlines a call that was made 100 times, even if the call is rare. Then
 * each caller of the fast path gets a copy of the slow path. This takes the compiler up to a
 * second, and the limits on inlining cut the fast path itself (docs/internals/decisions/0040). The
 * compiler never inlines a static method of a subclass of {@link Throwable} into the code of
 * another class, unless the method that it compiles calls it directly. So private methods of the
 * fast path call these methods. The class has no instances.
 */
@SuppressWarnings("serial") // there are no objects
final class SlowPath extends Throwable {
  private SlowPath() {}

  /** See {@link BufferPool#allocateSlow}. */
  static Object allocate(BufferPool pool, int bytes) {
    return pool.allocateSlow(bytes);
  }

  /** See {@link BufferPool#allocateFromBinSlow}. */
  static Object allocateFromBin(BufferPool pool, Bin bin, int bytes) {
    return pool.allocateFromBinSlow(bin, bytes);
  }

  /** See {@link Bin#releaseSlow}. */
  static void releaseSlow(Bin bin, SlotGroup group, int index) {
    bin.releaseSlow(group, index);
  }

  /** See {@link Bin#nextFromArena}. */
  static SlotGroup nextFromArena(Bin bin) {
    return bin.nextFromArena();
  }

  /** See {@link Bin#sample}. */
  static void sample(Bin bin, SlotGroup group, int index, Object object, int bytes) {
    bin.sample(group, index, object, bytes);
  }

  /** See {@link ThreadCache#trim}. */
  static void trim(ThreadCache cache) {
    cache.trim();
  }
}
