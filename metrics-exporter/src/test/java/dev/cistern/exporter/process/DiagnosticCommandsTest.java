/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** Only the server of the platform counts as open. */
class DiagnosticCommandsTest {
  @Test
  void aServerOfTheApplicationIsNotUsed() throws JMException {
    ObjectName runtime = new ObjectName("java.lang:type=Runtime");
    MBeanServer own = MBeanServerFactory.createMBeanServer("shop");
    try {
      assertThat(DiagnosticCommands.withBean(List.of(), runtime)).isNull();
      assertThat(DiagnosticCommands.withBean(List.of(own), runtime)).isNull();
      MBeanServer platform = ManagementFactory.getPlatformMBeanServer();
      assertThat(DiagnosticCommands.withBean(List.of(own, platform), runtime)).isSameAs(platform);
      assertThat(DiagnosticCommands.isServerOpen()).isTrue();
      assertThat(DiagnosticCommands.run("vmVersion")).contains("JDK");
    } finally {
      MBeanServerFactory.releaseMBeanServer(own);
    }
  }
}
