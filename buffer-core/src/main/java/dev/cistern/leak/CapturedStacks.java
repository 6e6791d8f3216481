/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The allocation stacks of samples. A stack waits as a throwable until a report or the detector's
 * thread looks its frames up, because most samples are released before. The bytes of the stacks
 * that wait are limited, and so is the time of sampling threads for lookups. Thread-safe.
 */
final class CapturedStacks {
  /** Limit of the bytes of stacks that wait. */
  private static final int MAX_WAITING_BYTES = 1 << 20;

  /** Age of a sample from which its stack no longer waits. */
  private static final long MAX_WAITING_MILLIS = 2_000;

  /** Limit of the time that sampling threads save for a burst, such as the start of a process. */
  private static final long MAX_LOOKUP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final StackTable table;
  private final LongSupplier clock;

  /** Number of trackers whose stacks wait. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** Time that sampling threads may still use for lookups when too many stacks wait. */
  private final AtomicLong lookupNanos = new AtomicLong(MAX_LOOKUP_NANOS);

  private final LongAdder withoutStack = new LongAdder();

  CapturedStacks(StackTable table, LongSupplier clock) {
    this.table = table;
    this.clock = clock;
  }

  /** A throwable that contains a stack, and is never thrown. */
  static final class Mark extends Throwable {
    private static final long serialVersionUID = 1;

    Mark() {
      super(null, null, false, true);
    }
  }

  /** Captures the stack of the calling thread for a tracker that no other thread can use yet. */
  void capture(LeakTracker<?> tracker) {
    if (waiting.get() < maxWaiting()) {
      tracker.stack = new Mark(); // before the count, because the allocation can fail
      waiting.incrementAndGet();
    } else if (tracker.sample().isExact()) {
      intern(tracker, new Mark()); // every buffer is tracked: exactness before speed
    } else if (lookupNanos.get() > 0) {
      long start = clock.getAsLong();
      intern(tracker, new Mark());
      lookupNanos.addAndGet(start - clock.getAsLong());
    } else {
      withoutStack.increment();
    }
  }

  private int maxWaiting() {
    return MAX_WAITING_BYTES / table.throwableBytes();
  }

  private void intern(LeakTracker<?> tracker, Mark mark) {
    StackTable.Stack stack = table.intern(mark);
    tracker.stack = stack;
    if (stack == null) {
      withoutStack.increment();
    }
  }

  /** Returns the stack of a tracker, and looks it up if it waits. */
  StackTable.@Nullable Stack resolve(LeakTracker<?> tracker) {
    synchronized (tracker) {
      if (tracker.stack instanceof Mark mark) {
        waiting.decrementAndGet();
        intern(tracker, mark);
      }
      return tracker.stack instanceof StackTable.Stack stack ? stack : null;
    }
  }

  /** Looks up the stacks that have waited long, or all if many wait, until a point in time. */
  void resolveWaiting(Iterable<LeakTracker<?>> trackers, Moment now, long untilNanos) {
    boolean isPressing = waiting.get() > maxWaiting() / 4;
    for (LeakTracker<?> tracker : trackers) {
      if (tracker.stack instanceof Mark
          && (isPressing || now.ageMillis(tracker.bornNanos()) >= MAX_WAITING_MILLIS)
          && System.nanoTime() - untilNanos < 0) {
        StackTable.Stack unused = resolve(tracker);
      }
    }
  }

  /** Adds time for the lookups of sampling threads, up to the limit. */
  void addLookupNanos(long nanos) {
    lookupNanos.updateAndGet(left -> Math.min(left + nanos, MAX_LOOKUP_NANOS));
  }

  /** Returns the stack of a tracker for one more user, without a lookup; null if there is none. */
  @Nullable Object retain(LeakTracker<?> tracker) {
    synchronized (tracker) {
      return tracker.stack instanceof StackTable.Stack stack ? table.retain(stack) : tracker.stack;
    }
  }

  /**
   * Looks up a stack that {@link #retain} returned, or a mark.
   *
   * @param tracker a watched tracker that has the same stack does not look it up again
   */
  StackTable.@Nullable Stack lookUp(@Nullable Object captured, LeakTracker<?> tracker) {
    if (captured instanceof Mark mark) {
      StackTable.Stack stack = table.intern(mark);
      share(mark, stack, tracker);
      return stack;
    }
    return (StackTable.Stack) captured;
  }

  private void share(Mark mark, StackTable.@Nullable Stack stack, LeakTracker<?> tracker) {
    if (stack == null) {
      return;
    }
    synchronized (tracker) {
      if (tracker.stack == mark) {
        waiting.decrementAndGet();
        tracker.stack = table.retain(stack);
      }
    }
  }

  /** Ends a use of a stack that {@link #retain} or {@link #lookUp} returned. */
  void release(@Nullable Object captured) {
    if (captured instanceof StackTable.Stack stack) {
      table.release(stack);
    }
  }

  /** Drops the stack of a tracker that is no longer watched. */
  void drop(LeakTracker<?> tracker) {
    synchronized (tracker) {
      if (tracker.stack instanceof Mark) {
        waiting.decrementAndGet();
      }
      release(tracker.stack);
      tracker.stack = null;
    }
  }

  /** Returns the number of samples whose stacks were not captured, or not kept. */
  long withoutStack() {
    return withoutStack.sum();
  }
}
