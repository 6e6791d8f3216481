/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.trace.AccessTrail;
import dev.cistern.util.ResourceLeakTracker;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Watches one buffer from its allocation to its release.
 *
 * <p>It holds the buffer weakly; the buffer may hold it. Whoever releases the buffer closes the
 * tracker; if nobody did when the garbage collector takes the buffer, that is a leak.
 *
 * @param <T> the type of the buffer
 */
public final class LeakTracker<T> extends WeakReference<T> implements ResourceLeakTracker<T> {
  @SuppressWarnings("rawtypes") // a field updater knows no type arguments
  private static final AtomicReferenceFieldUpdater<LeakTracker, Object> HISTORY =
      AtomicReferenceFieldUpdater.newUpdater(LeakTracker.class, Object.class, "history");

  /** A value of {@link #countedBytes}: the sample is not in the sum. */
  private static final long NOT_COUNTED = -1;

  /** End of {@link #history}. */
  private static final Object ENDED = new Object();

  private final LeakDetector detector;

  /** Written by who holds the buffer, when it moves. */
  private volatile Sample sample;

  /** Live bytes that it arrived with at its site, which it departs with. */
  private volatile long arrivedBytes;

  private final String thread = Thread.currentThread().getName();
  private final long bornNanos;

  /** Whether the sample was among those of live buffers when its watch began. */
  private final boolean isLive;

  /**
   * A throwable, until somebody wants its frames; then a stack of the table; null where there is no
   * place for it. Written under the detector's lock, and by the watching thread before that.
   */
  volatile @Nullable Object stack;

  /**
   * The live bytes that this sample has in the detector's sum, or {@link #NOT_COUNTED}. Guarded by
   * this object's lock.
   */
  private long countedBytes = NOT_COUNTED;

  private final @Nullable Traces traces;

  /** The history of the site once this sample is old; then that its end is told. Null before. */
  @SuppressWarnings("UnusedVariable") // by the updater
  private volatile @Nullable Object history;

  /** Accesses that are traced from the advanced level on. */
  private record Traces(AccessTrail accesses, AccessTrail counts) {}

  LeakTracker(
      LeakDetector detector,
      T buffer,
      ReferenceQueue<Object> collected,
      Sample sample,
      int accesses) {
    super(buffer, collected);
    this.detector = detector;
    this.sample = sample;
    isLive = sample.liveBytes() > 0;
    bornNanos = detector.nanos();
    traces =
        accesses == 0
            ? null
            : new Traces(
                new AccessTrail(accesses, detector.burstNanos(), detector.hintText()),
                new AccessTrail(LeakDetector.COUNTS_KEPT, 0, detector.hintText()));
  }

  @Override
  public void record() {
    record(null);
  }

  @Override
  public void record(@Nullable Object hint) {
    Traces to = traces;
    if (to != null) {
      to.accesses.add(hint);
    }
  }

  /** As {@link #record(Object)}, for a call of {@code retain} or {@code release}. */
  public void recordCount() {
    Traces to = traces;
    if (to != null) {
      to.counts.add(null);
    }
  }

  /** Ends the watch: {@code buffer} was released. Any thread, any number of times. */
  @Override
  public boolean close(T buffer) {
    return end(buffer, true);
  }

  /**
   * Ends the watch of a buffer that is not released. Another tracker replaces this one, or no code
   * will report the release. The age of the buffer does not count as a lifetime.
   *
   * @return false if the watch has ended before
   */
  public boolean forget(T buffer) {
    return end(buffer, false);
  }

  private boolean end(T buffer, boolean isReleased) {
    try {
      return detector.closed(this, isReleased);
    } finally {
      // Else the collector might take the buffer, and this be taken for a leak, before the end.
      Reference.reachabilityFence(buffer);
    }
  }

  /** The buffer has moved to another slot; what was counted out is watched there, too. */
  public void moved(int requestedBytes, int slotBytes) {
    int bytesBefore = sample.requestedBytes();
    sample = sample.moved(requestedBytes, slotBytes);
    detector.moved(this, bytesBefore);
  }

  /** Counts the sample; returns the bytes to add to the sum of live bytes. */
  synchronized long beginCount() {
    countedBytes = sample.liveBytes();
    return countedBytes;
  }

  /** Returns the bytes to add to the sum of live bytes after a move; 0 after the end. */
  synchronized long changeCount() {
    return countedBytes == NOT_COUNTED ? 0 : -countedBytes + beginCount();
  }

  /** Ends the count; returns the bytes to add to the sum of live bytes; 0 if it had ended. */
  synchronized long endCount() {
    long counted = countedBytes;
    countedBytes = NOT_COUNTED;
    return counted == NOT_COUNTED ? 0 : -counted;
  }

  /** Returns the sample of the watch's begin, or of the buffer's last move. */
  public Sample sample() {
    return sample;
  }

  /** Whether it keeps the accesses that it is told of. */
  public boolean isTraced() {
    return traces != null;
  }

  String thread() {
    return thread;
  }

  long bornNanos() {
    return bornNanos;
  }

  /** Returns whether the sample was among those of live buffers when its watch began. */
  boolean isLive() {
    return isLive;
  }

  @Nullable AccessTrail accesses() {
    return traces == null ? null : traces.accesses;
  }

  @Nullable AccessTrail counts() {
    return traces == null ? null : traces.counts;
  }

  boolean isOld() {
    return history != null;
  }

  /** This sample is old from now on, unless its end was told. */
  void becomeOld(SiteHistory ofSite) {
    arrivedBytes = sample.liveBytes();
    if (HISTORY.compareAndSet(this, null, ofSite)) {
      ofSite.arrived(arrivedBytes);
    }
  }

  /** Its buffer was released, and departs from where it had arrived. */
  void end() {
    if (HISTORY.getAndSet(this, ENDED) instanceof SiteHistory ofSite) {
      ofSite.departed(arrivedBytes);
    }
  }

  /**
   * Its buffer was garbage collected, and stays where it had arrived.
   *
   * @return false if it has not arrived anywhere, and will not
   */
  boolean lose() {
    if (HISTORY.getAndSet(this, ENDED) instanceof SiteHistory ofSite) {
      ofSite.lost();
      return true;
    }
    return false;
  }
}
