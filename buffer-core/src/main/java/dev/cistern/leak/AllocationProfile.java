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
 * Estimates of the bytes and buffers that each stack has allocated since start. They come from some
 * of the samples: a look-up of the frames of a stack costs more than the sample, and most samples
 * are released before the live profile needs it.
 *
 * <p>A sample is selected with the probability 1 / {@link #oneIn}, which is set before the sample
 * and does not depend on it; its weight is multiplied by {@code oneIn}, so the sums stay unbiased.
 * Selected samples wait in a bounded queue until the detector's thread looks their stacks up. A
 * selected sample whose stack finds no place is added to the remainder.
 */
final class AllocationProfile {
  /** Stacks that are kept, each for good. */
  static final int MAX_STACKS = 1_024;

  /** The last places are for sites: a new stack is then added up with others of its site. */
  private static final int MAX_STACKS_WITH_FRAMES = MAX_STACKS * 3 / 4;

  /** Samples that wait for their stack, however short the stacks are. */
  static final int MAX_PENDING = 256;

  /** Bytes that waiting stacks may take. */
  private static final int MAX_PENDING_BYTES = 1 << 18;

  /** Beyond half of the queue, each such part of it halves the probability. */
  private static final int PARTS_OF_QUEUE = 24;

  private static final int MAX_ONE_IN = 1 << 20;

  /** More would not change the limit, but overflow. */
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

  // Written by any sampling thread.
  private final LongAdder samples = new LongAdder();
  private final Queue<Selected> pending = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pendingCount = new AtomicInteger();
  private final AtomicReference<AllocationEstimate> directRemainder =
      new AtomicReference<>(AllocationEstimate.NOTHING);
  private final AtomicReference<AllocationEstimate> heapRemainder =
      new AtomicReference<>(AllocationEstimate.NOTHING);

  /** While the queue is short, one in this many samples is selected. Written by the ticks. */
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

  /** Returns the number that the weight of a new sample is multiplied by; 0: it is not selected. */
  int select(Sample sample) {
    if (sample.liveBytes() == 0 || sample.isContinued()) {
      return 0;
    }
    samples.increment();
    int bound = oneIn();
    return bound == 1 || random.applyAsInt(bound) == 0 ? bound : 0;
  }

  /**
   * Returns the inverse of the probability that the next sample is selected. It grows with the
   * queue, so that a burst between two ticks finds a place at any rate.
   */
  private int oneIn() {
    int waiting = pendingCount.get();
    int most = maxPending();
    int regular = oneIn;
    if (waiting <= most / 2) {
      return regular;
    }
    int doublings = Math.min(MAX_DOUBLINGS, (waiting - most / 2) * PARTS_OF_QUEUE / most + 1);
    return (int) Math.min((long) regular << doublings, MAX_ONE_IN);
  }

  /** Samples that may wait: fewer if stacks are deep. */
  private int maxPending() {
    return Math.max(1, Math.min(MAX_PENDING, MAX_PENDING_BYTES / stacks.throwableBytes()));
  }

  /** Adds a selected sample, whose stack is looked up later. Takes over one use of a stack. */
  void add(Selected selected) {
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
  void addToRemainder(Sample sample, int oneIn) {
    WeightSums one = new WeightSums();
    one.add(sample, oneIn);
    remainder(sample.memory()).accumulateAndGet(one.estimate(), AllocationEstimate::plus);
  }

  private AtomicReference<AllocationEstimate> remainder(String memory) {
    return memory.equals("direct") ? directRemainder : heapRemainder;
  }

  /** Returns a selected sample whose stack is to be looked up, or null. */
  @Nullable Selected poll() {
    Selected next = pending.poll();
    if (next != null) {
      pendingCount.decrementAndGet();
    }
    return next;
  }

  /**
   * Adds a sample to the sums of its stack.
   *
   * @param stack its stack, of which this takes over one use; null if there is no place for it
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
      stacks.release(key.stack()); // the sums have a use of their own
    } else {
      sum = new WeightSums();
      sums.put(key, sum);
    }
    if (sum != null) {
      sum.add(selected.sample, selected.oneIn);
    }
    return sum != null;
  }

  /** Sets the probability for the time until the next tick by the rate of samples until now. */
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
    FirstOfSite first = new FirstOfSite();
    sums.forEach(
        (key, sum) ->
            sites
                .computeIfAbsent(
                    new StackKey(key.memory(), first.of(key.stack())), site -> new WeightSums())
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
