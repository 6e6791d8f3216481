/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Native memory that is given up stays mapped for a while, and counts until it is freed. */
class MemoryQuarantineTest {
  private static final int MIB = 1 << 20;
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final int STRESS_REGIONS = 80_000;
  private static final int STRESS_THREADS = 4;

  private final AtomicLong clock =
      new AtomicLong(Long.MAX_VALUE - HOUR_NANOS / 2); // overflows soon
  private final HeapMemorySource regions = new HeapMemorySource();
  private final List<Long> freed = Collections.synchronizedList(new ArrayList<>());

  private MemoryQuarantine resting(long mostBytes, int mostRegions) {
    return new MemoryQuarantine(mostBytes, HOUR_NANOS, mostRegions, clock::get);
  }

  private void rest(MemoryQuarantine resting, int bytes) {
    resting.add(0, bytes, null, (address, rested, handle) -> freed.add(rested));
  }

  @Test
  void aRegionRestsUntilItsTimeIsOver() {
    MemoryQuarantine resting = resting(MIB, 8);
    rest(resting, 10);
    resting.freeDue(); // its time begins
    clock.addAndGet(HOUR_NANOS / 2);
    rest(resting, 20);
    clock.addAndGet(HOUR_NANOS / 2 - 1);
    resting.freeDue();
    assertThat(freed).isEmpty();
    assertThat(resting.quarantinedBytes()).isEqualTo(30);
    clock.addAndGet(1);
    resting.freeDue();
    assertThat(freed).containsExactly(10L);
    clock.addAndGet(HOUR_NANOS);
    resting.freeDue();
    assertThat(freed).containsExactly(10L, 20L);
    assertThat(resting.quarantinedBytes()).isZero();
    assertThat(resting.freedEarly()).isZero();
  }

  @Test
  void noTimeCountsBeforeTheClockWasLookedAt() {
    MemoryQuarantine resting = resting(MIB, 8);
    rest(resting, 10);
    clock.addAndGet(2 * HOUR_NANOS);
    resting.freeDue();
    rest(resting, 20);
    clock.addAndGet(HOUR_NANOS - 1);
    resting.freeDue();
    assertThat(freed).isEmpty();
    clock.addAndGet(1);
    resting.freeDue();
    assertThat(freed).containsExactly(10L);
    clock.addAndGet(HOUR_NANOS - 2);
    resting.freeDue();
    assertThat(freed).containsExactly(10L);
    clock.addAndGet(1);
    resting.freeDue();
    assertThat(freed).containsExactly(10L, 20L);
  }

  @Test
  void whatIsFreedEarlyIsNoLongerWaitedFor() {
    MemoryQuarantine resting = resting(100, 8);
    rest(resting, 60);
    resting.freeDue();
    rest(resting, 70);
    assertThat(freed).containsExactly(60L);
    clock.addAndGet(HOUR_NANOS);
    resting.freeDue();
    assertThat(freed).containsExactly(60L);
    clock.addAndGet(HOUR_NANOS);
    resting.freeDue();
    assertThat(freed).containsExactly(60L, 70L);
  }

  @Test
  void aLargeOneTakesThePlaceOfAllThatCameBefore() {
    int most = 1000;
    MemoryQuarantine resting = resting(MIB, most);
    for (int i = 0; i < most; i++) {
      rest(resting, i + 1);
    }
    assertThat(freed).isEmpty();
    rest(resting, MIB);
    assertThat(resting.quarantinedBytes()).isEqualTo(MIB);
    assertThat(resting.freedEarly()).isEqualTo(most);
    assertThat(freed).hasSize(most);
    for (int i = 0; i < most; i++) {
      assertThat(freed.get(i)).as("freed as number %s", i).isEqualTo(i + 1);
    }
  }

  @Test
  void eachIsFreedOnceWhateverThreadsDo() throws InterruptedException {
    MemoryQuarantine resting = resting(1000, 64);
    AtomicIntegerArray frees = new AtomicIntegerArray(STRESS_REGIONS);
    MemoryQuarantine.Unmapper unmapper =
        (address, bytes, handle) -> frees.incrementAndGet((int) address);
    stress(resting, i -> resting.add(i, i % 40, null, unmapper));
    for (int i = 0; i < frees.length(); i++) {
      assertThat(frees.get(i)).as("frees of region %s", i).isOne();
    }
  }

  /** Adds regions in four threads, which also free those that are due, or all; ends empty. */
  private void stress(MemoryQuarantine quarantine, IntConsumer add) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < STRESS_THREADS; t++) {
      int first = t * STRESS_REGIONS / STRESS_THREADS;
      int end = (t + 1) * STRESS_REGIONS / STRESS_THREADS;
      Thread thread =
          new Thread(
              () -> {
                for (int i = first; i < end; i++) {
                  add.accept(i);
                  if (i % 1000 == 0) {
                    clock.addAndGet(HOUR_NANOS / 2);
                    quarantine.freeDue();
                  } else if (i % 1777 == 0) {
                    quarantine.freeAll();
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    quarantine.freeAll();
    assertThat(quarantine.quarantinedBytes()).isZero();
  }

  @Test
  void theOldestGoesWhereBytesOrRegionsAreTooMany() {
    MemoryQuarantine resting = resting(100, 3);
    rest(resting, 40);
    rest(resting, 30);
    rest(resting, 31);
    assertThat(freed).containsExactly(40L);
    rest(resting, 1);
    rest(resting, 2);
    assertThat(freed).containsExactly(40L, 30L);
    rest(resting, 101); // does not fit at all
    assertThat(freed).containsExactly(40L, 30L, 101L);
    rest(resting, 100);
    assertThat(freed).containsExactly(40L, 30L, 101L, 31L, 1L, 2L);
    assertThat(resting.freedEarly()).isEqualTo(6);
    assertThat(resting.quarantinedBytes()).isEqualTo(100);
    resting.freeAll();
    assertThat(freed).endsWith(100L);
    assertThat(resting.quarantinedBytes()).isZero();
  }

  /** A ring from which so many can be taken out before the heap is full. */
  private static final class FullHeapRing extends RegionRing {
    private int takes = Integer.MAX_VALUE;

    FullHeapRing() {
      super(8);
    }

    @Override
    @Nullable Taken takeFirst() {
      if (takes-- <= 0) {
        throw new OutOfMemoryError("this one is meant to fail");
      }
      return super.takeFirst();
    }
  }

  @Test
  void aFullHeapFailsNoRelease() {
    FullHeapRing ring = new FullHeapRing();
    MemoryQuarantine resting = new MemoryQuarantine(100, HOUR_NANOS, 8, clock::get, ring);
    rest(resting, 10);
    rest(resting, 20);
    rest(resting, 30);
    ring.takes = 1;
    rest(resting, 100);
    assertThat(freed).containsExactly(10L);
    resting.freeAll();
    rest(resting, 40); // cannot take the place of another
    assertThat(freed).containsExactly(10L, 40L);
    assertThat(resting.quarantinedBytes()).isEqualTo(150);
    ring.takes = Integer.MAX_VALUE;
    rest(resting, 50);
    assertThat(freed).containsExactly(10L, 40L, 20L, 30L, 100L);
    assertThat(resting.quarantinedBytes()).isEqualTo(50);
    assertThat(resting.freedEarly()).isEqualTo(5);
  }

  @Test
  void oneThatCannotBeFreedDoesNotKeepTheOthers() {
    MemoryQuarantine resting = resting(MIB, 8);
    resting.add(
        0,
        1,
        null,
        (address, bytes, handle) -> {
          throw new IllegalStateException("this one is meant to fail");
        });
    rest(resting, 2);
    resting.freeAll();
    assertThat(freed).containsExactly(2L);
  }

  @Test
  void aLogThatFailsDoesNotKeepTheOthers() {
    Logger logger = Logger.getLogger(MemoryQuarantine.class.getName());
    FailingHandler handler = new FailingHandler();
    logger.addHandler(handler);
    try {
      oneThatCannotBeFreedDoesNotKeepTheOthers();
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(handler.asked).isEqualTo(1);
  }

  private static final class FailingHandler extends Handler {
    private int asked;

    @Override
    public void publish(LogRecord logged) {
      asked++;
      throw new IllegalStateException("on purpose");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void aThreadFreesThemAndEnds() throws InterruptedException {
    MemoryQuarantine resting =
        new MemoryQuarantine(MIB, TimeUnit.MILLISECONDS.toNanos(20), 8, System::nanoTime);
    for (int round = 1; round <= 2; round++) {
      long start = System.nanoTime();
      rest(resting, 7);
      await(round);
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (resting.isWatched()) {
      assertThat(System.nanoTime()).as("the thread is still there").isLessThan(deadline);
      Thread.sleep(1);
    }
  }

  private void await(int count) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (freed.size() < count) {
      assertThat(System.nanoTime()).as("freed: %s", freed).isLessThan(deadline);
      Thread.sleep(1);
    }
  }

  @Test
  @Tag("A15")
  void freedRegionsStayMappedAndDoNotCount() {
    DirectMemoryLimit limit = new DirectMemoryLimit(3 * MIB);
    DirectMemorySource source = new DirectMemorySource(limit, 0, false);
    for (int bytes : new int[] {4096, 2 * MIB}) {
      Region region = source.allocate(bytes);
      long address = region.address();
      MemoryAccess.putLong(null, address + 8, 42);
      source.free(region);
      assertThat(source.usedBytes()).isZero();
      assertThat(MemoryAccess.getLong(null, address + 8)).as("still mapped").isEqualTo(42);
    }
    Region all = source.allocate(3 * MIB);
    assertThatThrownBy(() -> source.allocate(1)).isInstanceOf(OutOfMemoryError.class);
    source.free(all);
  }

  @Test
  void takesBackTheNewestRegionOfItsSize() {
    MemoryQuarantine quarantine = resting(8 * MIB, 8);
    List<Object> unmapped = new ArrayList<>();
    MemoryQuarantine.Unmapper unmapper = (address, bytes, handle) -> unmapped.add(handle);
    quarantine.add(4096, 100, "old", unmapper);
    quarantine.add(4096 + 8, 100, "unaligned", unmapper);
    quarantine.add(8192, 200, "large", unmapper);
    assertThat(quarantine.takeBack(150, 0, unmapper)).isNull();
    assertThat(quarantine.takeBack(100, 0, (address, bytes, handle) -> {})).isNull();
    assertThat(quarantine.takeBack(100, 4096, unmapper)).isEqualTo("old");
    assertThat(quarantine.takeBack(100, 0, unmapper)).isEqualTo("unaligned");
    assertThat(quarantine.takeBack(100, 0, unmapper)).isNull();
    assertThat(quarantine.quarantinedBytes()).isEqualTo(200);
    quarantine.freeAll();
    assertThat(unmapped).containsExactly("large");
    assertThat(quarantine.freedEarly()).isOne();
  }

  /** Each region is either freed or taken back, by one thread, once. */
  @Test
  void eachIsFreedOrTakenBackOnceWhateverThreadsDo() throws InterruptedException {
    MemoryQuarantine quarantine = resting(1000, 64);
    AtomicIntegerArray ends = new AtomicIntegerArray(STRESS_REGIONS);
    AtomicLong takenBack = new AtomicLong();
    MemoryQuarantine.Unmapper unmapper =
        (address, bytes, handle) -> ends.incrementAndGet((int) address);
    stress(
        quarantine,
        i -> {
          quarantine.add(i, 1 + i % 5, i, unmapper);
          if (i % 2 == 0 && quarantine.takeBack(1 + i % 3, 0, unmapper) instanceof Integer region) {
            ends.incrementAndGet(region);
            takenBack.incrementAndGet();
          }
        });
    assertThat(takenBack.get()).isPositive();
    for (int i = 0; i < ends.length(); i++) {
      assertThat(ends.get(i)).as("ends of region %s", i).isOne();
    }
  }

  @Test
  void regionsThatAreTakenBackDoNotDisplaceOthers() {
    MemoryQuarantine quarantine = resting(8 * MIB, 8);
    List<Object> unmapped = new ArrayList<>();
    MemoryQuarantine.Unmapper unmapper = (address, bytes, handle) -> unmapped.add(handle);
    quarantine.add(4096, 300, "late reader's", unmapper);
    for (int i = 0; i < 1000; i++) {
      if (i == 500) {
        quarantine.freeDue(); // from here on, a time is known for what came before
      }
      quarantine.add(8192, 100, i, unmapper);
      assertThat(quarantine.takeBack(100, 0, unmapper)).isEqualTo(i);
    }
    assertThat(unmapped).isEmpty();
    assertThat(quarantine.freedEarly()).isZero();
    quarantine.freeAll();
    assertThat(unmapped).containsExactly("late reader's");
  }

  @Test
  void whatCannotBeFreedInAFullHeapIsFreedLater() {
    List<Object> unmapped = new ArrayList<>();
    AtomicLong failures = new AtomicLong(3);
    MemoryQuarantine.Unmapper unmapper =
        (address, bytes, handle) -> {
          if (failures.getAndDecrement() > 0) {
            throw new OutOfMemoryError("this one is meant to fail");
          }
          unmapped.add(handle);
        };
    MemoryQuarantine quarantine = resting(MIB, 8);
    quarantine.add(0, 100, "kept", unmapper);
    quarantine.add(0, 2 * MIB, "too large", unmapper);
    assertThat(unmapped).isEmpty();
    quarantine.freeAll();
    quarantine.freeAll();
    quarantine.freeAll();
    assertThat(unmapped).containsExactlyInAnyOrder("kept", "too large");
    assertThat(quarantine.quarantinedBytes()).isZero();
  }

  @Test
  void memoryAtAnAddressRestsToo() {
    MemoryQuarantine shared = MemoryQuarantine.shared();
    shared.freeAll();
    Region given = GivenMemory.at(MemoryAccess.allocate(MIB), MIB);
    GivenMemory source = new GivenMemory(given, true, regions);
    source.free(given);
    assertThat(shared.quarantinedBytes()).isGreaterThanOrEqualTo(MIB);
  }
}
