/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server: an HTTP port, an echo port, and the event loops that both share. */
public final class Server {
  private final List<EventLoop> loops = new ArrayList<>();
  private final @Nullable Acceptor http;
  private final @Nullable Acceptor echo;

  private Server(ServerOptions options) throws IOException {
    Transport transport = Transport.pooled();
    for (int i = 0; i < options.threads(); i++) {
      loops.add(new EventLoop(transport, i));
    }
    http = listen(options.host(), options.httpPort(), HttpConnection::new);
    echo = listen(options.host(), options.echoPort(), EchoConnection::new);
  }

  private @Nullable Acceptor listen(String host, int port, Acceptor.Protocol protocol)
      throws IOException {
    return port < 0 ? null : Acceptor.listen(new InetSocketAddress(host, port), loops, protocol);
  }

  /** Starts the server, prints the ready line, and serves until SIGTERM or SIGINT. */
  public static void main(String[] args) throws IOException {
    ServerOptions options;
    try {
      options = ServerOptions.parse(List.of(args));
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.print(ServerOptions.USAGE);
      System.exit(2);
      return;
    }
    if (options.help()) {
      System.out.print(ServerOptions.USAGE);
      return;
    }
    try {
      new Server(options).serve(options);
    } catch (IOException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private void serve(ServerOptions options) throws IOException {
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "shutdown"));
    System.out.println("ready http=" + port(http) + " echo=" + port(echo));
    if (options.endWithInput()) {
      answerUntilInputEnds();
      System.exit(0);
    }
  }

  private static int port(@Nullable Acceptor acceptor) throws IOException {
    return acceptor == null ? -1 : acceptor.port();
  }

  private void answerUntilInputEnds() throws IOException {
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      System.out.println(line.equals("memory") ? memory() : "unknown: " + line);
    }
  }

  private String memory() {
    return MemoryReport.line(loops.stream().mapToInt(EventLoop::connections).sum());
  }

  /** Closes everything, and prints the remaining memory use, which should be zero. */
  private void close() {
    try {
      for (Acceptor acceptor : new Acceptor[] {http, echo}) {
        if (acceptor != null) {
          acceptor.close();
        }
      }
      for (EventLoop loop : loops) {
        loop.close();
      }
    } catch (IOException e) {
      System.err.println(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    System.out.println(memory());
  }
}
