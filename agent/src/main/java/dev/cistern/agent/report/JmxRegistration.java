/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/** The way to JMX; a class of its own, since a runtime may have no {@code java.management}. */
final class JmxRegistration {
  private static final String DOMAIN = "dev.cistern:type=";

  private JmxRegistration() {}

  /** Whether the host has opened JMX, and {@code bean} is to be found there. */
  static boolean register(DiagnosticsMBean bean) throws JMException {
    return isOpen() && register("Diagnostics", new StandardMBean(bean, DiagnosticsMBean.class));
  }

  /** Whether the host has opened JMX, and {@code bean} is to be found there. */
  static boolean register(AgentMXBean bean) throws JMException {
    return isOpen() && register("Agent", new StandardMBean(bean, AgentMXBean.class, true));
  }

  private static boolean isOpen() {
    return !MBeanServerFactory.findMBeanServer(null).isEmpty();
  }

  private static boolean register(String type, StandardMBean bean) throws JMException {
    ManagementFactory.getPlatformMBeanServer().registerMBean(bean, new ObjectName(DOMAIN + type));
    return true;
  }
}
