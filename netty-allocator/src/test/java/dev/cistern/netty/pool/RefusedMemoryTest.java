/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.Region;
import dev.cistern.pool.BufferPool;
import dev.cistern.pool.SlotBinder;
import dev.cistern.pool.SlotGroup;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A pool without a fallback, in a host whose other code holds the memory for some time. */
class RefusedMemoryTest {
  private static final int BYTES = 1 << 20;
  private static final String REFUSAL = "failed to allocate: the host's other code has it";

  private static final class Host implements MemoryBackend {
    private final MemoryBackend backend = MemoryBackend.ofHost();
    private boolean isFull;
    private int refusals;
    private long nowNanos;

    @Override
    public boolean isInJvmAccount() {
      return false;
    }

    @Override
    public Region allocate(int bytes) {
      if (isFull) {
        refusals++;
        nowNanos += TimeUnit.MILLISECONDS.toNanos(500);
        throw new OutOfMemoryError(REFUSAL);
      }
      return backend.allocate(bytes);
    }

    @Override
    public void free(Region region) {
      backend.free(region);
    }
  }

  private static final class Binder implements SlotBinder {
    @Override
    public Object bind(SlotGroup group, int index) {
      return this;
    }

    @Override
    public void sampled(Object bound, int requestedBytes, long weightBytes) {}

    @Override
    public void exhausted() {}
  }

  private final Host host = new Host();

  private NettyDirectMemory memory() {
    return new NettyDirectMemory(host) {
      @Override
      boolean hasFallback() {
        return new PoolHooks().hasFallback();
      }

      @Override
      long nanoTime() {
        return host.nowNanos;
      }
    };
  }

  @Test
  void eachRequestReachesTheHost() {
    NettyDirectMemory memory = memory();
    host.isFull = true;
    for (int i = 1; i <= 3; i++) {
      assertThatThrownBy(() -> memory.allocate(BYTES)).hasMessage(REFUSAL);
      assertThat(host.refusals).isEqualTo(i);
    }
  }

  @Test
  void aPoolAllocatesAsSoonAsOtherCodeFreedMemory() {
    try (BufferPool pool =
        BufferPool.builder(MemoryKind.DIRECT, memory(), new Binder())
            .maintenanceThread(false)
            .build()) {
      host.isFull = true;
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> pool.allocate(BYTES))
            .isInstanceOf(OutOfMemoryError.class)
            .hasMessageContaining(String.valueOf(BYTES))
            .hasMessageContaining(REFUSAL)
            .hasRootCauseMessage(REFUSAL);
      }
      host.isFull = false; // other code of the host frees memory, and this pool none
      assertThat(pool.allocate(BYTES)).isNotNull();
    }
  }
}
