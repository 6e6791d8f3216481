/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.webflux;

import example.hosts.common.Answers;
import java.util.List;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The pages of the application. */
@RestController
final class Pages {
  /** The framework converts this record to JSON. */
  record Message(String message, List<Integer> numbers) {}

  @GetMapping(path = "/plaintext", produces = MediaType.TEXT_PLAIN_VALUE)
  String plaintext() {
    return Answers.PLAINTEXT;
  }

  @GetMapping("/json")
  Mono<Message> json() {
    return Mono.just(new Message(Answers.PLAINTEXT, List.of(1, 2, 3)));
  }

  @PostMapping(path = "/echo", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
  Flux<DataBuffer> echo(@RequestBody Flux<DataBuffer> body) {
    return body;
  }

  @GetMapping("/stream")
  Mono<Void> stream(ServerHttpResponse response) {
    DataBufferFactory buffers = response.bufferFactory();
    return response.writeWith(
        Flux.range(0, Answers.PARTS)
            .map(part -> buffers.allocateBuffer(Answers.PART_BYTES).write(Answers.part(part))));
  }
}
