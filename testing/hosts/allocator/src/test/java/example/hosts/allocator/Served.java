/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.netty.CisternAllocator;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;

/** Counts what Cistern's pools serve from now on, and what Netty's own default allocator takes. */
final class Served {
  private final long allocations = allocations();
  private final long nettyBytes = nettyBytes();

  private static long allocations() {
    long sum = 0;
    for (PoolSnapshot pool : CisternAllocator.DEFAULT.pools()) {
      for (SizeGroup group : SizeGroup.values()) {
        sum += pool.allocations(group);
      }
    }
    return sum;
  }

  private static long nettyBytes() {
    ByteBufAllocatorMetricProvider netty =
        (ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT;
    return netty.metric().usedDirectMemory();
  }

  /** Checks that the pools served this many buffers, and Netty's own allocator no direct memory. */
  void atLeast(long buffers) {
    assertThat(allocations() - allocations).as("buffers of the pools").isGreaterThan(buffers);
    assertThat(nettyBytes() - nettyBytes).as("direct memory of Netty's own").isZero();
  }

  /** Waits until all buffers have returned: event loops release the last ones after an answer. */
  static void allReturned() {
    await()
        .until(
            () ->
                CisternAllocator.DEFAULT.pools().stream()
                    .allMatch(pool -> pool.pinnedBytes() == 0));
  }
}
