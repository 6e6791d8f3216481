/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** Diagnostic commands of this JVM, as {@code jcmd} has them. They need the MBean server. */
final class DiagnosticCommands {
  private static final String NAME = "com.sun.management:type=DiagnosticCommand";

  private DiagnosticCommands() {}

  /**
   * Returns whether the application has opened an MBean server with these commands. A server that
   * it created for its own beans does not have them.
   */
  static boolean isServerOpen() {
    return openServer() != null;
  }

  /** Returns an open server that has the commands, or null. Opens none. */
  private static @Nullable MBeanServer openServer() {
    try {
      return withCommands(MBeanServerFactory.findMBeanServer(null), new ObjectName(NAME));
    } catch (JMException | LinkageError | RuntimeException missing) {
      return null;
    }
  }

  /** Returns the first server in which a bean is registered, or null. */
  static @Nullable MBeanServer withCommands(List<MBeanServer> servers, ObjectName commands) {
    for (MBeanServer server : servers) {
      try {
        if (server.isRegistered(commands)) {
          return server;
        }
      } catch (RuntimeException refused) {
        // a server of the application may check access: the next one may have the bean
      }
    }
    return null;
  }

  /**
   * Runs a command in an open MBean server. Without one that has the commands, this opens the
   * platform's server: automatic work must call {@link #isServerOpen()} first.
   *
   * @param operation name of the operation, such as {@code vmNativeMemory}
   * @param arguments arguments of the command
   * @return the output, or null if this JVM does not have the command
   */
  static @Nullable String run(String operation, String... arguments) {
    try {
      MBeanServer open = openServer();
      MBeanServer server = open == null ? ManagementFactory.getPlatformMBeanServer() : open;
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
