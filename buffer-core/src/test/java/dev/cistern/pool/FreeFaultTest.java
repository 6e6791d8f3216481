/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.stats.PoolSnapshot;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The memory source fails while it frees regions. A release counts that and throws nothing, and any
 * other caller gets the error. No memory and no count of a release is lost. A run is as large as a
 * chunk here, so that all freed runs but the first go to the source.
 */
@Tag("F2")
class FreeFaultTest {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int RUNS = 5;
  private static final int HUGE_BYTES = 3 << 20;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private final Worker owner = under.thread();
  private int failures;

  private BufferPool open(long idleBytes) {
    return under.open(
        settings ->
            settings
                .chunkBytes(CHUNK_BYTES)
                .idleBytesPerThread(idleBytes)
                .idleCacheMillis(0)
                .decayMillis(0));
  }

  private List<Block> ownersRuns(BufferPool pool, int count) throws Exception {
    return owner.call(() -> under.allocate(pool, CHUNK_BYTES, count));
  }

  /** The free of each region fails. */
  private void failing(ThrowingCallable task) {
    under.source.onFree =
        () -> {
          failures++;
          throw new IllegalStateException("the source fails for the test");
        };
    try {
      assertThatThrownBy(task).hasMessageContaining("the source fails for the test");
    } finally {
      under.source.onFree = () -> {};
    }
  }

  /** No release throws, and each is counted, although the free of regions fails. */
  private void releaseFailing(BufferPool pool, List<Block> blocks) {
    Block spare = blocks.get(0);
    under.release(spare); // its chunk is kept
    under.source.onFree =
        () -> {
          failures++;
          throw new IllegalStateException("the source fails for the test");
        };
    blocks.subList(1, blocks.size()).forEach(under::release);
    under.source.onFree = () -> {};
    assertThat(failures).isEqualTo(blocks.size() - 1);
    assertThat(pool.releaseFailures()).isEqualTo(failures);
    PoolSnapshot snapshot = PoolUnderTest.check(pool);
    assertThat(snapshot.pinnedBytes()).isZero();
    assertThat(snapshot.remoteReleases()).isEqualTo(blocks.size());
    assertThat(snapshot.reservedBytes()).isEqualTo(CHUNK_BYTES);
  }

  @Test
  void aTickFreesEachRunThatWasReleasedRemotely() throws Exception {
    BufferPool pool = open(64L << 20);
    under.release(ownersRuns(pool, RUNS));
    failing(pool::tick);
    assertThat(failures).isEqualTo(RUNS - 1);
    pool.tick();
    assertThat(PoolUnderTest.check(pool).reservedBytes()).isZero();
    assertThat(under.source.regions()).isZero();
  }

  @Test
  void aTickFreesEachExtent() {
    BufferPool pool = open(0);
    under.release(under.allocate(pool, HUGE_BYTES, RUNS));
    failing(pool::tick);
    assertThat(failures).isEqualTo(RUNS);
    assertThat(PoolUnderTest.check(pool).reservedBytes()).isZero();
    assertThat(under.source.regions()).isZero();
  }

  @Test
  void aRunThatIsTooMuchForItsOwnerCountsAsReleased() throws Exception {
    BufferPool pool = open(0);
    releaseFailing(pool, ownersRuns(pool, RUNS));
  }

  @Test
  void aRunWithoutAnOwnerCountsAsReleased() throws Exception {
    BufferPool pool = open(64L << 20);
    List<Block> runs = ownersRuns(pool, RUNS);
    owner.run(pool::freeCurrentThreadCache);
    releaseFailing(pool, runs);
  }

  @Test
  void runsThatATrimCannotFreeAreFreedLater() throws Exception {
    int most = 4;
    BufferPool pool = open((long) most * CHUNK_BYTES);
    List<Block> runs = ownersRuns(pool, most + 2);
    owner.run(() -> under.release(runs)); // two too many: the chunk of one is kept
    failing(
        () ->
            rethrowingCause(
                () -> {
                  owner.run(pool::trimCurrentThreadCache);
                  owner.run(pool::trimCurrentThreadCache);
                }));
    PoolUnderTest.check(pool);
    owner.run(pool::trimCurrentThreadCache);
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isZero();
  }

  private static void rethrowingCause(ThrowingCallable task) throws Throwable {
    try {
      task.call();
    } catch (ExecutionException failed) {
      throw failed.getCause();
    }
  }
}
