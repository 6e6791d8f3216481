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
 * Accepts connections and starts a daemon thread for each. The number of connections is limited,
 * because each holds a file descriptor of the host.
 *
 * <p>One thread accepts connections and closes those that exceed a time limit. While there is no
 * connection, it sleeps until the next one.
 */
public final class HttpListener implements AutoCloseable {
  /**
   * Maximum number of connections that hold a descriptor, including those that are being closed.
   */
  static final int MAX_CONNECTIONS = 64;

  /**
   * Maximum number of connections with a thread; one more can be in the process of being accepted.
   */
  private static final int MAX_OPEN = MAX_CONNECTIONS - 1;

  /**
   * Number of connections from which a new connection replaces the one that has waited longest. The
   * thread of the replaced connection needs some time to free its descriptor.
   */
  private static final int MAX_LASTING = 48;

  /** Number of connections that the kernel queues for the listener; they hold no descriptor. */
  private static final int BACKLOG = 256;

  private static final int CHECK_MILLIS = 1_000;

  /** Check interval while all connections are idle. A check takes 0.3 ms of CPU. */
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

  /** Time of the last check for overdue connections. Used by the acceptor only. */
  private long checkedNanos = System.nanoTime();

  /** Creates the connection of an accepted socket. */
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
   * Binds to an address and starts accepting connections.
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

  /** Returns whether a new connection has to replace an existing one. */
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
        // Catch everything, because an uncaught exception would reach the handler of the host,
        // which may end the JVM. The host has no descriptor or memory left, or the listener is
        // closed.
        pause();
      }
    }
  }

  /**
   * Returns how long to wait for a new connection before the next check of the open ones, in
   * milliseconds; 0 means no limit.
   */
  int maxWaitMillis() {
    if (open.isEmpty()) {
      return 0;
    }
    return open.stream().allMatch(HttpConnection::isIdle) ? IDLE_CHECK_MILLIS : CHECK_MILLIS;
  }

  /** Starts a connection, or closes its socket after any failure to release the descriptor. */
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

  /**
   * Waits until a closed connection has freed its descriptor, because its thread needs CPU time for
   * that. Returns whether there is a place.
   */
  private synchronized boolean awaitPlace() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MAX_CLOSING_MILLIS);
    while (open.size() >= MAX_OPEN && System.nanoTime() - end < 0) {
      try {
        wait(1 + TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
      } catch (InterruptedException e) {
        // Ignore interrupts: some hosts interrupt every thread.
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
      // The host has no memory for another thread.
      figures.connectionRejected();
      close(socket);
    } finally {
      if (!isStarted) {
        open.remove(connection);
      }
    }
  }

  /** Removes a connection whose thread has closed its socket. */
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
      // Ignore interrupts: some hosts interrupt every thread.
    }
  }

  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // The socket is closed even after a failure.
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // The socket is closed even after a failure.
    }
    open.forEach(HttpConnection::close);
  }
}
