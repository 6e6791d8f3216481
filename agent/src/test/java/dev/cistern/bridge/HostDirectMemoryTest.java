/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.memory.MemoryQuarantine;
import dev.cistern.memory.Region;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The host's memory rests as ours does, but never at the cost of an allocation. */
@Tag("A15")
class HostDirectMemoryTest {
  private static final int BYTES = 1 << 20;

  /** A host that refuses so many requests, and that says how much it has lent. */
  private static final class Host extends HostDirectMemory {
    private int refusals;
    private long usedBytes;
    private int missingBytes;
    private Runnable atRefusal = () -> {};
    private int requests;
    private long nowNanos;
    private long refusalNanos;

    @Override
    Object handle(int bytes) {
      requests++;
      if (refusals > 0) {
        refusals--;
        nowNanos += refusalNanos;
        atRefusal.run();
        throw new OutOfMemoryError("this one is meant to fail");
      }
      return super.handle(bytes - missingBytes);
    }

    @Override
    long nanoTime() {
      return nowNanos;
    }

    @Override
    public long usedBytes() {
      return usedBytes;
    }

    long countedBytes() {
      return super.usedBytes();
    }
  }

  private final Host host = new Host();
  private final MemoryQuarantine resting = MemoryQuarantine.shared();

  @BeforeEach
  @AfterEach
  void nothingRests() {
    resting.freeAll();
  }

  @Test
  void whatRestsIsMappedAndCountsUntilItIsFreed() {
    HostDirectMemory memory = HostDirectMemory.INSTANCE;
    long before = memory.usedBytes();
    Region region = memory.allocate(BYTES);
    MemoryAccess.putLong(null, region.address(), 42);
    memory.free(region);
    assertThat(resting.quarantinedBytes()).isEqualTo(BYTES);
    assertThat(memory.usedBytes()).isEqualTo(before + BYTES);
    assertThat(MemoryAccess.getLong(null, region.address())).isEqualTo(42);
    resting.freeAll();
    assertThat(memory.usedBytes()).isEqualTo(before);
  }

  @Test
  void whatRestsIsFreedBeforeARequestIsRefused() {
    host.free(host.allocate(BYTES));
    assertThat(resting.quarantinedBytes()).isEqualTo(BYTES);
    host.refusals = 1;
    Region second = host.allocate(BYTES);
    assertThat(resting.quarantinedBytes()).isZero();
    host.free(second);
    host.refusals = 2;
    assertThatThrownBy(() -> host.allocate(BYTES)).isInstanceOf(OutOfMemoryError.class);
    assertThat(resting.quarantinedBytes()).isZero();
    host.refusals = 1;
    assertThatThrownBy(() -> host.allocate(BYTES)).isInstanceOf(OutOfMemoryError.class);
    assertThat(host.refusals).as("asked once more where nothing rested").isZero();
  }

  @Test
  void whatAnotherThreadIsFreeingIsWaitedFor() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    resting.add(
        0,
        1,
        null,
        (address, bytes, handle) -> {
          begun.countDown();
          await(mayEnd);
        });
    Thread freeing = new Thread(resting::freeAll);
    freeing.start();
    await(begun);
    assertThat(resting.quarantinedBytes()).isZero();
    host.refusals = 1;
    host.atRefusal = mayEnd::countDown;
    host.free(host.allocate(BYTES));
    freeing.join();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  @Test
  void afterASlowRefusalNobodyIsKeptWaitingForTheNext() {
    Region held = host.allocate(BYTES / 2);
    refuseSlowly();
    int asked = host.requests;
    for (int i = 0; i < 10; i++) {
      host.nowNanos += TimeUnit.SECONDS.toNanos(4);
      assertThatThrownBy(() -> host.allocate(BYTES))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageContaining("1048576")
          .hasMessageContaining("500 ms")
          .hasMessageContaining("MaxDirectMemorySize");
    }
    assertThat(host.requests).isEqualTo(asked);
    host.nowNanos += TimeUnit.SECONDS.toNanos(10);
    host.free(host.allocate(BYTES));
    host.free(held);
  }

  @Test
  void lessIsAskedForAlsoAfterARefusal() {
    refuseSlowly();
    host.free(host.allocate(BYTES / 2));
  }

  @Test
  void itIsAskedAgainOnceMemoryWasFreed() {
    Region held = host.allocate(BYTES);
    long limit = host.limitBytes();
    refuseSlowly();
    host.usedBytes = limit; // so that it does not rest
    host.free(held);
    host.usedBytes = 0;
    host.free(host.allocate(BYTES));
  }

  @Test
  void whatRestsIsFreedInsteadOfWaitingForTheEndOfAPause() {
    Region held = host.allocate(BYTES);
    refuseSlowly();
    host.free(held);
    assertThat(resting.quarantinedBytes()).isEqualTo(BYTES);
    Region second = host.allocate(BYTES);
    assertThat(resting.quarantinedBytes()).isZero();
    host.free(second);
  }

  private void refuseSlowly() {
    host.refusals = 1;
    host.refusalNanos = TimeUnit.MILLISECONDS.toNanos(500);
    assertThatThrownBy(() -> host.allocate(BYTES)).hasMessageContaining("meant to fail");
    assertThat(host.refusals).isZero();
  }

  @Test
  void whatCannotBeUsedIsGivenBack() {
    long before = host.countedBytes();
    host.missingBytes = BYTES / 2; // the host's buffer is too small
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> host.allocate(BYTES)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(host.countedBytes()).isEqualTo(before);
    }
  }

  @Test
  void nothingRestsWhereTheHostIsShortOfMemory() {
    long limit = host.limitBytes();
    host.usedBytes = limit - limit / 4 + 1;
    host.free(host.allocate(BYTES));
    assertThat(resting.quarantinedBytes()).isZero();
    host.usedBytes = limit - limit / 4;
    host.free(host.allocate(BYTES));
    assertThat(resting.quarantinedBytes()).isEqualTo(BYTES);
  }
}
