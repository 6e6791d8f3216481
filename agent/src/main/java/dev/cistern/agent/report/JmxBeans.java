/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.log.Log;
import dev.cistern.agent.netty.NettyCopy;
import dev.cistern.exporter.process.DiagnosticCommands;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;

/**
 * The agent's beans. A runtime without {@code java.management} cannot load this class. The agent's
 * thread only.
 */
final class JmxBeans {
  private static final String[] MEMORY = {"direct", "heap"};

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  /** Copies whose pools are registered. */
  private final Set<NettyCopy> copies = new LinkedHashSet<>();

  private JmxBeans() {}

  /**
   * Registers the agent and returns its beans. Returns null, without registering anything, as long
   * as the host has not opened JMX.
   */
  static @Nullable JmxBeans register(AgentMXBean control, DiagnosticsMBean diagnostics)
      throws JMException {
    if (!DiagnosticCommands.isServerOpen()) {
      return null;
    }
    JmxBeans beans = new JmxBeans();
    beans.server.registerMBean(
        new StandardMBean(diagnostics, DiagnosticsMBean.class), name("Diagnostics"));
    beans.server.registerMBean(new StandardMBean(control, AgentMXBean.class, true), name("Agent"));
    return beans;
  }

  private static ObjectName name(String type) throws JMException {
    return new ObjectName("dev.cistern:type=" + type);
  }

  private static String pool(NettyCopy copy, String memory) {
    return "Pool,copy=" + copy.poolName() + ",memory=" + memory;
  }

  /**
   * Registers the pools of copies that Cistern serves, and unregisters those of copies without a
   * bridge.
   */
  void update(List<NettyCopy> present) {
    for (NettyCopy copy : present) {
      if (copy.mode().swaps() && copy.bridge() != null && copies.add(copy)) {
        registerPools(copy);
      }
    }
    copies.removeIf(copy -> copy.bridge() == null && unregisterPools(copy));
  }

  private void registerPools(NettyCopy copy) {
    try {
      for (String memory : MEMORY) {
        server.registerMBean(new PoolBean(copy, memory), name(pool(copy, memory)));
      }
    } catch (JMException failure) {
      Log.line("cannot register the pools of " + copy + " with JMX: " + failure);
    }
  }

  private boolean unregisterPools(NettyCopy copy) {
    for (String memory : MEMORY) {
      unregister(pool(copy, memory));
    }
    return true;
  }

  private void unregister(String type) {
    try {
      server.unregisterMBean(name(type));
    } catch (JMException gone) {
      // The host has removed the bean.
    }
  }

  /** Removes the agent from JMX. */
  void unregister() {
    copies.removeIf(this::unregisterPools);
    unregister("Diagnostics");
    unregister("Agent");
  }
}
