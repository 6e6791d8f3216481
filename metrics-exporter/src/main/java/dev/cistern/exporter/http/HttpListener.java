/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import dev.cistern.util.internal.DaemonThreads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections, each of which has a daemon thread. The number of connections is limited,
 * because each holds a file descriptor of the host.
 *
 * <p>One thread accepts connections and closes those that exceed a time limit. It sleeps until the
 * next connection while there is none.
 */
public final class HttpListener implements AutoCloseable {
  /** Connections that hold a descriptor at a time, those that are being closed included. */
  static final int MAX_CONNECTIONS = 64;

  /** Connections with a thread at a time: one more is being accepted. */
  private static final int MAX_OPEN = MAX_CONNECTIONS - 1;

  /**
   * From this number on, a new connection replaces the one that has waited longest. The thread of
   * the replaced connection needs a moment to free its descriptor.
   */
  private static final int MAX_LASTING = 48;

  /** Connections that the kernel keeps for the listener; they hold no descriptor. */
  private static final int BACKLOG = 256;

  private static final int CHECK_MILLIS = 1_000;

  /** The interval while all connections are idle. A check takes 0.3 ms of CPU. */
  private static final int IDLE_CHECK_MILLIS = 2_000;

  private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS);
  private static final long RETRY_MILLIS = 100;
  private static final long MAX_CLOSING_MILLIS = 50;

  private final ServerSocket server;
  private final EndpointFigures figures;
  private final ConnectionFactory factory;
  private final Thread acceptor;

  /** Connections whose thread runs. The acceptor adds, each connection's thread removes itself. */
  private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();

  /** When the acceptor last closed overdue connections. Used by the acceptor only. */
  private long checkedNanos = System.nanoTime();

  /** Makes the connection of an accepted socket. */
  public interface ConnectionFactory {
    HttpConnection create(Socket socket, HttpListener listener);
  }

  private HttpListener(ServerSocket server, EndpointFigures figures, ConnectionFactory factory) {
    this.server = server;
    this.figures = figures;
    this.factory = factory;
    this.acceptor = DaemonThreads.create("cistern-exporter-accept", this::accept);
  }

  /**
   * Binds and starts to accept.
   *
   * @throws IOException if the address cannot be bound
   */
  public static HttpListener start(
      InetSocketAddress address, EndpointFigures figures, ConnectionFactory factory)
      throws IOException {
    ServerSocket server = new ServerSocket();
    try {
      if (address.isUnresolved()) {
        throw new IOException("unknown host " + address.getHostString());
      }
      server.setReuseAddress(true);
      server.bind(address, BACKLOG);
      HttpListener listener = new HttpListener(server, figures, factory);
      listener.acceptor.start();
      return listener;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  public int port() {
    return server.getLocalPort();
  }

  /** Returns whether new connections replace others now. */
  boolean isFull() {
    return open.size() >= MAX_LASTING;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        closeOverdue();
        server.setSoTimeout(maxWaitMillis());
        accept(server.accept());
      } catch (SocketTimeoutException e) {
        // The next check is due.
      } catch (IOException | RuntimeException | Error e) {
        // Uncaught, it would reach the handler of the host, which may end the JVM. The host has no
        // descriptor or memory left, or the listener is closed.
        pause();
      }
    }
  }

  /** Returns for how long to wait for a connection before the others are checked; 0: no limit. */
  int maxWaitMillis() {
    if (open.isEmpty()) {
      return 0;
    }
    return open.stream().allMatch(HttpConnection::isIdle) ? IDLE_CHECK_MILLIS : CHECK_MILLIS;
  }

  /** Whatever fails, the host gets its descriptor back. */
  private void accept(Socket socket) {
    boolean isAdmitted = false;
    try {
      admit(socket);
      isAdmitted = true;
    } finally {
      if (!isAdmitted) {
        close(socket);
      }
    }
  }

  private void admit(Socket socket) {
    if (isFull()) {
      figures.connectionRejected();
      HttpConnection replaced = longestWaiting();
      if (replaced == null || !replaced.closeIfWaiting() || !awaitPlace()) {
        close(socket);
        return;
      }
    }
    start(socket);
  }

  /** Threads of closed connections need a processor to free their descriptors. */
  private synchronized boolean awaitPlace() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MAX_CLOSING_MILLIS);
    while (open.size() >= MAX_OPEN && System.nanoTime() - end < 0) {
      try {
        wait(1 + TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
      } catch (InterruptedException e) {
        // Some hosts interrupt every thread.
      }
    }
    return open.size() < MAX_OPEN;
  }

  private @Nullable HttpConnection longestWaiting() {
    long now = System.nanoTime();
    return open.stream()
        .filter(connection -> connection.waitedNanos(now) >= 0)
        .max(Comparator.comparingLong(connection -> connection.waitedNanos(now)))
        .orElse(null);
  }

  private void start(Socket socket) {
    HttpConnection connection = factory.create(socket, this);
    open.add(connection);
    if (server.isClosed()) {
      connection.close();
    }
    boolean isStarted = false;
    try {
      DaemonThreads.create("cistern-exporter", connection).start();
      isStarted = true;
    } catch (RuntimeException | VirtualMachineError e) {
      // The host has no memory for one more thread.
      figures.connectionRejected();
      close(socket);
    } finally {
      if (!isStarted) {
        open.remove(connection);
      }
    }
  }

  /** A connection's thread has closed its socket. */
  synchronized void ended(HttpConnection connection) {
    open.remove(connection);
    notifyAll();
  }

  private void closeOverdue() {
    long now = System.nanoTime();
    if (now - checkedNanos >= CHECK_NANOS) {
      checkedNanos = now;
      open.forEach(connection -> connection.closeIfOverdue(now));
    }
  }

  private void pause() {
    try {
      Thread.sleep(server.isClosed() ? 0 : RETRY_MILLIS);
    } catch (InterruptedException e) {
      // Some hosts interrupt every thread.
    }
  }

  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed all the same.
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // It is closed all the same.
    }
    open.forEach(HttpConnection::close);
  }
}
