/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.stats.SizeGroup;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Thread caches that are made and retired while a snapshot reads them. At each step of the reader
 * another thread makes a change, and the reader continues only after that.
 */
@Tag("F2")
class SnapshotBesideCachesTest {
  private static final int BYTES = 100;

  /** Two caches of threads and two shared caches are read twice, except one that is retired. */
  private static final int MIN_STEPS = 7;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private final BufferPool pool = under.open(settings -> settings.arenas(2).sharedCaches(2));
  private int stepsReached;

  private interface Action {
    void run() throws Exception;
  }

  /** Takes a snapshot, with {@code action} before the read of one of the caches. */
  private PoolSnapshot snapshotWith(int step, Action action) {
    stepsReached = 0;
    return pool.report.snapshot(
        new SnapshotBuilder(pool.layout) {
          private void step() {
            if (stepsReached++ == step) {
              try {
                action.run();
              } catch (Exception failed) {
                throw new AssertionError("step " + step, failed);
              }
            }
          }

          @Override
          void addReleases(CacheCounters cache) {
            step();
            super.addReleases(cache);
          }

          @Override
          void addAllocations(CacheCounters cache) {
            step();
            super.addAllocations(cache);
          }
        });
  }

  private Block take() {
    return under.allocate(pool, BYTES);
  }

  private Worker workerWithCache() throws Exception {
    Worker worker = under.thread();
    worker.run(
        () -> {
          under.release(take());
          under.release(take());
          take();
        });
    return worker;
  }

  /** Each worker allocated three times and released twice. */
  private void assertCounted(PoolSnapshot snapshot, int workers, String when) {
    assertThat(snapshot.allocations(SizeGroup.SMALL)).as(when).isEqualTo(3L * workers);
    assertThat(snapshot.deallocations(SizeGroup.SMALL)).as(when).isEqualTo(2L * workers);
    assertThat(snapshot.threadCacheRequests()).as(when).isEqualTo(3L * workers);
    assertThat(snapshot.get(PoolStat.REQUESTED_BYTES_TOTAL))
        .as(when)
        .isEqualTo(3L * workers * BYTES);
    assertThat(snapshot.pinnedBytes()).as(when).isEqualTo((long) workers * pool.usableBytes(BYTES));
    assertThat(snapshot.arenaPinnedBytes(0) + snapshot.arenaPinnedBytes(1))
        .as(when)
        .isEqualTo(snapshot.pinnedBytes());
  }

  @Test
  void aCacheRetiredMeanwhileIsCountedOnce() throws Exception {
    for (int step = 0; step < MIN_STEPS; step++) {
      Worker leaving = workerWithCache();
      Worker staying = workerWithCache();
      int workers = 2 * (step + 1);
      PoolSnapshot during = snapshotWith(step, () -> leaving.run(this::giveUpCache));
      assertThat(stepsReached).isGreaterThan(step);
      assertCounted(during, workers, "during step " + step);
      PoolSnapshot after = PoolUnderTest.check(pool);
      assertCounted(after, workers, "after step " + step);
      assertThat(after.get(PoolStat.THREAD_CACHES)).isOne();
      assertThat(after.get(PoolStat.THREAD_CACHES_GIVEN_UP)).isEqualTo(workers - 1);
      staying.run(this::giveUpCache);
    }
  }

  private void giveUpCache() {
    assertThat(pool.freeCurrentThreadCache()).isTrue();
  }

  @Test
  void aThreadGetsItsCacheWhileCachesAreRead() throws Exception {
    workerWithCache();
    workerWithCache();
    int workers = 2;
    for (int step = 0; step < MIN_STEPS; step++) {
      PoolSnapshot during = snapshotWith(step, this::workerWithCache);
      assertThat(stepsReached).isGreaterThan(step);
      workers++;
      assertThat(during.allocations(SizeGroup.SMALL)).isBetween(3L * workers - 3, 3L * workers);
      assertCounted(pool.snapshot(), workers, "after step " + step);
    }
  }

  @Test
  void aReleaseThatIsSeenHasItsAllocationSeenEvenInACacheMadeMeanwhile() throws Exception {
    Worker releasing = workerWithCache();
    workerWithCache();
    for (int step = 0; step < MIN_STEPS; step++) {
      Block[] passed = new Block[1];
      PoolSnapshot during =
          snapshotWith(
              step,
              () -> {
                Worker made = under.thread();
                made.run(() -> passed[0] = take());
                releasing.run(() -> under.release(passed[0]));
                made.run(pool::freeCurrentThreadCache);
              });
      assertThat(stepsReached).isGreaterThan(step);
      for (SizeGroup group : SizeGroup.values()) {
        assertThat(during.deallocations(group))
            .as("step " + step)
            .isLessThanOrEqualTo(during.allocations(group));
      }
      assertThat(during.get(PoolStat.THREAD_CACHE_HITS))
          .isLessThanOrEqualTo(during.threadCacheRequests());
      PoolUnderTest.check(pool);
    }
  }
}
