/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** All hosts except the one that uses only Netty. */
final class Hosts {
  /** The copy of Netty in gRPC, as metrics name it. */
  static final String SHADED = "io.grpc.netty.shaded.io.netty";

  /** The copies of Netty in Flink. */
  static final String FLINK = "org.apache.flink.shaded.netty4.io.netty";

  private static final String PLAIN = "example.hosts.plain.PlainHost";
  private static final String GRPC = "example.hosts.grpc.shaded.ShadedHost";

  private Hosts() {}

  /** Returns the host that uses only Netty, from one of the modules {@code netty}. */
  static HostCommand plain(String version, Client... clients) {
    return HostCommand.of("plain", PLAIN, clients).first("netty/" + version);
  }

  /** Returns the same host, which serves both HTTP and HTTPS. */
  static HostCommand plain(String version, String transport, String engine, TlsKey key) {
    return plain(version, HttpTalk.plain(), HttpTalk.over(key.client()))
        .arguments(transport, engine, key.file().toString(), key.password());
  }

  /** Returns the host on Reactor Netty 1.2 or 1.3. */
  static HostCommand reactor(String version) {
    return HostCommand.of(
        "reactor-" + version, "example.hosts.reactor.ReactorHost", HttpTalk.plain());
  }

  static HostCommand webflux() {
    return HostCommand.of("webflux", "example.hosts.webflux.WebFluxHost", HttpTalk.plain());
  }

  /** Returns the host on Vert.x 4 or 5. */
  static HostCommand vertx(String version) {
    return HostCommand.of(
        "vertx-" + version, "example.hosts.vertx.VertxHost", HttpTalk.plain(), new Loopback());
  }

  /** Returns a host with one port that echoes bodies under the load. */
  static HostCommand echo(String module, String main) {
    return HostCommand.of(module, "example.hosts." + main, HttpLoad.echo());
  }

  static HostCommand grpc(GrpcTalk client) {
    return HostCommand.of("grpc-netty", "example.hosts.grpc.GrpcHost", client);
  }

  static HostCommand shadedGrpc(GrpcTalk client) {
    return HostCommand.of("grpc-netty-shaded", GRPC, client);
  }

  /** Returns the host that uses only Netty, as a named module. */
  static HostCommand onTheModulePath() {
    return HostCommand.ofModule("jpms", "example.hosts.plain/" + PLAIN, HttpTalk.plain())
        .arguments("nio");
  }

  /** Returns a JVM with Netty 4.1, 4.2 and the copy in gRPC. */
  static HostCommand many(GrpcTalk client) {
    return HostCommand.of(
            "common", "example.hosts.common.ManyHosts", HttpTalk.plain(), HttpTalk.plain(), client)
        .arguments(
            plainClassPath("4.1.135"),
            PLAIN,
            "nio",
            plainClassPath("4.2.18"),
            PLAIN,
            "nio",
            HostCommand.join(HostCommand.pathOf("grpc-netty-shaded")),
            GRPC,
            "");
  }

  private static String plainClassPath(String version) {
    List<Path> entries = new ArrayList<>(HostCommand.pathOf("plain"));
    entries.add(HostCommand.pathOf("netty/" + version).get(1));
    return HostCommand.join(entries);
  }
}
