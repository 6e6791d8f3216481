/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts under a production load: {@link HttpLoad}, and its counterpart for gRPC. */
class LoadIT {
  private static final int FLINK_KEPT_BYTES = 6 * 64;

  /** Runs one host on Netty 4.1 and one on 4.2, for the default build. */
  @ParameterizedTest
  @ValueSource(strings = {"1.2", "1.3"})
  @Tag("smoke")
  void reactorNetty(String version) throws Exception {
    Comparison.underLoad(Hosts.reactor(version).calledBy(HttpLoad.echo()), "io.netty");
  }

  static List<HostCommand> frameworks() {
    return List.of(
        Hosts.plain("4.1.135").arguments("nio").calledBy(HttpLoad.echo()),
        Hosts.plain("4.2.18").arguments("epoll").calledBy(HttpLoad.echo()),
        // Even without the agent, this host leaks buffers of cancelled requests, as Netty's
        // detector shows.
        Hosts.webflux().calledBy(HttpLoad.echoToTheEnd()),
        Hosts.vertx("4").calledBy(HttpLoad.echo(), new Loopback()),
        Hosts.vertx("5").calledBy(HttpLoad.echo(), new Loopback()),
        Hosts.echo("armeria", "armeria.ArmeriaHost"),
        Hosts.echo("micronaut", "micronaut.MicronautHost"));
  }

  @ParameterizedTest
  @MethodSource("frameworks")
  void overHttp(HostCommand host) throws Exception {
    Comparison.underLoad(host, "io.netty");
  }

  static List<HostCommand> libraries() {
    return List.of(
        Hosts.echo("aws-sdk", "aws.AwsHost"),
        Hosts.echo("artemis", "artemis.ArtemisHost"),
        Hosts.echo("bookkeeper", "bookkeeper.BookKeeperHost"));
  }

  /** Hosts other than HTTP servers: each body passes through the library and back. */
  @ParameterizedTest
  @MethodSource("libraries")
  void throughALibrary(HostCommand host) throws Exception {
    Comparison.underLoad(host, "io.netty");
  }

  /**
   * Runs a cluster with one copy of Netty for calls, and one for data. In the latter, each of the
   * three connections keeps two small buffers.
   */
  @Test
  void throughFlink() throws Exception {
    HostCommand host = Hosts.echo("flink", "flink.FlinkHost");
    Comparison.underLoad(host, FLINK_KEPT_BYTES, Hosts.FLINK, Hosts.FLINK + "#2");
  }

  /** Sends real commands to a real server. */
  @ParameterizedTest
  @ValueSource(strings = {"lettuce", "redisson"})
  void throughRedis(String client) throws Exception {
    try (RedisServer server = RedisServer.start()) {
      HostCommand host = Hosts.echo("redis", "redis.RedisHost");
      Comparison.underLoad(host.arguments(client, server.address()), "io.netty");
    }
  }

  @Test
  void gRpcOnNettyItself() throws Exception {
    try (GrpcTalk client = GrpcTalk.startLoad()) {
      Comparison.underLoad(Hosts.grpc(client), "io.netty");
    }
  }

  @Test
  void gRpcOnItsOwnCopyOfNetty() throws Exception {
    try (GrpcTalk client = GrpcTalk.startLoad()) {
      Comparison.underLoad(Hosts.shadedGrpc(client), Hosts.SHADED);
    }
  }
}
