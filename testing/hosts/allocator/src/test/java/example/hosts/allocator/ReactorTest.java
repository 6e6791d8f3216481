/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.netty.CisternAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.ConnectionProvider;

class ReactorTest {
  private static final int REQUESTS = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void requestsAreServedByThePool(boolean nativeTransport) {
    byte[] body = new byte[50_000];
    new Random(1).nextBytes(body);
    Served served = new Served();
    DisposableServer server =
        HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .runOn(reactor.netty.resources.LoopResources.create("server", 1, true), nativeTransport)
            .childOption(ChannelOption.ALLOCATOR, CisternAllocator.DEFAULT)
            .handle((request, response) -> response.send(request.receive().retain()))
            .bindNow();
    assertThat(server.channel())
        .isInstanceOf(
            nativeTransport ? EpollServerSocketChannel.class : NioServerSocketChannel.class);
    ConnectionProvider connections = ConnectionProvider.create("test", 1);
    HttpClient client =
        HttpClient.create(connections)
            .host("127.0.0.1")
            .port(server.port())
            .option(ChannelOption.ALLOCATOR, CisternAllocator.DEFAULT);
    for (int i = 0; i < REQUESTS; i++) {
      byte[] answer =
          client
              .post()
              .send(ByteBufFlux.fromInbound(Flux.just(body), CisternAllocator.DEFAULT))
              .responseSingle((response, content) -> content.map(ReactorTest::bytes))
              .switchIfEmpty(Mono.just(new byte[0]))
              .block(PATIENCE);
      assertThat(answer).isEqualTo(body);
    }
    connections.disposeLater().block(PATIENCE);
    server.disposeNow(PATIENCE);
    served.atLeast(2 * REQUESTS);
    Served.allReturned();
  }

  private static byte[] bytes(ByteBuf content) {
    byte[] bytes = new byte[content.readableBytes()];
    content.getBytes(content.readerIndex(), bytes);
    return bytes;
  }
}
