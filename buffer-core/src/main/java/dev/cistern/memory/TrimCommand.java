/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.lang.management.ManagementFactory;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;

/**
 * The JVM's diagnostic command {@code System.trim_native_heap}, through its MBean: in JDK 17 since
 * one of its updates, on Linux, with glibc.
 *
 * <p>Not loaded before the first trim is due: there are runtimes without its modules, and opening
 * the platform's MBean server takes a tenth of a second.
 */
final class TrimCommand implements NativeHeapTrim.Command {
  private static final String BEAN = "com.sun.management:type=DiagnosticCommand";
  private static final String OPERATION = "systemTrimNativeHeap";

  /** What the JVM answers where its C library is not glibc. */
  private static final String NOT_THERE = "Not available";

  private final MBeanServer server;
  private final ObjectName bean;

  private TrimCommand(MBeanServer server, ObjectName bean) {
    this.server = server;
    this.bean = bean;
  }

  static TrimCommand open() {
    try {
      return new TrimCommand(ManagementFactory.getPlatformMBeanServer(), new ObjectName(BEAN));
    } catch (JMException malformed) {
      throw new IllegalStateException(BEAN, malformed);
    }
  }

  @Override
  public boolean trim() {
    try {
      return !String.valueOf(server.invoke(bean, OPERATION, null, null)).contains(NOT_THERE);
    } catch (InstanceNotFoundException | ReflectionException missing) {
      return false; // no module jdk.management, or a JVM without the command
    } catch (JMException failed) {
      throw new IllegalStateException(BEAN + " failed", failed);
    }
  }
}
