/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.memory.MemoryQuarantine;
import dev.cistern.memory.Region;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Native memory in the host's accounts, and the pauses after slow refusals. */
@Tag("A15")
class NettyDirectMemoryTest {
  private static final int BYTES = 1 << 20;

  /** A host that refuses a number of requests. */
  private static final class Backend implements MemoryBackend {
    private final MemoryBackend backend = MemoryBackend.ofHost();
    private int refusals;
    private int requests;
    private long nowNanos;

    @Override
    public boolean isInJvmAccount() {
      return false;
    }

    @Override
    public Region allocate(int bytes) {
      requests++;
      if (refusals > 0) {
        refusals--;
        nowNanos += TimeUnit.MILLISECONDS.toNanos(500);
        throw new OutOfMemoryError("this one is meant to fail");
      }
      return backend.allocate(bytes);
    }

    @Override
    public void free(Region region) {
      backend.free(region);
    }
  }

  private final Backend backend = new Backend();
  private final NettyDirectMemory host =
      new NettyDirectMemory(backend) {
        @Override
        boolean hasFallback() {
          return true; // as the agent
        }

        @Override
        long nanoTime() {
          return backend.nowNanos;
        }
      };
  private final MemoryQuarantine quarantine = MemoryQuarantine.ofBlocks();

  @BeforeEach
  @AfterEach
  void freeQuarantine() {
    quarantine.freeAll();
  }

  @Test
  void freedMemoryStaysMappedAndDoesNotCount() {
    long before = host.usedBytes();
    Region region = host.allocate(BYTES);
    assertThat(host.usedBytes()).isEqualTo(before + BYTES);
    MemoryAccess.putLong(null, region.address(), 42);
    host.free(region);
    assertThat(quarantine.quarantinedBytes()).isEqualTo(BYTES);
    assertThat(host.usedBytes()).isEqualTo(before);
    assertThat(MemoryAccess.getLong(null, region.address())).isEqualTo(42);
    Region again = host.allocate(BYTES);
    assertThat(again.address()).as("used again").isEqualTo(region.address());
    assertThat(quarantine.quarantinedBytes()).isZero();
    host.free(again);
  }

  @Test
  void memoryAboveTheLimitIsRefusedAndNotCounted() {
    long before = PlatformDependent.usedDirectMemory();
    assertThatThrownBy(
            () -> {
              Region[] regions = new Region[1 << 20];
              int held = 0;
              try {
                while (true) {
                  regions[held++] = host.allocate(1 << 30);
                }
              } finally {
                for (int i = 0; i < held - 1; i++) {
                  host.free(regions[i]);
                }
              }
            })
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(PlatformDependent.usedDirectMemory()).isEqualTo(before);
  }

  @Test
  void afterASlowRefusalNoFurtherRequestWaits() {
    Region held = host.allocate(BYTES / 2);
    refuseSlowly();
    int requestsBefore = backend.requests;
    for (int i = 0; i < 10; i++) {
      backend.nowNanos += TimeUnit.SECONDS.toNanos(4);
      assertThatThrownBy(() -> host.allocate(BYTES))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageContaining("1048576")
          .hasMessageContaining("500 ms")
          .hasMessageContaining("MaxDirectMemorySize");
    }
    assertThat(backend.requests).isEqualTo(requestsBefore);
    backend.nowNanos += TimeUnit.SECONDS.toNanos(10);
    host.free(host.allocate(BYTES));
    host.free(held);
  }

  @Test
  void smallerRequestsAreMadeAfterARefusal() {
    refuseSlowly();
    host.free(host.allocate(BYTES / 2));
  }

  @Test
  void memoryIsRequestedAgainOnceSomeWasFreed() {
    Region held = host.allocate(BYTES);
    refuseSlowly();
    host.free(held);
    host.free(host.allocate(BYTES));
  }

  private void refuseSlowly() {
    backend.refusals = 1;
    assertThatThrownBy(() -> host.allocate(BYTES)).hasMessageContaining("meant to fail");
    assertThat(backend.refusals).isZero();
  }
}
