/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.boot;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufUtil;
import dev.cistern.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Writes each response to buffers of the library. */
@RestController
final class Orders {
  private final PooledByteBufAllocator allocator;

  Orders(PooledByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  @GetMapping("/orders")
  String order(@RequestParam("name") String name) {
    ByteBuf buffer = ByteBufUtil.writeUtf8(allocator, "order of " + name);
    try {
      return buffer.toString(StandardCharsets.UTF_8);
    } finally {
      buffer.release();
    }
  }
}
