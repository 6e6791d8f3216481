/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static dev.cistern.bridge.WovenNetty.allocate;
import static dev.cistern.bridge.WovenNetty.release;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveSite;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.netty.pool.NettyLeakDetector;
import dev.cistern.testing.GarbageCollection;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CisternObserver;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The observation of Netty's own buffers. The tests make the calls of the instrumented code. */
@ExtendWith(BridgeDefaults.class)
class ObservationTest {
  private static final int INTERVAL_BYTES = 4 << 10;

  /** Size of the leaked buffers. No other test leaks buffers of this size. */
  private static final int FLIPPED_BYTES = 3_001;

  /**
   * The allocator of all tests. Threads keep an allocator that they have used, and only 64 are
   * listed.
   */
  private static final PooledByteBufAllocator POOLED = new PooledByteBufAllocator(true);

  private static final AdaptiveByteBufAllocator ADAPTIVE = new AdaptiveByteBufAllocator();

  private final Level levelBefore = ResourceLeakDetector.getLevel();
  private final int watchedBefore = NettyLeakDetector.DETECTOR.watched();

  @BeforeEach
  void observe() {
    ResourceLeakDetector.setLevel(Level.SIMPLE);
    Countdowns.intervalBytes(INTERVAL_BYTES);
    Observation.turn(true);
  }

  @AfterEach
  void stop() {
    Observation.turn(false);
    ResourceLeakDetector.setLevel(levelBefore);
    assertThat(NettyObserver.SAMPLED.size()).isZero();
  }

  /**
   * Runs an action in a new thread. It samples with the interval in force, and takes up to 500
   * samples before it raises its own interval.
   */
  private static void inNewThread(Runnable use) throws InterruptedException {
    AtomicReference<Throwable> failed = new AtomicReference<>();
    Thread thread = new FastThreadLocalThread(use);
    thread.setUncaughtExceptionHandler((of, failure) -> failed.set(failure));
    thread.start();
    thread.join();
    assertThat(failed.get()).isNull();
  }

  private static LiveEstimate live(String method) {
    LiveEstimate sum = LiveEstimate.NOTHING;
    for (LiveSite site : NettyLeakDetector.live(StackDetail.FRAMES).sites()) {
      if (site.site().contains("ObservationTest." + method + ':')) {
        sum = sum.plus(site.live());
      }
    }
    return sum;
  }

  private void keepSmall(List<ByteBuf> held, int times) {
    for (int i = 0; i < times; i++) {
      held.add(allocate(POOLED, 100));
      release(allocate(POOLED, 1_000));
    }
  }

  private void keepLarge(List<ByteBuf> held, int times) {
    for (int i = 0; i < times; i++) {
      held.add(allocate(ADAPTIVE, 9_000));
      release(allocate(ADAPTIVE, 100));
    }
  }

  /** Compares with a tolerance of six standard errors, because the error is an estimate as well. */
  private static void assertNear(LiveEstimate estimate, double bytes) {
    assertThat(estimate.samples()).isGreaterThan(20);
    assertThat(estimate.bytes()).isCloseTo(bytes, within(6 * estimate.bytesError()));
    assertThat(estimate.bytesError()).isLessThan(bytes / 4);
  }

  @Test
  void liveBuffersAreEstimatedBySite() throws InterruptedException {
    List<ByteBuf> small = new ArrayList<>();
    List<ByteBuf> large = new ArrayList<>();
    for (int round = 0; round < 20; round++) {
      inNewThread(() -> keepSmall(small, 1_000));
      inNewThread(() -> keepLarge(large, 50));
    }
    assertNear(live("keepSmall"), 20_000 * 100.0);
    assertNear(live("keepLarge"), 1_000 * 9_000.0);
    small.subList(0, 10_000).forEach(WovenNetty::release);
    assertNear(live("keepSmall"), 10_000 * 100.0);
    small.subList(10_000, 20_000).forEach(WovenNetty::release);
    large.forEach(WovenNetty::release);
    assertThat(live("keepSmall").samples() + live("keepLarge").samples()).isZero();
    assertThat(NettyLeakDetector.DETECTOR.watched())
        .isLessThanOrEqualTo(watchedBefore); // other tests may end theirs
  }

  private static long lifetimes() {
    return NettyLeakDetector.lifetimes().stream()
        .flatMap(report -> report.samples().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  @Test
  void aLifetimeEndsAtDeallocation() throws InterruptedException {
    List<ByteBuf> held = new ArrayList<>();
    inNewThread(() -> keepSmall(held, 1_000));
    long live = NettyObserver.SAMPLED.size();
    long before = lifetimes();
    held.forEach(WovenNetty::release);
    assertThat(lifetimes() - before).isEqualTo(live).isPositive();
  }

  @Test
  void anEntryEndsAtDeallocationOfAReusedObject() {
    for (int i = 0; i < 100_000; i++) {
      ByteBuf buffer = allocate(POOLED, 2_000); // the same object each time
      release(buffer);
    }
    assertThat(NettyObserver.SAMPLED.size()).isZero();
    assertThat(NettyLeakDetector.DETECTOR.watched())
        .isLessThanOrEqualTo(watchedBefore); // other tests may end theirs
  }

  @Test
  void aBufferMayEndInAnotherThread() throws InterruptedException {
    for (int round = 0; round < 20; round++) {
      List<ByteBuf> made = new ArrayList<>();
      inNewThread(
          () -> {
            for (int i = 0; i < 500; i++) {
              made.add(allocate(i % 2 == 0 ? POOLED : ADAPTIVE, 3_000));
            }
          });
      assertThat(NettyObserver.SAMPLED.size()).isPositive();
      made.forEach(WovenNetty::release);
      assertThat(NettyObserver.SAMPLED.size()).isZero();
    }
  }

  private void drop(int times, int bytes) {
    for (int i = 0; i < times; i++) {
      ByteBuf unused = allocate(POOLED, bytes);
    }
  }

  private static long leakedBytes(int requestedBytes) {
    return NettyLeakDetector.report(StackDetail.FRAMES).entries().stream()
        .filter(entry -> entry.latest().requestedBytes() == requestedBytes)
        .mapToLong(entry -> entry.bytes())
        .sum();
  }

  @Test
  void aBufferThatIsNeverReleasedIsALeakWithItsBytes() throws InterruptedException {
    int size = 1_301;
    long before = leakedBytes(size);
    for (int round = 0; round < 5; round++) {
      inNewThread(() -> drop(1_000, size));
    }
    GarbageCollection.untilAsserted(
        () -> {
          Observation.refresh();
          int unused = NettyLeakDetector.DETECTOR.tick();
          // about 1,400 samples
          double leaked = leakedBytes(size) - before;
          assertThat(leaked / size / 5_000).isBetween(0.8, 1.2);
        });
    assertThat(live("drop").bytes()).isPositive(); // the slots are lost
  }

  private static void keepMany(List<ByteBuf> held, AbstractByteBufAllocator allocator) {
    for (int i = 0; i < 500; i++) {
      held.add(allocate(allocator, 4_000));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SIMPLE", "ADVANCED", "PARANOID"})
  void aLeakAwareWrapperIsLookedThrough(String level) throws InterruptedException {
    ResourceLeakDetector.setLevel(Level.valueOf(level));
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 0; i < 5; i++) { // Netty wraps one in 128
      inNewThread(() -> keepMany(held, POOLED));
    }
    boolean isParanoid = level.equals("PARANOID");
    assertThat(held).anyMatch(buffer -> buffer.unwrap() != null);
    assertThat(NettyObserver.SAMPLED.size()).isBetween(isParanoid ? 2_500 : 1_000, 2_500);
    held.forEach(WovenNetty::release);
    assertThat(NettyObserver.SAMPLED.size()).isZero();
  }

  @Test
  void buffersWhoseEndIsNotReportedAreNotSampled() throws InterruptedException {
    List<ByteBuf> held = new ArrayList<>();
    inNewThread(() -> keepMany(held, new UnpooledByteBufAllocator(true)));
    assertThat(NettyObserver.SAMPLED.size()).isZero();
    held.forEach(ByteBuf::release);
  }

  @Test
  void allocatorsAreSeenWithTheirFirstBuffer() {
    PooledByteBufAllocator other = new PooledByteBufAllocator(true);
    release(allocate(other, 16));
    assertThat(KnownAllocators.list()).contains(other);
  }

  /** An observer whose methods all fail, including the one that receives failures. */
  private static final class Failing extends CisternObserver {
    @Override
    protected void count(ByteBuf buffer, AbstractByteBufAllocator allocator, int bytes) {
      throw new StackOverflowError("injected");
    }

    @Override
    protected void end(AbstractReferenceCountedByteBuf buffer) {
      throw new IllegalStateException("injected");
    }

    @Override
    protected void failed(Throwable failure) {
      throw new OutOfMemoryError("injected");
    }
  }

  @Test
  void anyFailureLeavesTheHostItsBuffer() {
    CisternObserver working = CisternObserver.watching();
    CisternObserver.watching(new Failing());
    ByteBuf buffer = allocate(POOLED, 100);
    assertThat(buffer.capacity()).isEqualTo(100);
    release(buffer);
    CisternObserver.watching(working);
  }

  @Test
  void samplesAreForgottenWhenObservationIsTurnedOff() throws InterruptedException {
    List<ByteBuf> held = new ArrayList<>();
    inNewThread(() -> keepSmall(held, 1_000));
    assertThat(NettyObserver.SAMPLED.size()).isPositive();
    long lifetimes = lifetimes();
    Observation.turn(false);
    assertThat(lifetimes()).isEqualTo(lifetimes); // the buffers are still live
    assertThat(NettyObserver.SAMPLED.size()).isZero();
    assertThat(NettyLeakDetector.DETECTOR.watched())
        .isLessThanOrEqualTo(watchedBefore); // other tests may end theirs
    assertThat(live("keepSmall").samples()).isZero();
    held.forEach(WovenNetty::release);
  }

  @Test
  void aThousandFlipsLeaveNothing() throws InterruptedException {
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicLong failures = new AtomicLong();
    List<Thread> users = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      users.add(new FastThreadLocalThread(() -> use(isOver, failures)));
    }
    users.forEach(Thread::start);
    for (int flip = 0; flip < 1_000; flip++) {
      Observation.turn(flip % 2 == 0);
      release(allocate(POOLED, FLIPPED_BYTES));
    }
    isOver.set(true);
    for (Thread user : users) {
      user.join();
    }
    System.gc();
    int unused = NettyLeakDetector.DETECTOR.tick();
    assertThat(failures).hasValue(0);
    assertThat(NettyObserver.SAMPLED.size()).isZero();
    assertThat(NettyObserver.SAMPLED.filter()).containsOnly(0);
    assertThat(NettyLeakDetector.DETECTOR.watched())
        .isLessThanOrEqualTo(watchedBefore); // other tests may end theirs
    assertThat(leakedBytes(FLIPPED_BYTES)).isZero();
  }

  private void use(AtomicBoolean isOver, AtomicLong failures) {
    List<ByteBuf> held = new ArrayList<>();
    try {
      while (!isOver.get()) {
        for (int i = 0; i < 50; i++) {
          held.add(allocate(i % 2 == 0 ? POOLED : ADAPTIVE, FLIPPED_BYTES));
        }
        held.forEach(WovenNetty::release);
        held.clear();
      }
    } catch (RuntimeException failure) {
      failures.incrementAndGet();
    }
  }
}
