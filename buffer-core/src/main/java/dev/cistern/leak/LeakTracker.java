/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * Watches one sampled buffer from its allocation to its release.
 *
 * <p>It holds the buffer weakly; the buffer may hold it. Whoever releases the buffer closes the
 * tracker; if nobody did when the garbage collector takes the buffer, that is a leak.
 */
public final class LeakTracker extends WeakReference<Object> {
  private final LeakDetector detector;
  private final String memory;
  private final int capacityBytes;
  private final long weightBytes;
  private final String thread = Thread.currentThread().getName();
  private final Throwable stack = AllocationStack.capture();

  LeakTracker(
      LeakDetector detector,
      Object buffer,
      ReferenceQueue<Object> collected,
      String memory,
      int capacityBytes,
      long weightBytes) {
    super(buffer, collected);
    this.detector = detector;
    this.memory = memory;
    this.capacityBytes = capacityBytes;
    this.weightBytes = weightBytes;
  }

  /**
   * Ends the watch: the buffer was released. Any thread, any number of times.
   *
   * <p>The caller must hold the buffer until this returns, or use {@link #close(Object)}: otherwise
   * the compiler may let the buffer go before, and an honest release is taken for a leak.
   */
  public void close() {
    detector.closed(this);
  }

  /**
   * Ends the watch: {@code buffer} was released. Any thread, any number of times.
   *
   * @param buffer the buffer that is watched; kept reachable until the watch has ended
   */
  public void close(Object buffer) {
    try {
      detector.closed(this);
    } finally {
      Reference.reachabilityFence(buffer);
    }
  }

  String memory() {
    return memory;
  }

  /** Bytes of the buffer itself. */
  public int capacityBytes() {
    return capacityBytes;
  }

  /** Bytes that this sample stands for. */
  public long weightBytes() {
    return weightBytes;
  }

  /** The name of the allocating thread. */
  String thread() {
    return thread;
  }

  Throwable stack() {
    return stack;
  }
}
