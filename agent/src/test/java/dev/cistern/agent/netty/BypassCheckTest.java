/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.config.Mode;
import dev.cistern.agent.weave.AllocatorTransformer;
import dev.cistern.agent.weave.DiscoveredAllocator;
import dev.cistern.bridge.api.NettyBridge;
import dev.cistern.stats.AllocatorInfo;
import dev.cistern.stats.NettyReport;
import io.netty.buffer.OwnArenaAllocator;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

class BypassCheckTest {
  private static final String TYPE = OwnArenaAllocator.class.getName();
  private static final ClassLoader LOADER = OwnArenaAllocator.class.getClassLoader();

  private static Instrumentation listing(Class<?>... classes) {
    return (Instrumentation)
        Proxy.newProxyInstance(
            LOADER, new Class<?>[] {Instrumentation.class}, (proxy, method, arguments) -> classes);
  }

  private static NettyCopy copy() {
    NettyCopy copy = new NettyCopy("io/netty", "io.netty", LOADER);
    copy.addAllocator("io/netty/buffer/PooledByteBufAllocator");
    copy.enter(NettyCopyState.ACTIVE, Mode.OBSERVE);
    copy.hasAllocated(true);
    return copy;
  }

  /** Returns the inventory with these instances. */
  private static List<AllocatorInfo> inventory(NettyCopy copy, AllocatorInfo... instances) {
    NettyReport seen = NettyReport.NONE.withInventory(List.of(instances));
    NettyBridge bridge =
        (NettyBridge)
            Proxy.newProxyInstance(
                LOADER, new Class<?>[] {NettyBridge.class}, (proxy, method, arguments) -> seen);
    return copy.allocators(bridge).inventory();
  }

  private static int look(NettyCopy copy) {
    AllocatorTransformer transformer = new AllocatorTransformer(() -> {});
    transformer.transform(LOADER, TYPE.replace('.', '/'), null, null, new byte[0]);
    transformer.scan(listing(OwnArenaAllocator.class));
    BypassCheck check = new BypassCheck();
    int found = 0;
    for (DiscoveredAllocator each = transformer.take(); each != null; each = each.next()) {
      check.add(each);
      found++;
    }
    assertThat(check.look(copy)).isTrue();
    assertThat(check.look(copy)).as("nothing is new").isFalse();
    return found;
  }

  /** The first scan may also find a class that the transformer has just seen. */
  @Test
  void anAllocatorThatTakesFromArenasIsToBeInstrumentedAndObservedInEachMode() throws Exception {
    NettyCopy copy = copy();
    copy.hasPendingClasses(false);
    assertThat(copy.observes(Mode.of("swap", 100))).isFalse();
    assertThat(look(copy)).isEqualTo(2);
    assertThat(copy.observes(Mode.of("swap", 100))).isTrue();
    assertThat(copy.observes(Mode.OFF)).isFalse();
    assertThat(copy.allocators()).endsWith(TYPE);
    assertThat(copy.hasPendingClasses()).isTrue();
    assertThat(inventory(copy))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.name()).isEqualTo("OwnArenaAllocator");
              assertThat(each.service()).isEqualTo("observed");
              assertThat(each.reason()).contains("by its own ownBuffer");
            });
    AllocatorInfo instance = new AllocatorInfo("Own-3", TYPE, "a.B.c:1", "served", 1, "");
    assertThat(inventory(copy, instance))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.name()).isEqualTo("Own-3");
              assertThat(each.createdBy()).isEqualTo("a.B.c:1");
              assertThat(each.service()).isEqualTo("observed");
              assertThat(each.sinceMillis()).isGreaterThan(1);
            });
  }

  @Test
  void anAllocatorBypassesIfNettysBuffersCannotBeObserved() throws Exception {
    NettyCopy copy = copy();
    copy.observationRefusal("differs");
    int unused = look(copy);
    assertThat(copy.observes(Mode.of("swap", 100))).isFalse();
    assertThat(copy.allocators()).doesNotContain(TYPE);
    assertThat(inventory(copy))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.service()).isEqualTo("bypassed");
              assertThat(each.reason()).endsWith("neither served nor observed");
            });
  }

  @Test
  void oneThatCannotBeInstrumentedBypassesFromThenOn() {
    NettyCopy copy = copy();
    int unused = look(copy);
    assertThat(copy.addForeign(TYPE, AllocatorInfo.BYPASSED, "refused")).isTrue();
    assertThat(copy.allocators()).doesNotContain(TYPE);
    assertThat(inventory(copy).get(0).service()).isEqualTo("bypassed");
  }
}
