/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** Diagnostic commands of this JVM, as {@code jcmd} has them. They need the MBean server. */
final class DiagnosticCommands {
  private static final String NAME = "com.sun.management:type=DiagnosticCommand";

  private DiagnosticCommands() {}

  /** Returns whether the application has opened the MBean server. */
  static boolean isServerOpen() {
    try {
      return !MBeanServerFactory.findMBeanServer(null).isEmpty();
    } catch (LinkageError | RuntimeException missing) {
      return false;
    }
  }

  /**
   * Runs a command, and opens the MBean server for it if that is not open.
   *
   * @param operation name of the operation, such as {@code vmNativeMemory}
   * @param arguments arguments of the command
   * @return the output, or null if this JVM does not have the command
   */
  static @Nullable String run(String operation, String... arguments) {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      boolean hasArguments = arguments.length > 0;
      Object result =
          server.invoke(
              new ObjectName(NAME),
              operation,
              hasArguments ? new Object[] {arguments} : new Object[0],
              hasArguments ? new String[] {String[].class.getName()} : new String[0]);
      return String.valueOf(result);
    } catch (JMException | RuntimeException | LinkageError unknown) {
      return null;
    }
  }
}
