/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.stats.PoolStat;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests a front end that fails at the first call, at the second, and so on: no slot is lost, and no
 * slot is allocated with an object of other memory.
 */
class BinderFaultTest {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int[] SIZES = {10, 40_000, 300_000, 2_000_000, 1000, 100_000};

  private final FailingBinder binder = new FailingBinder();

  /** Errors that a front end may throw. */
  private enum Failure {
    RUNTIME,
    MEMORY,
    STACK;

    void fail() {
      switch (this) {
        case MEMORY -> throw new OutOfMemoryError("the binder fails");
        case STACK -> throw new StackOverflowError("the binder fails");
        default -> throw new IllegalStateException("the binder fails");
      }
    }
  }

  private static final class FailingBinder implements SlotBinder {
    private Failure failure = Failure.RUNTIME;
    private int failingCall;
    private int calls;
    private int failedSamples;

    private boolean isFailing() {
      calls++;
      return calls == failingCall || (failure == Failure.MEMORY && calls == failingCall + 1);
    }

    @Override
    public Object bind(SlotGroup group, int index) {
      if (isFailing()) {
        failure.fail();
      }
      return new Block(group, index);
    }

    @Override
    public void sampled(Object bound, int requestedBytes, long weightBytes) {
      if (isFailing()) {
        failedSamples++;
        failure.fail();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFailureAtAnyCallOfTheBinderLosesNothing(Failure failure) {
    for (MemoryKind kind : MemoryKind.values()) {
      int failures = 0;
      boolean failed = true;
      for (int call = 1; failed; call++) {
        binder.failure = failure;
        binder.failingCall = call;
        binder.calls = 0;
        binder.failedSamples = 0;
        failed = scenario(kind, failure);
        failures += failed ? 1 : 0;
      }
      assertThat(failures).isGreaterThan(30);
    }
  }

  /** Returns whether the binder failed. */
  private boolean scenario(MemoryKind kind, Failure failure) {
    MemorySource source =
        kind == MemoryKind.HEAP
            ? new HeapMemorySource()
            : new DirectMemorySource(new DirectMemoryLimit(64L << 20), 0, false);
    BufferPool pool =
        BufferPool.builder(kind, source, binder)
            .arenas(1)
            .chunkBytes(CHUNK_BYTES)
            .idleBytesPerThread(100_000)
            .sampleIntervalBytes(20_000)
            .maintenanceThread(false)
            .build();
    int failures = 0;
    for (int round = 0; round < 3; round++) {
      failures += round(pool, failure, round);
      pool.trimCurrentThreadCache(); // frees cached runs, so that their objects are bound again
    }
    assertThat(pool.snapshot().get(PoolStat.FAILED_SAMPLES)).isEqualTo(binder.failedSamples);
    boolean reached = binder.calls >= binder.failingCall;
    assertThat(failures + binder.failedSamples > 0).isEqualTo(reached);
    pool.close();
    pool.tick();
    PoolInvariants.check(pool);
    assertThat(source.usedBytes()).as("call %d", binder.failingCall).isZero();
    return reached;
  }

  private int round(BufferPool pool, Failure failure, int round) {
    List<Block> held = new ArrayList<>();
    int failures = 0;
    for (int i = 0; i < 4 * SIZES.length; i++) {
      int bytes = SIZES[i % SIZES.length];
      try {
        hold(held, (Block) pool.allocate(bytes), bytes);
      } catch (IllegalStateException | OutOfMemoryError | StackOverflowError failed) {
        failures++;
        assertThat(failed).hasMessageEndingWith("the binder fails");
        assertThat(pool.snapshot().failedAllocations())
            .isEqualTo(failure == Failure.MEMORY ? 1 : 0);
        PoolInvariants.check(pool);
        hold(held, (Block) pool.allocate(bytes), bytes);
      }
      if (i % 5 == 4) {
        held.remove(i % 2 * held.size() / 2).release();
      }
    }
    held.forEach(Block::release);
    PoolInvariants.check(pool);
    assertThat(pool.snapshot().pinnedBytes()).as("round %d", round).isZero();
    return failures;
  }

  private static void hold(List<Block> held, Block block, int bytes) {
    block.stamp(bytes, System.identityHashCode(block));
    held.add(block);
  }
}
