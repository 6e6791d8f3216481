/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.weave.ClassRenamer;
import dev.cistern.agent.weave.NettyJars;
import dev.cistern.bridge.Bridge;
import dev.cistern.bridge.api.NettyBridge;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.stats.PoolSnapshot;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The classes that each bridge has separately, and those that it shares with the agent. */
class BridgeLoaderTest {
  private final BridgeLoader loader =
      new BridgeLoader(
          BridgeLoaderTest.class.getClassLoader(), BridgeLoaderTest::entry, new ClassRenamer());

  private static byte[] entry(String name) {
    return NettyJars.own(name.replaceAll("^bridge/|[.]classdata$", ""));
  }

  @ParameterizedTest
  @ValueSource(classes = {NettyBridge.class, LeakReport.class, PoolSnapshot.class})
  void theSharedClassesAreTheAgents(Class<?> shared) throws Exception {
    assertThat(loader.loadClass(shared.getName())).isSameAs(shared);
  }

  @Test
  void aBridgeHasAClassOfItsOwnAndTheInterfaceOfTheAgent() throws Exception {
    Class<?> bridge = loader.loadClass(Bridge.class.getName());
    assertThat(bridge).isNotSameAs(Bridge.class);
    assertThat(bridge.getClassLoader()).isSameAs(loader);
    assertThat(bridge.getInterfaces()).containsExactly(NettyBridge.class);
    Method leaks = bridge.getMethod("leaks", dev.cistern.leak.report.StackDetail.class);
    assertThat(leaks.getReturnType()).isSameAs(LeakReport.class);
  }
}
