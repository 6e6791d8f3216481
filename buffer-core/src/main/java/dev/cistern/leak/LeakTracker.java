/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.trace.AccessTrail;
import dev.cistern.util.ResourceLeakTracker;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A tracker of one buffer, from its allocation to its release.
 *
 * <p>It holds the buffer weakly; the buffer can hold it. The releasing thread closes the tracker.
 * If the tracker is open when the garbage collector takes the buffer, the buffer is a leak.
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

  /** The properties of the buffer. Written by the thread that changes the size of the buffer. */
  private volatile Sample sample;

  /** Live bytes of the sample when it became old, which its end subtracts from the site. */
  private volatile long arrivedBytes;

  private final String thread = Thread.currentThread().getName();
  private final long bornNanos;

  /** Whether the sample was among those of live buffers when its watch began. */
  private final boolean isLive;

  /**
   * The stack: a throwable until a report or a tick looks its frames up, then a stack of the table.
   * Null if the stack was not kept. Written under this object's lock, and before the watch by the
   * thread that starts it.
   */
  volatile @Nullable Object stack;

  /**
   * The live bytes that this sample has in the detector's sum, or {@link #NOT_COUNTED}. Guarded by
   * this object's lock.
   */
  private long countedBytes = NOT_COUNTED;

  private final @Nullable Traces traces;

  /** The history of the site while this sample is old, {@link #ENDED} after that, null before. */
  @SuppressWarnings("UnusedVariable") // accessed by the updater
  private volatile @Nullable Object history;

  /** The holder that the buffer was last passed to; null before. The passing thread writes it. */
  private volatile @Nullable Holder holder;

  /** The slices of the buffer; null before the first. Written under this object's lock. */
  private volatile @Nullable Pins pins;

  /** Accesses and calls, which the tracker records from the advanced level on. */
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
                new AccessTrail(LeakDetector.MAX_COUNTS, 0, detector.hintText()));
  }

  @Override
  public void record() {
    record(null);
  }

  /** Records an access, and the holder if there is a hint. */
  @Override
  public void record(@Nullable Object hint) {
    Traces to = traces;
    if (to != null) {
      to.accesses.add(hint);
    }
    if (hint != null) {
      holder = detector.holder(hint);
    }
  }

  /** Records a call of {@code retain} or {@code release}. */
  public void recordCount() {
    Traces to = traces;
    if (to != null) {
      to.counts.add(null);
    }
  }

  /** Ends the watch after the release of a buffer. Any thread can call this again. */
  @Override
  public boolean close(T buffer) {
    return end(buffer, true);
  }

  /**
   * Ends the watch of a buffer that is not released, because another tracker replaces this one or
   * no code will report the release. The age of the buffer does not count as a lifetime.
   *
   * @return false if the watch has ended before
   */
  public boolean forget(T buffer) {
    return end(buffer, false);
  }

  private boolean end(T buffer, boolean isReleased) {
    try {
      return detector.end(this, isReleased);
    } finally {
      // otherwise the buffer could be collected, and count as a leak, before the watch ends
      Reference.reachabilityFence(buffer);
    }
  }

  /** Sets the sizes of a buffer that has moved to another slot, and adapts its weights. */
  public void moved(int requestedBytes, int slotBytes) {
    int bytesBefore = sample.requestedBytes();
    sample = sample.moved(requestedBytes, slotBytes);
    detector.updateSize(this, bytesBefore);
  }

  /** Counts the sample. Returns the bytes to add to the sum of live bytes. */
  synchronized long beginCount() {
    countedBytes = sample.liveBytes();
    return countedBytes;
  }

  /** Returns the bytes to add to the sum of live bytes after a move; 0 after the end. */
  synchronized long changeCount() {
    return countedBytes == NOT_COUNTED ? 0 : -countedBytes + beginCount();
  }

  /**
   * Ends the count. Returns the bytes to add to the sum of live bytes; 0 if the count had ended.
   */
  synchronized long endCount() {
    long counted = countedBytes;
    countedBytes = NOT_COUNTED;
    return counted == NOT_COUNTED ? 0 : -counted;
  }

  /** Records that the buffer was passed to a holder. Any thread that has the buffer calls it. */
  public void passedTo(Holder newHolder) {
    holder = newHolder;
  }

  /** Returns the holder that the buffer was last passed to; null if it was not passed on. */
  public @Nullable Holder holder() {
    return holder;
  }

  /** Returns the slices of the buffer. The first call takes the object from {@code newPins}. */
  public Pins pins(Supplier<? extends Pins> newPins) {
    Pins known = pins;
    if (known == null) {
      synchronized (this) {
        known = pins;
        if (known == null) {
          known = newPins.get();
          pins = known;
        }
      }
    }
    return known;
  }

  @Nullable Pins pins() {
    return pins;
  }

  /** Returns the sample with the current sizes of the buffer. */
  public Sample sample() {
    return sample;
  }

  /** Returns whether this tracker keeps accesses. */
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

  /** Adds this sample to the old samples of its site, unless the watch has ended. */
  void becomeOld(SiteHistory ofSite) {
    arrivedBytes = sample.liveBytes();
    if (HISTORY.compareAndSet(this, null, ofSite)) {
      ofSite.arrived(arrivedBytes);
    }
  }

  /** Removes this sample from the old samples of its site, because its buffer was released. */
  void end() {
    if (HISTORY.getAndSet(this, ENDED) instanceof SiteHistory ofSite) {
      ofSite.departed(arrivedBytes);
    }
  }

  /**
   * Leaves this sample among the old samples of its site, because its buffer was garbage collected.
   *
   * @return false if it was not among them
   */
  boolean lose() {
    if (HISTORY.getAndSet(this, ENDED) instanceof SiteHistory ofSite) {
      ofSite.lost();
      return true;
    }
    return false;
  }
}
