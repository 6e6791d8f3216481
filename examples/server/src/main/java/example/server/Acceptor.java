/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/** A thread that accepts the connections of a port, and distributes them over the loops in turn. */
final class Acceptor {
  /** The protocol, which creates a connection for a channel and a loop. */
  interface Protocol extends BiFunction<SocketChannel, EventLoop, Connection> {}

  private static final int BACKLOG = 4_096;

  /**
   * The pause after a failed accept. If no file descriptor is left, one becomes free when a client
   * disconnects.
   */
  private static final long PAUSE_AFTER_FAILURE_MILLIS = 100;

  private final ServerSocketChannel server;
  private final List<EventLoop> loops;
  private final Protocol protocol;
  private final Thread thread;

  private Acceptor(ServerSocketChannel server, List<EventLoop> loops, Protocol protocol) {
    this.server = server;
    this.loops = loops;
    this.protocol = protocol;
    thread = new Thread(this::run, "acceptor");
    thread.start();
  }

  /**
   * Listens on an address.
   *
   * @throws IOException if the address cannot be used, for example because the port is in use; the
   *     message names the address
   */
  static Acceptor listen(InetSocketAddress address, List<EventLoop> loops, Protocol protocol)
      throws IOException {
    if (address.isUnresolved()) {
      throw new IOException("cannot listen on " + address + ": unknown host");
    }
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      server.bind(address, BACKLOG);
    } catch (IOException e) {
      server.close();
      throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
    }
    return new Acceptor(server, loops, protocol);
  }

  int port() throws IOException {
    return ((InetSocketAddress) server.getLocalAddress()).getPort();
  }

  /** Stops accepting connections. */
  void close() throws IOException, InterruptedException {
    server.close();
    thread.join();
  }

  private void run() {
    for (int next = 0; server.isOpen(); next = (next + 1) % loops.size()) {
      try {
        accept(loops.get(next));
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException | RuntimeException | Error e) { // the next accept may succeed
        System.getLogger(Acceptor.class.getName())
            .log(System.Logger.Level.WARNING, "a connection was not accepted", e);
        pause();
      }
    }
  }

  private void accept(EventLoop loop) throws IOException {
    SocketChannel channel = server.accept();
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      loop.add(protocol.apply(channel, loop));
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_AFTER_FAILURE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
