/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.agent.config.ModeRequest;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/**
 * The agent in another JVM, called by JMX. Unlike loading the agent again, this works if the JVM
 * forbids the dynamic loading of agents, and prints no warning.
 */
final class RemoteAgent implements AutoCloseable {
  private static final String NAME = "dev.cistern:type=Agent";

  /** Pattern of the addresses that the JDK makes. A hostile JVM could return another server. */
  private static final String LOCAL = "service:jmx:rmi://[^/]+/stub/.+";

  /**
   * Classes that a response may contain, and limits: the other JVM may belong to another user, and
   * answer with objects that take a long time to read.
   */
  static final ObjectInputFilter RESPONSES =
      ObjectInputFilter.Config.createFilter(
          "maxdepth=20;maxrefs=10000;maxbytes=4194304;maxarray=100000;javax.management.**;"
              + "java.rmi.**;sun.rmi.**;java.lang.*;java.io.*;java.util.ArrayList;"
              + "java.util.Collections$*;java.util.concurrent.TimeoutException;!*");

  /** Limits the wait for the agent, which registers with JMX at its next tick, within a second. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final JMXConnector connector;
  private final MBeanServerConnection server;
  private final ObjectName name;

  private RemoteAgent(JMXConnector connector) throws IOException, JMException {
    this.connector = connector;
    this.server = connector.getMBeanServerConnection();
    this.name = new ObjectName(NAME);
  }

  /**
   * Connects to the agent. Returns null if the agent does not register with JMX, because it is idle
   * in a JVM without Netty.
   */
  @SuppressWarnings("BanJNDI") // the address is the one that this machine's own JVM has given
  static @Nullable RemoteAgent connect(TargetJvm target) throws HostException {
    if (ModuleLayer.boot().findModule("java.management").isEmpty()) {
      throw new HostException.Unreachable("this Java runtime has no module java.management");
    }
    String address = target.openManagement();
    if (address == null || !address.matches(LOCAL)) {
      throw new HostException.Unreachable("the JVM has no JMX");
    }
    if (ObjectInputFilter.Config.getSerialFilter() == null) {
      ObjectInputFilter.Config.setSerialFilter(RESPONSES);
    }
    try {
      RemoteAgent agent = new RemoteAgent(JMXConnectorFactory.connect(new JMXServiceURL(address)));
      long deadline = System.nanoTime() + PATIENCE_NANOS;
      while (!agent.server.isRegistered(agent.name)) {
        if (System.nanoTime() > deadline) {
          agent.close();
          return null;
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
      return agent;
    } catch (IOException | JMException | RuntimeException failed) {
      throw new HostException.Unreachable("cannot reach the agent by JMX", failed);
    }
  }

  /** Sets a mode, if there is one, and returns the inventory. */
  String send(@Nullable ModeRequest request) throws HostException {
    if (request == null) {
      return invoke("inventory", new Object[0]);
    }
    return invoke(
        "changeMode",
        new Object[] {
          request.mode().kind().label(), request.mode().percent(), request.copies().toString()
        },
        "java.lang.String",
        "int",
        "java.lang.String");
  }

  /** Detaches the agent; returns what it waits for, empty if it has left. */
  String detach() throws HostException {
    return detach("detach");
  }

  /** Waits for the agent that detaches; returns the same. */
  String awaitDetach() throws HostException {
    return detach("awaitDetach");
  }

  private String detach(String operation) throws HostException {
    try {
      return invoke(operation, new Object[0]);
    } catch (HostException.Left detached) {
      return "";
    }
  }

  private String invoke(String operation, Object[] arguments, String... types)
      throws HostException {
    try {
      return Commands.plain(String.valueOf(server.invoke(name, operation, arguments, types)));
    } catch (InstanceNotFoundException detached) {
      throw new HostException.Left();
    } catch (JMRuntimeException refused) {
      throw new HostException("not changed", refused);
    } catch (IOException | JMException | RuntimeException failed) {
      throw new HostException.Unreachable("cannot reach the agent by JMX", failed);
    }
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException gone) {
      // ignored: the request has its response
    }
  }
}
