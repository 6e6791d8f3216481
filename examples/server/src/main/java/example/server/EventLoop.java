/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.util.concurrent.FastThreadLocalThread;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A thread that serves many connections with a selector. */
final class EventLoop {
  private final Selector selector = Selector.open();
  private final Transport transport;
  private final Responses responses = new Responses();

  /** New connections, passed from the acceptor's thread to this loop's thread. */
  private final Queue<Connection> arrivals = new ConcurrentLinkedQueue<>();

  private final Thread thread;

  /** Written by the thread that closes the loop, and read by the loop's thread. */
  private volatile boolean isStopping;

  /** Written by the loop's thread when it stops accepting connections. */
  private volatile boolean isEnded;

  /**
   * The number of connections that the loop failed to close at its end; should be 0. Written by the
   * loop's thread.
   */
  private volatile int left;

  EventLoop(Transport transport, int number) throws IOException {
    this.transport = transport;
    // This class of thread has its thread locals, including the pool's cache, in fields.
    thread = new FastThreadLocalThread(this::run, "loop-" + number);
    thread.start();
  }

  Transport transport() {
    return transport;
  }

  Responses responses() {
    return responses;
  }

  /** Returns the number of connections. Any thread may call it. */
  int connections() {
    return isEnded ? left : selector.keys().size();
  }

  /** Adds a connection to this loop. If the loop has ended, the connection is closed. */
  void add(Connection connection) {
    arrivals.add(connection);
    if (isEnded) {
      closeArrivals();
    } else {
      selector.wakeup();
    }
  }

  /** Closes all connections, and waits until that is done. */
  void close() throws InterruptedException {
    isStopping = true;
    selector.wakeup();
    thread.join();
  }

  private void run() {
    try {
      while (!isStopping) {
        selector.select(EventLoop::ready);
        register();
      }
    } catch (IOException | RuntimeException | Error e) {
      System.getLogger(EventLoop.class.getName())
          .log(System.Logger.Level.ERROR, "a loop ends with its connections", e);
    } finally {
      closeAll();
    }
  }

  private static void ready(SelectionKey key) {
    ((Connection) key.attachment()).ready(key);
  }

  private void register() {
    for (Connection next = arrivals.poll(); next != null; next = arrivals.poll()) {
      next.register(selector);
    }
  }

  private void closeArrivals() {
    ClosedChannelException cause = new ClosedChannelException();
    for (Connection next = arrivals.poll(); next != null; next = arrivals.poll()) {
      next.close(cause);
    }
  }

  private void closeAll() {
    ClosedChannelException cause = new ClosedChannelException();
    int open = 0;
    for (SelectionKey key : selector.keys()) {
      ((Connection) key.attachment()).close(cause);
      open += key.channel().isOpen() ? 1 : 0;
    }
    left = open;
    isEnded = true;
    closeArrivals();
    try {
      selector.close();
    } catch (IOException | ClosedSelectorException e) {
      // The process is about to end.
    }
  }
}
