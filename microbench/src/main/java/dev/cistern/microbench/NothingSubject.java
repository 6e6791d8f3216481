/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

/**
 * Allocates nothing, to measure the cost of the benchmark itself, such as the hand-off between two
 * threads.
 */
final class NothingSubject extends Subject {
  private final Object nothing = new Object();

  private NothingSubject() {}

  /** Returns a {@link Subject}, so that a fork of another allocator never loads this class. */
  static Subject create() {
    return new NothingSubject();
  }

  @Override
  Object direct(int bytes) {
    return nothing;
  }

  @Override
  Object heap(int bytes) {
    return nothing;
  }

  @Override
  boolean release(Object buffer) {
    return buffer == nothing;
  }

  @Override
  void setByte(Object buffer, int index, int value) {
    // There is no buffer to write to.
  }

  @Override
  void append(Object buffer, byte[] source) {
    // There is no buffer to write to.
  }
}
