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

/** Diagnostic commands of this JVM, as in {@code jcmd}. They need the MBean server. */
public final class DiagnosticCommands {
  private static final String NAME = "com.sun.management:type=DiagnosticCommand";

  /** A bean that only the platform's server contains. */
  private static final String PLATFORM = ManagementFactory.RUNTIME_MXBEAN_NAME;

  private DiagnosticCommands() {}

  /**
   * Returns whether the application has opened the platform's MBean server. A server that it
   * created for its own beans is another one.
   */
  public static boolean isServerOpen() {
    return openServer() != null;
  }

  /** Returns the platform's server if it is open, otherwise null. */
  private static @Nullable MBeanServer openServer() {
    try {
      return withBean(MBeanServerFactory.findMBeanServer(null), new ObjectName(PLATFORM));
    } catch (JMException | LinkageError | RuntimeException missing) {
      return null;
    }
  }

  /** Returns the first server in which a bean is registered, or null. */
  static @Nullable MBeanServer withBean(List<MBeanServer> servers, ObjectName bean) {
    for (MBeanServer server : servers) {
      try {
        if (server.isRegistered(bean)) {
          return server;
        }
      } catch (RuntimeException refused) {
        // a server of the application may check access: the next one may have the bean
      }
    }
    return null;
  }

  /**
   * Runs a command. Opens the platform's MBean server if it is not open: automatic work must call
   * {@link #isServerOpen()} first.
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
