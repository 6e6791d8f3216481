/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/** The way to JMX; a class of its own, since a runtime may have no {@code java.management}. */
final class JmxRegistration {
  private static final String NAME = "dev.cistern:type=Diagnostics";

  private JmxRegistration() {}

  /** Whether the host has opened JMX, and {@code bean} is to be found there. */
  static boolean register(DiagnosticsMBean bean) throws JMException {
    if (MBeanServerFactory.findMBeanServer(null).isEmpty()) {
      return false;
    }
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    server.registerMBean(new StandardMBean(bean, DiagnosticsMBean.class), new ObjectName(NAME));
    return true;
  }
}
