/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/**
 * The agent in another JVM, asked by JMX: unlike loading the agent once more, that also works where
 * the dynamic loading of agents is forbidden, and prints no warning.
 */
final class RemoteAgent {
  private static final String NAME = "dev.cistern:type=Agent";

  /** The agent registers with JMX at its next tick, a second away at most. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private RemoteAgent() {}

  /** The inventory, after setting the mode where one is given. */
  @SuppressWarnings("BanJNDI") // the address is the one that this machine's own JVM has given
  static String ask(Target target, @Nullable String mode, int percent, String copies)
      throws HostException {
    String address;
    try {
      address = target.openManagement();
    } catch (HostException withoutManagement) {
      return withoutJmx(target, mode, percent, copies);
    }
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      ObjectName name = new ObjectName(NAME);
      long deadline = System.nanoTime() + PATIENCE_NANOS;
      while (!server.isRegistered(name)) {
        if (System.nanoTime() > deadline) {
          return withoutJmx(target, mode, percent, copies);
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
      return String.valueOf(invoke(server, name, mode, percent, copies));
    } catch (IOException | JMException failed) {
      throw new HostException("cannot reach the agent by JMX", failed);
    }
  }

  private static Object invoke(
      MBeanServerConnection server,
      ObjectName name,
      @Nullable String mode,
      int percent,
      String copies)
      throws HostException, IOException, JMException {
    try {
      return mode == null
          ? server.invoke(name, "inventory", new Object[0], new String[0])
          : server.invoke(
              name,
              "changeMode",
              new Object[] {mode, percent, copies},
              new String[] {"java.lang.String", "int", "java.lang.String"});
    } catch (RuntimeMBeanException refused) {
      throw new HostException("not changed", refused);
    } catch (InstanceNotFoundException gone) {
      throw new HostException("the agent has ended", gone);
    }
  }

  /**
   * The agent of a JVM without Netty sleeps, and registers nothing; that of one without JMX cannot.
   * Both can be told all the same.
   */
  private static String withoutJmx(Target target, @Nullable String mode, int percent, String copies)
      throws HostException {
    if (mode == null) {
      return "the agent is loaded but not registered with JMX: probably no Netty was found yet\n";
    }
    target.load("mode=" + mode + ",percent=" + percent + ",copies=" + copies);
    return "mode requested without JMX and without an answer: probably no Netty was found yet\n";
  }
}
