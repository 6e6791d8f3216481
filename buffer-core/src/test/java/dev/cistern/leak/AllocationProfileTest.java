/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cistern.leak.report.AllocatedStack;
import dev.cistern.leak.report.AllocationEstimate;
import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.StackDetail;
import example.leaky.Application;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests estimates of the allocations of each stack since start, made from a part of the samples.
 */
class AllocationProfileTest {
  private static final long SEED = Long.getLong("cistern.seed", 42);

  /** Limit of the error of an estimate, in standard errors: the chance to exceed it is 2e-9. */
  private static final double STANDARD_ERRORS = 6;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final LeakDetector detector = new LeakDetector("io.netty", new LeakStore(8, line -> {}));
  private long nanos = System.nanoTime();

  @BeforeEach
  void useTestClockAndSeed() {
    detector.clock(() -> nanos);
    detector.allocations().random(random::nextInt);
  }

  private static Sample sample(String memory, int bytes, long weightBytes) {
    return Sample.byBytes(memory, Sample.POOLED, bytes, bytes, weightBytes);
  }

  private void tick() {
    nanos += TimeUnit.SECONDS.toNanos(1);
    int unused = detector.tick();
  }

  /** Returns a buffer that is not released yet. */
  private Object track(Sample sample) {
    Object buffer = new Object();
    LeakTracker<Object> unused = detector.track(buffer, sample);
    return buffer;
  }

  private boolean allocateAndRelease(Sample sample) {
    Object buffer = new Object();
    return detector.track(buffer, sample).close(buffer);
  }

  private static AllocationEstimate sum(List<AllocatedStack> stacks) {
    AllocationEstimate sum = AllocationEstimate.NOTHING;
    for (AllocatedStack stack : stacks) {
      sum = sum.plus(stack.allocated());
    }
    return sum;
  }

  private AllocationReport report() {
    return detector.allocations(StackDetail.FRAMES);
  }

  @Test
  void aReleasedSampleIsCountedAtItsStackWithItsVariance() {
    for (int i = 0; i < 3; i++) {
      assertThat(allocateAndRelease(sample("direct", 1_000, 4_000))).isTrue();
    }
    assertThat(detector.live(0, StackDetail.FRAMES).stacks()).isEmpty();
    AllocationReport report = report();
    assertThat(report.remainder()).isEmpty();
    assertThat(report.stacks()).hasSize(1);
    AllocatedStack stack = report.stacks().get(0);
    assertThat(stack.memory()).isEqualTo("direct");
    assertThat(stack.stack().site())
        .startsWith("dev.cistern.leak.AllocationProfileTest.allocateAndRelease:");
    assertThat(stack.stack().frames()).isNotEmpty();
    AllocationEstimate found = stack.allocated();
    assertThat(found.samples()).isEqualTo(3);
    assertThat(found.buffers()).isCloseTo(3 * 4, within(1e-9));
    assertThat(found.buffersVariance()).isCloseTo(3 * 0.75 * 16, within(1e-9));
    assertThat(found.bytes()).isCloseTo(3 * 4_000, within(1e-9));
    assertThat(found.bytesVariance()).isCloseTo(3 * 0.75 * 16e6, within(1e-3));
    assertThat(report.total("direct")).isEqualTo(found);
    assertThat(report.total("heap")).isEqualTo(AllocationEstimate.NOTHING);
  }

  @Test
  void aLiveSampleIsCountedOnceAndBothProfilesShowItsStack() {
    Object held = Application.handleRequest(() -> track(sample("heap", 10, 10)));
    tick();
    tick();
    tick();
    LiveStack live = detector.live(0, StackDetail.FRAMES).stacks().get(0);
    AllocatedStack allocated = report().stacks().get(0);
    assertThat(allocated.stack()).isEqualTo(live.stack());
    assertThat(allocated.allocated()).isEqualTo(new AllocationEstimate(1, 1, 0, 10, 0));
    assertThat(held).isNotNull();
  }

  @Test
  void aSampleThatReplacesAnotherOrIsNoLiveSampleIsNotCounted() {
    Sample first = sample("direct", 10, 100);
    assertThat(allocateAndRelease(first)).isTrue();
    Sample counted = Sample.byCount("direct", Sample.POOLED, 10, 16, 128);
    allocateAndRelease(first.continued());
    allocateAndRelease(counted.continuing(first.liveBytes()));
    allocateAndRelease(counted);
    assertThat(sum(report().stacks()).samples()).isOne();
    allocateAndRelease(counted.alsoLive(100));
    assertThat(sum(report().stacks()).samples()).isEqualTo(2);
  }

  /** Returns an allocation from one of three stacks, whose sizes and rates differ. */
  private Supplier<Boolean> allocation(int stack, Sample sample) {
    return () ->
        stack == 0
            ? Application.handleRequest(() -> allocateAndRelease(sample))
            : stack == 1
                ? Application.writeResponse(() -> allocateAndRelease(sample))
                : Application.recurse(3, () -> allocateAndRelease(sample));
  }

  private static int stackOf(AllocatedStack shown) {
    String frames = String.join("\n", shown.stack().frames());
    return frames.contains("handleRequest") ? 0 : frames.contains("writeResponse") ? 1 : 2;
  }

  /** Tests far more samples than the number of stacks that may be looked up, for a minute. */
  @Test
  void estimatesAreUnbiasedAndStateTheirErrorsIfFewSamplesAreSelected() {
    double[] buffers = new double[3];
    double[] bytes = new double[3];
    int most = 0;
    for (int second = 0; second < 60; second++) {
      for (int i = 0; i < 1_000 + 40 * second; i++) {
        int stack = random.nextInt(10) / 4; // 40 %, 40 %, 20 %
        int size = 1 << random.nextInt(6, 20);
        Sample sample = sample("direct", size, ByteSampler.weight(size, 512 << 10));
        buffers[stack] += sample.buffers();
        bytes[stack] += sample.liveBytes();
        assertThat(allocation(stack, sample).get()).isTrue();
      }
      tick();
      most = Math.max(most, report().oneIn());
    }
    AllocationReport report = report();
    assertThat(report.remainder()).as("seed %d", SEED).isEmpty();
    assertThat(report.stacks()).hasSize(3);
    assertThat(most).isGreaterThan(10);
    assertThat(sum(report.stacks()).samples()).isLessThan(60 * AllocationProfile.MAX_PENDING);
    for (AllocatedStack shown : report.stacks()) {
      AllocationEstimate found = shown.allocated();
      int stack = stackOf(shown);
      // The stated error includes the variance of the samples, although the test sets the samples.
      assertThat(found.bytes())
          .as("stack %d, seed %d, %s", stack, SEED, found)
          .isCloseTo(bytes[stack], within(STANDARD_ERRORS * found.bytesError()));
      assertThat(found.buffers())
          .as("stack %d, seed %d, %s", stack, SEED, found)
          .isCloseTo(buffers[stack], within(STANDARD_ERRORS * found.buffersError()));
      assertThat(found.bytesError()).isLessThan(0.15 * found.bytes());
    }
  }

  /**
   * Tests the estimates from the sampler on. Over many runs, their mean is the number of allocated
   * bytes, and their variance is the stated one.
   */
  @Test
  void theStatedErrorIsThatOfTheEstimates() {
    int runs = 200;
    double sum = 0;
    double squares = 0;
    double stated = 0;
    int allocations = 20_000;
    int size = 4_096;
    long mean = 64 << 10;
    ByteSampler sampler = new ByteSampler(new ByteSampler.Sampling(mean), () -> 0);
    long left = sampler.next(random);
    double before = 0;
    double varianceBefore = 0;
    for (int run = 0; run < runs; run++) {
      for (int i = 0; i < allocations; i++) {
        left -= size;
        if (left <= 0) {
          allocateAndRelease(sample("direct", size, ByteSampler.weight(size, mean)));
          left = sampler.next(random);
        }
      }
      tick();
      AllocationEstimate total = report().total("direct");
      double estimate = total.bytes() - before;
      sum += estimate;
      squares += estimate * estimate;
      stated += total.bytesVariance() - varianceBefore;
      before = total.bytes();
      varianceBefore = total.bytesVariance();
    }
    double truth = (double) allocations * size;
    double average = sum / runs;
    double variance = squares / runs - average * average;
    assertThat(average)
        .as("seed %d", SEED)
        .isCloseTo(truth, within(STANDARD_ERRORS * Math.sqrt(stated / runs / runs)));
    // The variance of 200 nearly normal estimates has a standard error of 10 %.
    assertThat(variance / (stated / runs)).as("seed %d", SEED).isBetween(0.4, 1.6);
    assertThat(Math.sqrt(variance)).isLessThan(0.3 * truth);
  }

  @Test
  void aBurstBetweenTwoTicksFindsAPlaceAndStaysUnbiased() {
    int burst = 5_000;
    for (int i = 0; i < burst; i++) {
      allocateAndRelease(sample("direct", 100, 100));
    }
    AllocationReport report = report();
    assertThat(report.remainder()).as("seed %d", SEED).isEmpty();
    AllocationEstimate found = report.total("direct");
    assertThat(found.samples()).isLessThanOrEqualTo(AllocationProfile.MAX_PENDING);
    assertThat(found.buffers())
        .as("seed %d, %s", SEED, found)
        .isCloseTo(burst, within(STANDARD_ERRORS * found.buffersError()));
    assertThat(found.buffersError()).isLessThan(0.5 * burst);
  }

  @Test
  void theProbabilityRisesAgainWhenThereAreFewSamples() {
    for (int i = 0; i < 10_000; i++) {
      allocateAndRelease(sample("direct", 100, 100));
    }
    tick();
    int after = report().oneIn();
    assertThat(after).isGreaterThan(100);
    tick();
    assertThat(report().oneIn()).isEqualTo(after / 2);
    for (int i = 0; i < 30; i++) {
      tick();
    }
    assertThat(report().oneIn()).isOne();
  }

  /** Calls {@code allocation} from a stack that is different for each number below 4,096. */
  private static <T> T from(int number, int bits, Supplier<T> allocation) {
    if (bits == 0) {
      return allocation.get();
    }
    return number % 2 == 0
        ? from(number / 2, bits - 1, allocation)
        : Application.handleRequest(() -> from(number / 2, bits - 1, allocation));
  }

  @Test
  void stacksAreBoundedAndFurtherSamplesCountAtTheirSite() {
    int different = 3_000;
    AllocationReport before = report();
    for (int i = 0; i < different; i++) {
      from(i, 12, () -> allocateAndRelease(sample("heap", 10, 20)));
      if (i % 10 == 0) { // few enough that each sample is selected
        AllocationReport unused = detector.allocations(StackDetail.SITE);
      }
      if (i % 500 == 0) {
        AllocationReport after = report();
        assertOnlyGrown(before, after);
        before = after;
      }
    }
    AllocationReport report = report();
    assertThat(report.stacks().size()).isLessThanOrEqualTo(AllocationProfile.MAX_STACKS);
    assertThat(report.remainder()).isEmpty();
    AllocatedStack ofSite =
        report.stacks().stream()
            .filter(stack -> stack.stack().frames().isEmpty())
            .findFirst()
            .orElseThrow();
    assertThat(ofSite.stack().site()).contains("AllocationProfileTest.allocateAndRelease:");
    assertThat(ofSite.stack().cutFrames()).isPositive();
    assertThat(ofSite.allocated().samples()).isGreaterThan(different / 2);
    assertThat(report.total("heap").samples()).isEqualTo(different);
    assertThat(report.total("heap").bytes()).isCloseTo(different * 20.0, within(1e-6));
    AllocationReport bySite = detector.allocations(StackDetail.SITE);
    assertThat(bySite.stacks()).hasSize(1);
    assertThat(bySite.total("heap").samples()).isEqualTo(different);
  }

  /** Tests more different stacks than the table has places for, but not all at the same time. */
  @Test
  void theProfileKeepsItsStacksAndReleasesThoseOfLiveSamples() {
    for (int first : new int[] {0, 1_300, 2_600, 0}) {
      Map<Object, LeakTracker<Object>> live = new HashMap<>();
      for (int i = first; i < first + 1_300; i++) {
        Object buffer = new Object();
        live.put(buffer, from(i, 12, () -> detector.track(buffer, sample("heap", 10, 20))));
        if (i % 10 == 0) {
          AllocationReport unused = detector.allocations(StackDetail.SITE);
        }
      }
      assertThat(detector.live(0, StackDetail.FRAMES).total("heap").samples()).isEqualTo(1_300);
      live.forEach((buffer, tracker) -> assertThat(tracker.close(buffer)).isTrue());
    }
    assertThat(detector.report("simple", 0, StackDetail.FRAMES).withoutStack()).isZero();
    AllocationReport report = report();
    assertThat(report.remainder()).isEmpty();
    assertThat(report.total("heap").samples()).isEqualTo(4 * 1_300);
    for (AllocatedStack stack : report.stacks()) {
      if (!stack.stack().frames().isEmpty()) {
        assertThat(stack.allocated().samples()).isEqualTo(2); // in the first and the last round
      }
    }
  }

  @Test
  void sitesWithoutAPlaceAreInTheRemainder() {
    StackTable table = new StackTable(new SiteFinder("io.netty"), frame -> false);
    AllocationProfile profile = new AllocationProfile(table, nanos);
    LeakTracker<Object> tracker = detector.track(new Object(), sample("direct", 1, 1));
    int sites = 2_000;
    for (int i = 0; i < sites; i++) {
      Throwable stack = new Throwable();
      stack.setStackTrace(
          new StackTraceElement[] {new StackTraceElement("app.Main", "call", "Main.java", i + 1)});
      profile.add(
          new AllocationProfile.Selected(tracker, sample("direct", 1, 1), 1, stack),
          table.intern(stack));
    }
    AllocationReport report = profile.report(0, StackDetail.FRAMES);
    assertThat(report.stacks()).hasSize(AllocationProfile.MAX_STACKS);
    assertThat(report.remainder())
        .containsExactly(
            new AllocatedStack(
                "direct",
                CallStack.NONE,
                new AllocationEstimate(
                    sites - AllocationProfile.MAX_STACKS,
                    sites - AllocationProfile.MAX_STACKS,
                    0,
                    sites - AllocationProfile.MAX_STACKS,
                    0)));
    assertThat(table.stacks()).isLessThanOrEqualTo(StackTable.MAX_STACKS);
    int live = 0;
    for (int i = 0; i < 3_000; i++) { // as many places for stacks of live samples as before
      Throwable stack = new Throwable();
      stack.setStackTrace(
          new StackTraceElement[] {new StackTraceElement("app.Live", "call", "Live.java", i + 1)});
      live += table.intern(stack) == null ? 0 : 1;
    }
    assertThat(live).isEqualTo(StackTable.MAX_STACKS - AllocationProfile.MAX_STACKS);
  }

  @Test
  void samplesThatAreNotWatchedAreInTheRemainder() {
    LeakDetector one =
        new LeakDetector(
            "io.netty",
            new LeakStore(8, line -> {}),
            LeakDetector.Options.DEFAULTS.withMaxWatched(1));
    List<Object> held = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Object buffer = new Object();
      held.add(buffer);
      LeakTracker<Object> unused = one.track(buffer, sample("heap", 5, 7));
    }
    AllocationReport report = one.allocations(StackDetail.FRAMES);
    assertThat(sum(report.stacks()).samples()).isOne();
    assertThat(sum(report.remainder()).samples()).isEqualTo(2);
    assertThat(report.total("heap").bytes()).isCloseTo(3 * 7, within(1e-9));
    assertThat(held).hasSize(3);
  }

  /** Tests that samples count even if too many of them wait to keep their stacks. */
  @Test
  void samplesWithoutAStackAreInTheRemainder() {
    long[] perCall = {0};
    detector.clock(() -> nanos += perCall[0]);
    perCall[0] = TimeUnit.MILLISECONDS.toNanos(1);
    detector.allocations().random(bound -> 0); // selects each sample
    List<Object> held = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      held.add(track(sample("direct", 1, 1)));
    }
    assertThat(detector.report("simple", 0, StackDetail.FRAMES).withoutStack()).isPositive();
    AllocationReport report = report();
    assertThat(sum(report.stacks()).samples() + sum(report.remainder()).samples())
        .isEqualTo(held.size());
    assertThat(sum(report.remainder()).samples())
        .isGreaterThanOrEqualTo(detector.report("simple", 0, StackDetail.FRAMES).withoutStack());
  }

  private static Map<List<Object>, AllocationEstimate> byStack(AllocationReport report) {
    Map<List<Object>, AllocationEstimate> byStack = new HashMap<>();
    for (AllocatedStack stack : report.stacks()) {
      byStack.put(List.of(stack.memory(), stack.stack()), stack.allocated());
    }
    for (AllocatedStack stack : report.remainder()) {
      byStack.put(List.of(stack.memory(), "remainder"), stack.allocated());
    }
    return byStack;
  }

  private static void assertOnlyGrown(AllocationReport before, AllocationReport after) {
    Map<List<Object>, AllocationEstimate> now = byStack(after);
    byStack(before)
        .forEach(
            (stack, was) -> {
              AllocationEstimate is = now.get(stack);
              assertThat(is).as("%s", stack).isNotNull();
              assertThat(is.samples()).isGreaterThanOrEqualTo(was.samples());
              assertThat(is.buffers()).isGreaterThanOrEqualTo(was.buffers());
              assertThat(is.bytes()).isGreaterThanOrEqualTo(was.bytes());
              assertThat(is.bytesVariance()).isGreaterThanOrEqualTo(was.bytesVariance());
            });
  }

  /** Threads allocate and release during ticks and reports. */
  @Test
  void countersOnlyGrowAndNothingIsLostWhileThreadsAllocate() throws InterruptedException {
    LeakDetector busy = new LeakDetector("io.netty", new LeakStore(8, line -> {}));
    int threads = 4;
    int each = 30_000;
    AtomicInteger running = new AtomicInteger(threads);
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> allocating = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  from(
                      i % 64,
                      6,
                      () -> {
                        Object buffer = new Object();
                        return busy.track(buffer, sample("direct", 8, 8)).close(buffer);
                      });
                }
                running.decrementAndGet();
              });
      thread.setUncaughtExceptionHandler((failed, failure) -> failures.add(failure));
      allocating.add(thread);
      thread.start();
    }
    AllocationReport before = busy.allocations(StackDetail.FRAMES);
    while (running.get() > 0 && failures.isEmpty()) {
      int unused = busy.tick();
      AllocationReport after = busy.allocations(StackDetail.FRAMES);
      assertOnlyGrown(before, after);
      before = after;
    }
    for (Thread thread : allocating) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    AllocationEstimate found = busy.allocations(StackDetail.FRAMES).total("direct");
    double allocated = (double) threads * each;
    assertThat(found.buffers())
        .as("%s", found)
        .isCloseTo(allocated, within(STANDARD_ERRORS * found.buffersError()));
    assertThat(busy.allocations(StackDetail.SITE).samples()).isEqualTo((long) threads * each);
    assertThat(busy.watched()).isZero();
  }
}
