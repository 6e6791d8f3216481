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

/** Passes each part of a request's body through a method. */
abstract class BodyFilter implements GatewayFilter {
  @Override
  public final Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
    DataBufferFactory buffers = exchange.getResponse().bufferFactory();
    var request =
        new ServerHttpRequestDecorator(exchange.getRequest()) {
          @Override
          public Flux<DataBuffer> getBody() {
            return super.getBody().map(part -> apply(buffers, part));
          }
        };
    return chain.filter(exchange.mutate().request(request).build());
  }

  /** Returns the part that the application receives in place of {@code part}. */
  abstract DataBuffer apply(DataBufferFactory buffers, DataBuffer part);
}
