/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.gateway;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Replaces each part of a body by a copy, and retains the copy once more than it is released. */
final class ReplacingFilter implements GatewayFilter {
  @Override
  public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
    DataBufferFactory buffers = exchange.getResponse().bufferFactory();
    var request =
        new ServerHttpRequestDecorator(exchange.getRequest()) {
          @Override
          public Flux<DataBuffer> getBody() {
            return super.getBody().map(part -> replace(buffers, part));
          }
        };
    return chain.filter(exchange.mutate().request(request).build());
  }

  private static DataBuffer replace(DataBufferFactory buffers, DataBuffer part) {
    byte[] bytes = new byte[part.readableByteCount()];
    part.read(bytes);
    DataBufferUtils.release(part);
    DataBuffer copy = buffers.allocateBuffer(bytes.length).write(bytes);
    return DataBufferUtils.retain(copy);
  }
}
