/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Watches the sampled buffers of one pool and tells which were never released (seed row E1, sampled
 * level).
 *
 * <p>It decides nothing: the caller says what is a sample, when to {@link #poll}, and where leaks
 * go. Polling needs no further allocation of a buffer, so a process that has gone quiet reports
 * too.
 */
public final class LeakDetector {
  /** Samples watched at a time by default: at one sample per 512 KiB, 8 GiB in live buffers. */
  public static final int DEFAULT_MAX_TRACKERS = 16_384;

  private final String pool;
  private final LeakStore store;
  private final SiteFinder siteFinder;
  private final int maxTrackers;

  /**
   * Keeps the trackers reachable: without it an unreleased buffer and its tracker would die
   * together unseen. Added to and removed from by any thread; whoever removes a tracker decides its
   * fate.
   */
  private final Set<LeakTracker> trackers = ConcurrentHashMap.newKeySet();

  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** Written by any sampling thread, read by reports. */
  private final LongAdder untracked = new LongAdder();

  /**
   * Watches at most {@link #DEFAULT_MAX_TRACKERS} samples at a time.
   *
   * @param pool the pool's name: for a Netty copy its package prefix, such as {@code io.netty},
   *     whose frames are then never a site
   */
  public LeakDetector(String pool, LeakStore store) {
    this(pool, store, DEFAULT_MAX_TRACKERS);
  }

  /**
   * @param pool the pool's name: for a Netty copy its package prefix, such as {@code io.netty},
   *     whose frames are then never a site
   * @param maxTrackers samples watched at a time; what comes beyond is counted, not watched
   * @throws IllegalArgumentException if {@code maxTrackers} is below 1
   */
  public LeakDetector(String pool, LeakStore store, int maxTrackers) {
    if (maxTrackers < 1) {
      throw new IllegalArgumentException("maxTrackers: " + maxTrackers + " (expected: >= 1)");
    }
    this.pool = pool;
    this.store = store;
    this.siteFinder = new SiteFinder(pool);
    this.maxTrackers = maxTrackers;
  }

  /**
   * Watches a sampled buffer, as allocated by the calling thread with the stack that it has now.
   *
   * @param buffer the buffer; only ever held weakly, none of its methods is called
   * @param memory the kind of memory, {@code direct} or {@code heap}
   * @param capacityBytes bytes of the buffer
   * @param weightBytes unbiased estimate of the allocated bytes that this sample stands for
   * @return the tracker that the buffer's release closes
   */
  public LeakTracker track(Object buffer, String memory, int capacityBytes, long weightBytes) {
    LeakTracker tracker =
        new LeakTracker(this, buffer, collected, memory, capacityBytes, weightBytes);
    if (trackers.size() >= maxTrackers) {
      // Not in the set: when the buffer is collected, nobody is told, and closing changes nothing.
      tracker.clear();
      untracked.increment();
    } else {
      trackers.add(tracker);
    }
    return tracker;
  }

  void closed(LeakTracker tracker) {
    if (trackers.remove(tracker)) {
      tracker.clear();
    }
  }

  /**
   * Stores the leaks among the buffers that were garbage collected since the last call. Not on an
   * allocation path: looking a stack up takes some ten microseconds per leak.
   *
   * @return the number of leaks found
   */
  public int poll() {
    int leaks = 0;
    Reference<?> reference;
    while ((reference = collected.poll()) != null) {
      if (reference instanceof LeakTracker tracker && trackers.remove(tracker)) {
        store.add(pool, tracker, AllocationStack.read(tracker.stack(), siteFinder));
        leaks++;
      }
    }
    return leaks;
  }

  /** Returns the number of samples that are watched now: allocated and not yet released. */
  public int trackers() {
    return trackers.size();
  }

  /** Returns what is known now, with all entries of the store. */
  public LeakReport report() {
    return new LeakReport(
        store.entries(), store.dropped(), store.droppedBytes(), trackers(), untracked.sum());
  }
}
