/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.AllocatedStack;
import dev.cistern.leak.report.AllocationEstimate;
import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.StackDetail;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Estimates of the bytes and buffers that each stack has allocated since start, from some of the
 * samples: a lookup of a stack's frames costs more than the sample, and the live profile needs few
 * of them.
 *
 * <p>A sample is selected with the probability 1 / {@link #oneIn}, which is set before the sample
 * and does not depend on it; its weight is multiplied by {@code oneIn}, so the sums stay unbiased.
 * Selected samples wait in a bounded queue until the detector's thread or a report looks their
 * stacks up. A selected sample whose stack is not kept is added to the remainder.
 */
final class AllocationProfile {
  /** Limit of stacks, each of which is kept until the end of the process. */
  static final int MAX_STACKS = 1_024;

  /** Number of stacks from which a new stack is added to the stack without frames of its site. */
  private static final int MAX_STACKS_WITH_FRAMES = MAX_STACKS * 3 / 4;

  /** Limit of samples that wait, even with short stacks. */
  static final int MAX_PENDING = 256;

  /** Limit of the bytes of stacks that wait. */
  private static final int MAX_PENDING_BYTES = 1 << 18;

  /**
   * Number of parts of the queue. Beyond half of the queue, each further part halves the
   * probability.
   */
  private static final int QUEUE_PARTS = 24;

  private static final int MAX_ONE_IN = 1 << 20;

  /** More doublings would overflow, and the limit would be the same. */
  private static final int MAX_DOUBLINGS = 20;

  private static final long MIN_WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** A selected sample. */
  static final class Selected {
    final LeakTracker<?> tracker;
    final Sample sample;
    final int oneIn;

    /** A throwable, or a stack of the table that is retained for this object. */
    final Object stack;

    Selected(LeakTracker<?> tracker, Sample sample, int oneIn, Object stack) {
      this.tracker = tracker;
      this.sample = sample;
      this.oneIn = oneIn;
      this.stack = stack;
    }
  }

  private final long sinceMillis = System.currentTimeMillis();
  private final StackTable stacks;

  /** Returns a random number below its argument. Replaced by tests. */
  private volatile IntUnaryOperator random = bound -> ThreadLocalRandom.current().nextInt(bound);

  // Any sampling thread writes these fields.
  private final LongAdder samples = new LongAdder();
  private final Queue<Selected> pending = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pendingCount = new AtomicInteger();
  private final AtomicReference<AllocationEstimate> directRemainder =
      new AtomicReference<>(AllocationEstimate.NOTHING);
  private final AtomicReference<AllocationEstimate> heapRemainder =
      new AtomicReference<>(AllocationEstimate.NOTHING);

  /** Inverse of the probability of a selection while the queue is short. Written by ticks. */
  private volatile int oneIn = 1;

  // Guarded by this object's lock.
  private final Map<StackKey, WeightSums> sums = new HashMap<>();
  private long windowStartNanos;
  private long windowStartSamples;

  AllocationProfile(StackTable stacks, long nowNanos) {
    this.stacks = stacks;
    this.windowStartNanos = nowNanos;
  }

  /** Replaces the source of randomness, for tests. */
  void random(IntUnaryOperator below) {
    random = below;
  }

  /** Returns the factor of the weight of a new sample; 0 if the sample is not selected. */
  int select(Sample sample) {
    if (sample.liveBytes() == 0 || sample.isContinued()) {
      return 0;
    }
    samples.increment();
    int bound = oneIn();
    return bound == 1 || random.applyAsInt(bound) == 0 ? bound : 0;
  }

  /**
   * Returns the inverse of the probability of the next selection. It grows with the queue, so that
   * the queue has room for a burst between two ticks at any rate.
   */
  private int oneIn() {
    int waiting = pendingCount.get();
    int limit = maxPending();
    int regular = oneIn;
    if (waiting <= limit / 2) {
      return regular;
    }
    int doublings = Math.min(MAX_DOUBLINGS, (waiting - limit / 2) * QUEUE_PARTS / limit + 1);
    return (int) Math.min((long) regular << doublings, MAX_ONE_IN);
  }

  /** Returns the limit of samples that wait, which is lower if stacks are deep. */
  private int maxPending() {
    return Math.max(1, Math.min(MAX_PENDING, MAX_PENDING_BYTES / stacks.throwableBytes()));
  }

  /**
   * Adds the sample of a tracker that no other thread can use yet. Its stack is looked up later.
   *
   * @param oneIn result of {@link #select}
   */
  void add(LeakTracker<?> tracker, int oneIn) {
    if (oneIn == 0) {
      return;
    }
    Sample sample = tracker.sample();
    Object stack = tracker.stack;
    if (stack == null) {
      addToRemainder(sample, oneIn);
      return;
    }
    if (stack instanceof StackTable.Stack known) {
      StackTable.Stack unused = stacks.retain(known);
    }
    enqueue(new Selected(tracker, sample, oneIn, stack));
  }

  private void enqueue(Selected selected) {
    if (pendingCount.incrementAndGet() > maxPending()) {
      pendingCount.decrementAndGet();
      addToRemainder(selected.sample, selected.oneIn);
      if (selected.stack instanceof StackTable.Stack stack) {
        stacks.release(stack);
      }
    } else {
      pending.add(selected);
    }
  }

  /** Adds a selected sample without a stack. */
  private void addToRemainder(Sample sample, int oneIn) {
    WeightSums one = new WeightSums();
    one.add(sample, oneIn);
    remainder(sample.memory()).accumulateAndGet(one.estimate(), AllocationEstimate::plus);
  }

  private AtomicReference<AllocationEstimate> remainder(String memory) {
    return memory.equals("direct") ? directRemainder : heapRemainder;
  }

  /** Looks up the stacks of the samples that wait, up to a full queue. */
  void lookUpPending(CapturedStacks captured, long maxNanos) {
    long start = System.nanoTime();
    for (int i = 0; i < MAX_PENDING && System.nanoTime() - start < maxNanos; i++) {
      Selected next = poll();
      if (next == null) {
        return;
      }
      try {
        add(next, captured.lookUp(next.stack, next.tracker));
      } catch (RuntimeException | Error outOfMemory) {
        addToRemainder(next.sample, next.oneIn);
        throw outOfMemory;
      }
    }
  }

  private @Nullable Selected poll() {
    Selected next = pending.poll();
    if (next != null) {
      pendingCount.decrementAndGet();
    }
    return next;
  }

  /**
   * Adds a sample to the sums of its stack.
   *
   * @param stack the stack, one use of which this method takes over; null if the table is full
   */
  void add(Selected selected, StackTable.@Nullable Stack stack) {
    if (stack == null || !tryAdd(selected, stack)) {
      addToRemainder(selected.sample, selected.oneIn);
    }
  }

  private synchronized boolean tryAdd(Selected selected, StackTable.Stack stack) {
    StackKey key = new StackKey(selected.sample.memory(), stack);
    if (!sums.containsKey(key) && sums.size() >= MAX_STACKS_WITH_FRAMES) {
      StackTable.Stack site = stacks.retainSite(stack);
      stacks.release(stack);
      key = new StackKey(selected.sample.memory(), site);
    }
    WeightSums sum = sums.get(key);
    if (sum != null || key.stack() == null || sums.size() >= MAX_STACKS) {
      stacks.release(key.stack()); // the sums have one use already
    } else {
      sum = new WeightSums();
      sums.put(key, sum);
    }
    if (sum != null) {
      sum.add(selected.sample, selected.oneIn);
    }
    return sum != null;
  }

  /** Sets the probability until the next tick, from the rate of samples since the last one. */
  synchronized void tick(long nowNanos) {
    long elapsed = nowNanos - windowStartNanos;
    if (elapsed < MIN_WINDOW_NANOS) {
      return;
    }
    long now = samples.sum();
    double perSecond = (double) (now - windowStartSamples) * TimeUnit.SECONDS.toNanos(1) / elapsed;
    int target = Math.max(1, maxPending() / 4);
    double fitting = Math.ceil(perSecond / target);
    oneIn = (int) Math.max(1, Math.min(MAX_ONE_IN, Math.max(fitting, oneIn * 0.5)));
    windowStartNanos = nowNanos;
    windowStartSamples = now;
  }

  boolean hasPending() {
    return !pending.isEmpty();
  }

  AllocationReport report(long nowMillis, StackDetail detail) {
    return new AllocationReport(
        sinceMillis, nowMillis, samples.sum(), oneIn, allocated(detail), remainders());
  }

  private synchronized List<AllocatedStack> allocated(StackDetail detail) {
    Map<StackKey, WeightSums> shown = detail == StackDetail.SITE ? bySite() : sums;
    List<AllocatedStack> allocated = new ArrayList<>(shown.size());
    shown.forEach((key, sum) -> allocated.add(show(key, sum, detail)));
    return allocated;
  }

  private static AllocatedStack show(StackKey key, WeightSums sum, StackDetail detail) {
    CallStack stack = key.stack() == null ? CallStack.NONE : key.stack().show(detail);
    return new AllocatedStack(key.memory(), stack, sum.estimate());
  }

  private Map<StackKey, WeightSums> bySite() {
    Map<StackKey, WeightSums> sites = new HashMap<>();
    SiteRepresentatives representatives = new SiteRepresentatives();
    sums.forEach(
        (key, sum) ->
            sites
                .computeIfAbsent(
                    new StackKey(key.memory(), representatives.of(key.stack())),
                    site -> new WeightSums())
                .add(sum));
    return sites;
  }

  private List<AllocatedStack> remainders() {
    List<AllocatedStack> shown = new ArrayList<>();
    for (String memory : List.of("direct", "heap")) {
      AllocationEstimate remainder = Objects.requireNonNull(remainder(memory).get());
      if (remainder.samples() > 0) {
        shown.add(new AllocatedStack(memory, CallStack.NONE, remainder));
      }
    }
    return shown;
  }
}
