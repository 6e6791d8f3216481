/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.gateway;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Copies each part of a body into a buffer of its own, and never releases that. */
final class CopyingFilter implements GatewayFilter {
  @Override
  public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
    DataBufferFactory buffers = exchange.getResponse().bufferFactory();
    var request =
        new ServerHttpRequestDecorator(exchange.getRequest()) {
          @Override
          public Flux<DataBuffer> getBody() {
            return super.getBody().doOnNext(part -> copy(buffers, part));
          }
        };
    return chain.filter(exchange.mutate().request(request).build());
  }

  private static void copy(DataBufferFactory buffers, DataBuffer part) {
    byte[] bytes = new byte[part.readableByteCount()];
    int position = part.readPosition();
    part.read(bytes);
    part.readPosition(position);
    buffers.allocateBuffer(bytes.length).write(bytes);
  }
}
