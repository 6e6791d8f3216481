/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.fixture.FailingHandler;
import dev.cistern.fixture.OwnJvm;
import dev.cistern.testing.DeepStack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that released native memory stays mapped for a while, and does not count as in use. */
class MemoryQuarantineTest {
  private static final int MIB = 1 << 20;
  private static final int HOUR_MILLIS = 3_600_000;
  private static final int STRESS_REGIONS = 80_000;
  private static final int STRESS_THREADS = 4;

  private final List<Long> freed = Collections.synchronizedList(new ArrayList<>());

  /** Memory that runs an action when it is freed. */
  private static final class Memory extends MappedMemory {
    private final Runnable onFree;

    Memory(long address, long bytes, Runnable onFree) {
      super(address, bytes);
      this.onFree = onFree;
    }

    @Override
    protected boolean tryFree() {
      onFree.run();
      return true;
    }
  }

  /** Returns a quarantine from which time alone never frees memory. */
  private static MemoryQuarantine quarantine(long maxBytes) {
    return new MemoryQuarantine(maxBytes, HOUR_MILLIS);
  }

  private void add(MemoryQuarantine quarantine, long bytes) {
    quarantine.add(new Memory(0, bytes, () -> freed.add(bytes)));
  }

  private static void endPauses(MemoryQuarantine quarantine, int pauses) {
    for (int i = 0; i < pauses; i++) {
      quarantine.endPause();
    }
  }

  @Test
  void memoryStaysUntilItsTimeIsOver() {
    MemoryQuarantine quarantine = quarantine(MIB);
    add(quarantine, 100);
    endPauses(quarantine, 2);
    add(quarantine, 200);
    endPauses(quarantine, MemoryQuarantine.PAUSES - 2);
    assertThat(freed).isEmpty();
    assertThat(quarantine.quarantinedBytes()).isEqualTo(300);
    endPauses(quarantine, 1); // the first pause began before the memory was added
    assertThat(freed).containsExactly(100L);
    endPauses(quarantine, 2);
    assertThat(freed).containsExactly(100L, 200L);
    assertThat(quarantine.quarantinedBytes()).isZero();
  }

  @Test
  void memoryThatIsFreedEarlyIsFreedOnce() {
    MemoryQuarantine quarantine = quarantine(100);
    add(quarantine, 60);
    endPauses(quarantine, 1);
    add(quarantine, 70);
    assertThat(freed).containsExactly(60L);
    endPauses(quarantine, MemoryQuarantine.PAUSES);
    assertThat(freed).containsExactly(60L);
    endPauses(quarantine, 1);
    assertThat(freed).containsExactly(60L, 70L);
  }

  @Test
  void largeMemoryTakesThePlaceOfAllThatWasAddedBefore() {
    int number = 1000;
    MemoryQuarantine quarantine = quarantine(MIB);
    for (int i = 0; i < number; i++) {
      add(quarantine, i + 1);
    }
    assertThat(freed).isEmpty();
    add(quarantine, MIB);
    assertThat(quarantine.quarantinedBytes()).isEqualTo(MIB);
    assertThat(freed).hasSize(number);
    for (int i = 0; i < number; i++) {
      assertThat(freed.get(i)).as("freed as number %s", i).isEqualTo(i + 1);
    }
  }

  @Test
  void theNumberOfSmallRegionsIsBounded() {
    MemoryQuarantine quarantine = quarantine(64L * MIB);
    for (int i = 0; i < 65_536; i++) {
      add(quarantine, i % 3);
    }
    assertThat(freed).isEmpty();
    add(quarantine, 2);
    add(quarantine, 2);
    assertThat(freed).containsExactly(0L, 1L);
  }

  @Test
  void eachIsFreedOnceUnderConcurrency() throws InterruptedException {
    MemoryQuarantine quarantine = quarantine(1000);
    AtomicIntegerArray frees = new AtomicIntegerArray(STRESS_REGIONS);
    stress(quarantine, i -> quarantine.add(new Memory(i, i % 40, () -> frees.incrementAndGet(i))));
    for (int i = 0; i < frees.length(); i++) {
      assertThat(frees.get(i)).as("frees of region %s", i).isOne();
    }
  }

  /**
   * Adds regions in four threads, which also free regions that are due, or all; at the end, the
   * quarantine is empty.
   */
  private static void stress(MemoryQuarantine quarantine, IntConsumer add)
      throws InterruptedException {
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
                    quarantine.endPause();
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
  void theOldestIsFreedIfThereAreTooManyBytes() {
    MemoryQuarantine quarantine = quarantine(100);
    add(quarantine, 40);
    add(quarantine, 30);
    add(quarantine, 31);
    assertThat(freed).containsExactly(40L);
    add(quarantine, 101); // larger than the quarantine
    assertThat(freed).containsExactly(40L, 101L);
    add(quarantine, 100);
    assertThat(freed).containsExactly(40L, 101L, 30L, 31L);
    assertThat(quarantine.quarantinedBytes()).isEqualTo(100);
    quarantine.freeAll();
    assertThat(freed).endsWith(100L);
    assertThat(quarantine.quarantinedBytes()).isZero();
  }

  @Test
  void aFailingFreeDoesNotPreventFurtherFrees() {
    MemoryQuarantine quarantine = quarantine(MIB);
    quarantine.add(
        new Memory(
            0,
            1,
            () -> {
              throw new IllegalStateException("this one is meant to fail");
            }));
    add(quarantine, 2);
    quarantine.freeAll();
    assertThat(freed).containsExactly(2L);
  }

  @Test
  void aFailingLogDoesNotPreventFurtherFrees() {
    FailingHandler handler = new FailingHandler(MemoryQuarantine.class);
    try {
      aFailingFreeDoesNotPreventFurtherFrees();
    } finally {
      handler.close();
    }
    assertThat(handler.records()).isEqualTo(1);
  }

  @Test
  void aThreadFreesThemAndEnds() throws InterruptedException {
    MemoryQuarantine quarantine = new MemoryQuarantine(MIB, 20);
    for (int round = 1; round <= 2; round++) {
      long start = System.nanoTime();
      add(quarantine, 7);
      await(round);
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (quarantine.isWatched()) {
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

  private static Memory named(long address, long bytes, String name, List<Object> unmapped) {
    return new Memory(address, bytes, () -> unmapped.add(name));
  }

  @Test
  void takesBackTheNewestMemoryOfItsSize() {
    MemoryQuarantine quarantine = quarantine(8 * MIB);
    List<Object> unmapped = new ArrayList<>();
    Memory old = named(4096, 1000, "old", unmapped);
    Memory unaligned = named(4096 + 8, 1000, "unaligned", unmapped);
    quarantine.add(old);
    quarantine.add(unaligned);
    quarantine.add(named(8192, 2000, "large", unmapped));
    assertThat(quarantine.takeBack(Memory.class, 1500, 0)).isNull();
    assertThat(quarantine.takeBack(NativeMemory.Block.class, 1000, 0)).isNull();
    assertThat(quarantine.takeBack(Memory.class, 1000, 4096)).isSameAs(old);
    assertThat(quarantine.takeBack(Memory.class, 1000, 0)).isSameAs(unaligned);
    assertThat(quarantine.takeBack(Memory.class, 1000, 0)).isNull();
    assertThat(quarantine.quarantinedBytes()).isEqualTo(2000);
    quarantine.freeAll();
    assertThat(unmapped).containsExactly("large");
  }

  /** Tests that exactly one thread frees or takes back each region, once. */
  @Test
  void eachIsFreedOrTakenBackOnceUnderConcurrency() throws InterruptedException {
    MemoryQuarantine quarantine = quarantine(1000);
    AtomicIntegerArray ends = new AtomicIntegerArray(STRESS_REGIONS);
    AtomicLong takenBack = new AtomicLong();
    stress(
        quarantine,
        i -> {
          quarantine.add(new Memory(i, 1 + i % 5, () -> ends.incrementAndGet(i)));
          Memory back = i % 2 == 0 ? quarantine.takeBack(Memory.class, 1 + i % 3, 0) : null;
          if (back != null) {
            back.onFree.run();
            takenBack.incrementAndGet();
          }
        });
    assertThat(takenBack.get()).isPositive();
    for (int i = 0; i < ends.length(); i++) {
      assertThat(ends.get(i)).as("ends of region %s", i).isOne();
    }
  }

  @Test
  void regionsThatAreTakenBackDoNotDisplaceOtherRegions() {
    MemoryQuarantine quarantine = quarantine(MIB);
    List<Object> unmapped = new ArrayList<>();
    quarantine.add(named(4096, 300, "late reader's", unmapped));
    Memory memory = named(8192, MIB - 300, "used again", unmapped);
    for (int i = 0; i < 1000; i++) {
      quarantine.add(memory);
      assertThat(quarantine.takeBack(Memory.class, MIB - 300, 0)).isSameAs(memory);
    }
    assertThat(unmapped).isEmpty();
    quarantine.freeAll();
    assertThat(unmapped).containsExactly("late reader's");
  }

  @Test
  void memoryThatCannotBeFreedInAFullHeapIsFreedLater() {
    List<Object> unmapped = new ArrayList<>();
    AtomicLong failures = new AtomicLong(3);
    MemoryQuarantine quarantine = quarantine(MIB);
    for (int bytes : new int[] {100, 2 * MIB}) {
      quarantine.add(
          new Memory(
              0,
              bytes,
              () -> {
                if (failures.getAndDecrement() > 0) {
                  throw new OutOfMemoryError("this one is meant to fail");
                }
                unmapped.add(bytes);
              }));
    }
    assertThat(unmapped).isEmpty();
    quarantine.freeAll();
    quarantine.freeAll();
    quarantine.freeAll();
    assertThat(unmapped).containsExactlyInAnyOrder(100, 2 * MIB);
    assertThat(quarantine.quarantinedBytes()).isZero();
  }

  @Test
  void memoryInUseIsFreedLater() {
    MemoryQuarantine quarantine = quarantine(MIB);
    AtomicLong tries = new AtomicLong();
    quarantine.add(
        new MappedMemory(0, 100) {
          @Override
          protected boolean tryFree() {
            return tries.incrementAndGet() > 2;
          }
        });
    add(quarantine, 200);
    quarantine.freeAll();
    assertThat(freed).containsExactly(200L);
    assertThat(quarantine.quarantinedBytes()).isEqualTo(100);
    endPauses(quarantine, MemoryQuarantine.PAUSES + 1);
    endPauses(quarantine, MemoryQuarantine.PAUSES + 1);
    assertThat(tries).hasValue(3);
    assertThat(quarantine.quarantinedBytes()).isZero();
  }

  @Test
  void memoryThatCannotBeAddedAtTheEndOfTheStackIsFreed() throws IOException, InterruptedException {
    String output =
        OwnJvm.of(StackEndOfMemoryQuarantine.class)
            .with(DeepStack.class)
            .with("-Xint", "-XX:+UseSerialGC")
            .run();
    System.out.println(output);
  }
}
