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

/** Only a server that has the commands counts as open. */
class DiagnosticCommandsTest {
  @Test
  void aServerOfTheApplicationWithoutTheCommandsIsNotUsed() throws JMException {
    ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
    MBeanServer own = MBeanServerFactory.createMBeanServer("shop");
    try {
      assertThat(DiagnosticCommands.withCommands(List.of(), commands)).isNull();
      assertThat(DiagnosticCommands.withCommands(List.of(own), commands)).isNull();
      MBeanServer platform = ManagementFactory.getPlatformMBeanServer();
      assertThat(DiagnosticCommands.withCommands(List.of(own, platform), commands))
          .isSameAs(platform);
      assertThat(DiagnosticCommands.isServerOpen()).isTrue();
      assertThat(DiagnosticCommands.run("vmVersion")).contains("JDK");
    } finally {
      MBeanServerFactory.releaseMBeanServer(own);
    }
  }
}
