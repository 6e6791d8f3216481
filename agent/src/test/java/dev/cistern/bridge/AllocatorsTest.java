/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BridgeDefaults.class)
class AllocatorsTest {
  private static AbstractByteBufAllocator another() {
    return new UnpooledByteBufAllocator(true); // the cheapest to make: nobody looks inside
  }

  /** The registry is the class loader's: what other tests used may still be there. */
  private static List<AbstractByteBufAllocator> listed(List<AbstractByteBufAllocator> of) {
    List<AbstractByteBufAllocator> listed = Allocators.list();
    listed.retainAll(of);
    return listed;
  }

  @Test
  void instancesAreListedOnceInTheOrderOfSight() {
    List<AbstractByteBufAllocator> used = List.of(another(), another(), another());
    for (int i = 0; i < 100; i++) {
      Allocators.see(used.get(0));
      Allocators.see(used.get(2));
      Allocators.see(used.get(1));
    }
    assertThat(listed(used)).containsExactly(used.get(0), used.get(2), used.get(1));
    assertThat(Allocators.names())
        .contains(
            "io.netty.buffer.UnpooledByteBufAllocator@"
                + Integer.toHexString(System.identityHashCode(used.get(0))));
  }

  @Test
  void anAllocatorThatServesABufferIsSeen() {
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    new BridgeHook().newDirect(allocator, 100, 1_000).release();
    assertThat(Allocators.list()).contains(allocator);
  }

  @Test
  void theOneOfTheSelfTestIsNobodys() {
    assertThat(new SelfTest().run()).isNull();
    assertThat(Allocators.list()).noneMatch(SelfTest.Allocator.class::isInstance);
  }

  @Test
  void whatDoesNotFitIsCountedAndComesInWhenOthersHaveGone() {
    List<AbstractByteBufAllocator> used = new ArrayList<>();
    for (int i = 0; i < Allocators.MOST + 1; i++) {
      used.add(another());
      Allocators.see(used.get(i));
    }
    AbstractByteBufAllocator last = used.get(Allocators.MOST);
    assertThat(Allocators.dropped()).isPositive();
    assertThat(Allocators.list()).hasSize(Allocators.MOST).doesNotContain(last);
    WeakReference<AbstractByteBufAllocator> first = new WeakReference<>(used.get(0));
    used.clear();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              System.gc();
              return first.get() == null;
            });
    Allocators.see(last);
    assertThat(Allocators.list()).as("nobody looks before the next tick").doesNotContain(last);
    Allocators.tick();
    Allocators.see(last);
    assertThat(Allocators.list()).contains(last);
  }
}
