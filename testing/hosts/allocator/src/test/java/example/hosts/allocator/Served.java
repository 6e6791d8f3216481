/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.netty.CisternAllocator;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocatorMetric;
import java.util.List;
import java.util.stream.Stream;

/**
 * Counts the new buffers of Cistern's pools and of Netty's default allocator.
 *
 * <p>The build makes the pooled allocator without caches the default one, so that each of its
 * allocations is counted, and makes gRPC use the default allocator instead of its own.
 */
final class Served {
  private final long allocations = allocations();
  private final long allocationsOfNetty = allocationsOfNetty();

  private static long allocations() {
    long sum = 0;
    for (PoolSnapshot pool : CisternAllocator.DEFAULT.pools()) {
      for (SizeGroup group : SizeGroup.values()) {
        sum += pool.allocations(group);
      }
    }
    return sum;
  }

  private static long allocationsOfNetty() {
    assertThat(ByteBufAllocator.DEFAULT).isSameAs(PooledByteBufAllocator.DEFAULT);
    PooledByteBufAllocatorMetric metric = PooledByteBufAllocator.DEFAULT.metric();
    assertThat(metric.smallCacheSize()).as("cached allocations are not counted").isZero();
    assertThat(metric.normalCacheSize()).as("cached allocations are not counted").isZero();
    return Stream.of(metric.directArenas(), metric.heapArenas())
        .flatMap(List::stream)
        .mapToLong(PoolArenaMetric::numAllocations)
        .sum();
  }

  /**
   * Checks that the pools served more than this many buffers, and Netty's default allocator none.
   */
  void atLeast(long buffers) {
    assertThat(allocations() - allocations).as("buffers of the pools").isGreaterThan(buffers);
    assertThat(allocationsOfNetty() - allocationsOfNetty).as("buffers of Netty's own").isZero();
  }

  /**
   * Waits until all buffers have been released: event loops release the last ones after a response.
   */
  static void allReturned() {
    await()
        .until(
            () ->
                CisternAllocator.DEFAULT.pools().stream()
                    .allMatch(pool -> pool.pinnedBytes() == 0));
  }
}
