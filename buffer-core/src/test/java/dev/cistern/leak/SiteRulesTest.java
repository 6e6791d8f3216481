/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteRulesTest {
  private static final StackTraceElement ALLOCATOR =
      frame("io.netty.buffer.AbstractByteBufAllocator", "buffer");

  @TempDir private Path directory;

  private static StackTraceElement frame(String className, String method) {
    return new StackTraceElement(className, method, "File.java", 7);
  }

  private static String site(List<String> rules, StackTraceElement... stack) {
    return new SiteFinder("io.netty", new SiteRules(rules)).site(stack);
  }

  private Path file(String... lines) throws IOException {
    return Files.write(directory.resolve("rules.txt"), List.of(lines));
  }

  /** The second class belongs to the same product, or to an application built on it. */
  @ParameterizedTest
  @CsvSource({
    "org.springframework.core.io.buffer.NettyDataBufferFactory,"
        + "org.springframework.cloud.gateway.filter.factory.rewrite.ModifyResponseBodyFilter",
    "org.springframework.http.codec.EncoderHttpMessageWriter, org.springframework.web.Handler",
    "reactor.core.publisher.FluxMap$MapSubscriber, reactor.netty.channel.FluxReceive",
    "reactor.netty.ByteBufFlux, reactor.netty.http.server.HttpServerOperations",
    "io.vertx.core.buffer.impl.BufferImpl, io.vertx.ext.web.RoutingContext",
    "io.vertx.core.internal.buffer.BufferInternal, io.vertx.core.http.HttpServer",
    "com.linecorp.armeria.internal.common.ByteBufBytes, com.linecorp.armeria.server.HttpService",
    "com.linecorp.armeria.common.HttpData, com.linecorp.armeria.common.HttpDataHandler",
    "io.grpc.netty.NettyWritableBufferAllocator, io.grpc.netty.NettyServerHandler",
    "io.grpc.internal.AbstractStream, com.acme.Greeter",
    "io.grpc.stub.ServerCalls$ServerCallStreamObserverImpl, com.acme.Greeter",
    "io.grpc.ForwardingServerCall$SimpleForwardingServerCall, com.acme.Interceptor",
    "software.amazon.awssdk.http.nio.netty.internal.utils.ByteBufUtils,"
        + "software.amazon.awssdk.services.s3.S3AsyncClient",
    "io.lettuce.core.protocol.CommandArgs, io.lettuce.core.RedisAsyncCommandsImpl",
    "org.redisson.client.handler.CommandEncoder, org.redisson.RedissonMap",
    "org.redisson.codec.Kryo5Codec, org.redisson.RedissonBucket",
    "org.apache.activemq.artemis.api.core.ActiveMQBuffers,"
        + "org.apache.activemq.artemis.core.server.impl.QueueImpl",
    "org.apache.pulsar.common.allocator.PulsarByteBufAllocator,"
        + "org.apache.pulsar.broker.service.Consumer",
    "org.apache.bookkeeper.common.allocator.impl.ByteBufAllocatorImpl,"
        + "org.apache.bookkeeper.client.LedgerHandle",
    "org.apache.flink.runtime.io.network.netty.NettyBufferPool,"
        + "org.apache.flink.runtime.taskmanager.Task",
    "org.apache.spark.network.util.NettyUtils, org.apache.spark.network.shuffle.BlockResolver",
    "org.apache.arrow.memory.BaseAllocator, org.apache.arrow.flight.FlightClient",
  })
  void aDefaultRuleFoldsTheFactoryAndNotItsCaller(String factory, String caller) {
    assertThat(
            site(SiteRules.defaults(), ALLOCATOR, frame(factory, "make"), frame(caller, "handle")))
        .isEqualTo(caller + ".handle:7");
  }

  @Test
  void nettyFoldsWithoutARule() {
    assertThat(site(List.of(), ALLOCATOR, frame("com.shop.Cart", "encode")))
        .isEqualTo("com.shop.Cart.encode:7");
  }

  @Test
  void theFilterBehindAFactoryAndOperatorsIsTheSite() {
    assertThat(
            site(
                SiteRules.defaults(),
                ALLOCATOR,
                frame(
                    "org.springframework.core.io.buffer.NettyDataBufferFactory", "allocateBuffer"),
                frame("com.shop.AuditFilter", "lambda$filter$0"),
                frame("reactor.core.publisher.FluxMap$MapSubscriber", "onNext")))
        .isEqualTo("com.shop.AuditFilter.lambda$filter$0:7");
  }

  @Test
  void aRuleMatchesBelowARelocationPrefix() {
    assertThat(
            site(
                SiteRules.defaults(),
                frame("org.apache.flink.shaded.netty4.io.netty.buffer.Unpooled", "buffer"),
                frame("com.vendor.shaded.reactor.core.publisher.Mono", "block"),
                frame("io.grpc.netty.shaded.io.grpc.netty.NettyWritableBuffer", "write"),
                frame("com.shop.Cart", "encode")))
        .isEqualTo("com.shop.Cart.encode:7");
  }

  @Test
  void aRuleEndsAtTheEndOfAName() {
    SiteRules rules = new SiteRules(List.of("com.shop.Pool", "com.shop.buf*", "a.b.C#make"));
    assertThat(rules.folds(frame("com.shop.Pool", "get"))).isTrue();
    assertThat(rules.folds(frame("com.shop.Pool$Entry", "get"))).isTrue();
    assertThat(rules.folds(frame("com.shop.Pool.Entry", "get"))).isTrue();
    assertThat(rules.folds(frame("com.shop.PoolUser", "get"))).isFalse();
    assertThat(rules.folds(frame("com.shop.buffers.Factory", "get"))).isTrue();
    assertThat(rules.folds(frame("xcom.shop.Pool", "get"))).isFalse();
    assertThat(rules.folds(frame("a.b.C", "make"))).isTrue();
    assertThat(rules.folds(frame("a.b.C", "use"))).isFalse();
    assertThat(rules.folds(frame("Main", "main"))).isFalse();
  }

  @Test
  void theFirstFrameworkFrameIsTheSiteIfAllFold() {
    assertThat(
            site(
                SiteRules.defaults(),
                ALLOCATOR,
                frame(
                    "org.springframework.core.io.buffer.NettyDataBufferFactory", "allocateBuffer"),
                frame("reactor.core.publisher.Mono", "subscribe"),
                frame("io.netty.channel.nio.NioEventLoop", "run")))
        .isEqualTo("org.springframework.core.io.buffer.NettyDataBufferFactory.allocateBuffer:7");
  }

  @Test
  void manyClassesAreMatchedAlike() {
    SiteRules rules = new SiteRules(List.of("com.shop.Pool"));
    for (int i = 0; i < 10_000; i++) {
      assertThat(rules.folds(frame("com.shop.C" + i, "get"))).isFalse();
    }
    assertThat(rules.folds(frame("com.shop.Pool", "get"))).isTrue();
  }

  @Test
  void aFileAddsAndRemovesRules() throws IOException {
    List<String> rules =
        SiteRules.defaultsWith(
            file("# ours", "", "com.shop.buffers  # the factory", "-reactor.core.publisher"));
    assertThat(rules)
        .contains("com.shop.buffers", "io.lettuce.core.codec")
        .doesNotContain("reactor.core.publisher")
        .hasSize(SiteRules.defaults().size());
  }

  @Test
  void aBadFileKeepsTheDefaults() throws IOException {
    Path bad = file("# ours", "com.shop.buffers", "", "password=secret");
    assertThatThrownBy(() -> SiteRules.defaultsWith(bad))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("site rule: line 4 (expected: ")
        .hasMessageNotContaining("secret");
    assertThat(LeakSettings.siteRules(bad.toString())).isEqualTo(SiteRules.defaults());
    assertThat(LeakSettings.siteRules("/no/such/file")).isEqualTo(SiteRules.defaults());
    assertThat(LeakSettings.siteRules(file("com.shop.buffers").toString()))
        .contains("com.shop.buffers");
    assertThatThrownBy(() -> SiteRules.defaultsWith(file("com"))).hasMessageContaining("line 1 ");
  }

  @Test
  void allDefaultsAreRules() {
    assertThat(SiteRules.defaults()).hasSizeGreaterThan(40).doesNotHaveDuplicates();
    assertThat(new SiteRules(SiteRules.defaults())).isNotNull();
  }
}
