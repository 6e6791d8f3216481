/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.stats.ArenaStat;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.testing.TestLength;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The engine under threads that start and end, release each other's slots, grow, trim, sleep and
 * retire caches, while memory is refused and a thread ticks the pool. No byte has two holders,
 * nothing is lost, and every counter matches the operations of the threads. Takes 4 seconds in all,
 * 20 with {@code -Pfull}, 5 minutes with {@code -Plong}; {@code -Dcistern.seed} repeats a seed.
 */
@Tag("A5")
@Tag("A7")
@Tag("A8")
@Tag("A10")
@Tag("F2")
@Tag("virtual-threads")
class PoolStressTest {
  private static final long ALL_VARIANTS_NANOS =
      TimeUnit.SECONDS.toNanos(TestLength.choose(4, 20, 300));
  private static final int CHUNK_BYTES = 4 << 20;

  /** Has no subpages of slots of 32 KiB and more. */
  private static final int SMALL_CHUNK_BYTES = 1 << 20;

  private static final int MIN_SAMPLES_FOR_ESTIMATE = 1000;

  private final BlockBinder binder = new BlockBinder();

  private record Variant(
      MemoryKind kind, boolean threadCaches, int platform, int virtual, boolean refuses) {}

  private static List<Variant> variants() {
    List<Variant> variants = new ArrayList<>();
    variants.add(new Variant(MemoryKind.DIRECT, true, 4, 0, false));
    variants.add(new Variant(MemoryKind.HEAP, true, 4, 0, true));
    variants.add(new Variant(MemoryKind.DIRECT, false, 4, 0, true));
    variants.add(new Variant(MemoryKind.HEAP, false, 4, 0, false));
    if (Runtime.version().feature() >= 21) {
      variants.add(new Variant(MemoryKind.DIRECT, true, 2, 20, false));
    }
    return variants;
  }

  @ParameterizedTest
  @MethodSource("variants")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void noByteHasTwoHoldersAndTheCountersAddUp(Variant variant) throws Exception {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    String name = "-Dcistern.seed=" + seed + ", " + variant;
    System.out.println(name);
    try {
      stress(variant, seed, name);
    } catch (AssertionError failed) {
      throw new AssertionError(name + ": " + failed.getMessage(), failed);
    }
  }

  private void stress(Variant variant, long seed, String name) throws Exception {
    WatchedSource source = new WatchedSource(source(variant.kind()));
    BufferPool pool =
        BufferPool.builder(variant.kind(), source, binder)
            .arenas(2)
            .chunkBytes(variant.refuses() ? SMALL_CHUNK_BYTES : CHUNK_BYTES)
            .threadCaches(variant.threadCaches())
            .sharedCaches(3)
            .trimIntervalAllocations(1024)
            .extentCacheBytes(8L << 20)
            .decayMillis(20)
            .idleCacheMillis(2)
            .sampleIntervalBytes(256 << 10)
            .maintenanceThread(false)
            .build();
    if (variant.refuses()) {
      // One call in four: sometimes both the first try and the one after the reclaim.
      source.refuse(call -> new SplittableRandom(seed + call).nextInt(4) == 0);
    }
    StressRun run = new StressRun(pool, source, seed, variant.platform(), variant.virtual());
    run.run(
        ALL_VARIANTS_NANOS / variants().size(),
        () -> missing(variant, run, pool.snapshot()).isEmpty());

    checkItWasStress(variant, run, pool.snapshot(), name);
    checkSamples(run, pool.snapshot());
    PoolInvariants.check(pool);
    assertThat(pool.snapshot().pinnedBytes()).as("pinned").isZero();
    pool.close();
    await("every region back")
        .atMost(30, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              pool.tick();
              assertThat(source.regions()).isZero();
            });
    assertThat(source.usedBytes()).isZero();
    PoolInvariants.check(pool);
  }

  private static MemorySource source(MemoryKind kind) {
    return kind == MemoryKind.HEAP
        ? new HeapMemorySource()
        : new DirectMemorySource(new DirectMemoryLimit(1L << 30), 0, false);
  }

  /** Fails if the run did not exercise everything: then it would prove nothing. */
  private static void checkItWasStress(
      Variant variant, StressRun run, PoolSnapshot snapshot, String name) {
    System.out.println(
        name
            + ": "
            + run.model.allocations()
            + " allocations, "
            + snapshot.remoteReleases()
            + " remote releases, "
            + run.model.refusals()
            + " refusals, "
            + run.threadsStarted
            + " threads, "
            + run.rests
            + " rests, "
            + run.ticks
            + " ticks, "
            + snapshot.sum(ArenaStat.CHUNK_ALLOCATIONS)
            + " chunks, "
            + snapshot.get(PoolStat.THREAD_CACHES_REVOKED)
            + " caches revoked");
    assertThat(missing(variant, run, snapshot)).as("not exercised").isEmpty();
    assertThat(run.model.refusals() > 0).as("refusals").isEqualTo(variant.refuses());
  }

  /** Returns the operations that the run has not yet exercised. */
  private static List<String> missing(Variant variant, StressRun run, PoolSnapshot snapshot) {
    boolean revokes = variant.threadCaches() && QuiescenceCheck.PROVABLE;
    int threads = variant.platform() + variant.virtual();
    Map<String, Boolean> done = new LinkedHashMap<>();
    done.put("every size class", run.model.unusedClasses() == 0);
    done.put("huge allocations", run.model.hugeAllocations() > 0);
    done.put("refusals", run.model.refusals() > 0 || !variant.refuses());
    done.put("remote releases", snapshot.remoteReleases() > 0);
    done.put("revoked caches", snapshot.get(PoolStat.THREAD_CACHES_REVOKED) > 0 || !revokes);
    done.put("more threads than run at a time", run.threadsStarted > threads);
    done.put("4 checks at rest", run.rests > 3);
    done.put("more than 10 ticks", run.ticks.get() > 10);
    return done.entrySet().stream().filter(e -> !e.getValue()).map(Map.Entry::getKey).toList();
  }

  private void checkSamples(StressRun run, PoolSnapshot snapshot) {
    long samples = binder.samples.sum();
    assertThat(samples).as("samples").isPositive().isEqualTo(snapshot.get(PoolStat.SAMPLES));
    if (samples >= MIN_SAMPLES_FOR_ESTIMATE) {
      // An unbiased estimate with adapting intervals.
      assertThat((double) binder.sampledWeightBytes.sum())
          .as("weight of %d samples", samples)
          .isCloseTo((double) run.model.requestedBytes(), withinPercentage(40));
    }
  }
}
