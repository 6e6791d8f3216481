/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.stats.AllocatorInfo;
import dev.cistern.testing.GarbageCollection;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BridgeDefaults.class)
class KnownAllocatorsTest {
  private static AbstractByteBufAllocator another() {
    return new UnpooledByteBufAllocator(true); // the cheapest to create; its type does not matter
  }

  /**
   * Returns the listed ones of these instances. The list belongs to the class loader, and may still
   * have instances of other tests.
   */
  private static List<AbstractByteBufAllocator> listed(List<AbstractByteBufAllocator> of) {
    List<AbstractByteBufAllocator> listed = KnownAllocators.list();
    listed.retainAll(of);
    return listed;
  }

  @Test
  void instancesAreListedOnceInTheOrderOfDiscovery() {
    List<AbstractByteBufAllocator> used = List.of(another(), another(), another());
    for (int i = 0; i < 100; i++) {
      KnownAllocators.see(used.get(0));
      KnownAllocators.see(used.get(2));
      KnownAllocators.see(used.get(1));
    }
    assertThat(listed(used)).containsExactly(used.get(0), used.get(2), used.get(1));
  }

  private static final Bridge.Service SERVED = new Bridge.Service(AllocatorInfo.SERVED, 0);

  private static AllocatorInfo info(AbstractByteBufAllocator of, Bridge.Service service) {
    int number =
        KnownAllocators.seen().stream()
            .filter(known -> known.refersTo(of))
            .mapToInt(KnownAllocators.Known::number)
            .findFirst()
            .orElseThrow();
    String type = of.getClass().getName();
    return KnownAllocators.inventory(service).stream()
        .filter(
            each ->
                each.name().endsWith("-" + number)
                    || (each.name().endsWith(".DEFAULT") && each.type().equals(type)))
        .findFirst()
        .orElseThrow();
  }

  /** A subclass of the host, whose constructor does not count as the creator. */
  private static final class OfHost extends PooledByteBufAllocator {
    OfHost() {
      super(true);
      KnownAllocators.created(this); // as the instrumented constructor does
    }
  }

  @Test
  void theCreatorIsTheFirstFrameOutsideNettyAndTheAllocator() {
    AbstractByteBufAllocator allocator = new OfHost();
    AllocatorInfo info = info(allocator, SERVED);
    assertThat(info.createdBy())
        .matches(
            "dev\\.cistern\\.bridge\\.KnownAllocatorsTest"
                + "\\.theCreatorIsTheFirstFrameOutsideNettyAndTheAllocator:\\d+");
    assertThat(info.name()).matches("KnownAllocatorsTest\\$OfHost-\\d+");
    assertThat(info.type()).isEqualTo(OfHost.class.getName());
    assertThat(info.service()).isEqualTo("served");
    assertThat(info.reason()).isEmpty();
    assertThat(KnownAllocators.list()).as("it has not allocated").doesNotContain(allocator);
  }

  /** The hook keeps early allocators only once in a class loader, so this test needs a new one. */
  @Test
  void creatorsBeforeTheFirstListenerArePassedToIt() throws ReflectiveOperationException {
    List<String> received = EarlyCreators.inALoaderOfItsOwn();
    assertThat(received).hasSize(64);
    assertThat(received)
        .allMatch(creator -> creator.matches("dev\\.cistern\\.bridge\\.EarlyCreators\\.get:\\d+"));
  }

  @Test
  void anEarlyCreatorIsAddedToAnInstanceThatIsListed() {
    AbstractByteBufAllocator allocator = another();
    KnownAllocators.see(allocator);
    assertThat(info(allocator, SERVED).createdBy()).isEqualTo(AllocatorInfo.UNKNOWN);
    KnownAllocators.createdBy(allocator, "example.Server.start:7");
    KnownAllocators.createdBy(allocator, "example.Other.start:8");
    assertThat(info(allocator, SERVED).createdBy()).isEqualTo("example.Server.start:7");
  }

  @Test
  void anInstanceInAStaticFieldHasItsName() {
    KnownAllocators.see(UnpooledByteBufAllocator.DEFAULT);
    KnownAllocators.name(UnpooledByteBufAllocator.DEFAULT, "UnpooledByteBufAllocator.DEFAULT");
    KnownAllocators.name(UnpooledByteBufAllocator.DEFAULT, "ByteBufAllocator.DEFAULT");
    AllocatorInfo info = info(UnpooledByteBufAllocator.DEFAULT, SERVED);
    assertThat(info.name()).isEqualTo("UnpooledByteBufAllocator.DEFAULT");
    assertThat(info.createdBy()).isEqualTo("Netty");
    assertThat(info.service()).isEqualTo("bypassed");
    assertThat(info.reason()).startsWith("only pooled and adaptive");
  }

  @Test
  @SuppressWarnings("deprecation") // the shortest constructor with numbers of arenas
  void theServiceDependsOnArenasAndTheMode() {
    AbstractByteBufAllocator heapOnly = new PooledByteBufAllocator(false, 1, 0, 8_192, 9);
    AbstractByteBufAllocator none = new PooledByteBufAllocator(false, 0, 0, 8_192, 9);
    KnownAllocators.see(heapOnly);
    KnownAllocators.see(none);
    assertThat(info(heapOnly, SERVED).service()).isEqualTo("served");
    assertThat(info(heapOnly, SERVED).reason()).contains("without arenas for direct buffers");
    assertThat(info(none, SERVED).service()).isEqualTo("bypassed");
    long later = System.currentTimeMillis() + 1_000;
    AllocatorInfo observed = info(heapOnly, new Bridge.Service(AllocatorInfo.OBSERVED, later));
    assertThat(observed.service()).isEqualTo("observed");
    assertThat(observed.sinceMillis()).isEqualTo(later);
    AllocatorInfo off = info(heapOnly, new Bridge.Service(AllocatorInfo.BYPASSED, 0));
    assertThat(off.reason()).isEqualTo("the mode is off");
  }

  @Test
  void anAllocatorThatServesABufferIsSeen() {
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    new BridgeHook().newDirect(allocator, 100, 1_000).release();
    assertThat(KnownAllocators.list()).contains(allocator);
  }

  @Test
  void theAllocatorOfTheSelfTestIsNotListed() {
    assertThat(new SelfTest().run()).isNull();
    assertThat(KnownAllocators.list()).noneMatch(SelfTest.Allocator.class::isInstance);
  }

  @Test
  void instancesBeyondTheLimitAreCountedAndAddedAfterCollections() {
    List<AbstractByteBufAllocator> used = new ArrayList<>();
    for (int i = 0; i < KnownAllocators.MAX_LISTED + 1; i++) {
      used.add(another());
      KnownAllocators.see(used.get(i));
    }
    AbstractByteBufAllocator last = used.get(KnownAllocators.MAX_LISTED);
    assertThat(KnownAllocators.dropped()).isPositive();
    assertThat(KnownAllocators.seen()).hasSize(KnownAllocators.MAX_LISTED);
    assertThat(KnownAllocators.list()).doesNotContain(last);
    WeakReference<AbstractByteBufAllocator> first = new WeakReference<>(used.get(0));
    used.clear();
    GarbageCollection.until(() -> first.get() == null);
    KnownAllocators.see(last);
    assertThat(KnownAllocators.list()).as("not added before the next tick").doesNotContain(last);
    KnownAllocators.tick();
    KnownAllocators.see(last);
    assertThat(KnownAllocators.list()).contains(last);
  }
}
