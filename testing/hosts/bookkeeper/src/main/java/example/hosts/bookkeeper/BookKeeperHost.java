/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.bookkeeper;

import example.hosts.common.EchoServer;
import example.hosts.common.Lifetime;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import org.apache.bookkeeper.common.allocator.ByteBufAllocatorBuilder;
import org.apache.bookkeeper.common.allocator.PoolingPolicy;

/**
 * Writes each body to a buffer of a bookie's allocator, and returns the bytes that it reads back.
 */
public final class BookKeeperHost {
  private BookKeeperHost() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) throws IOException {
    ByteBufAllocator allocator =
        ByteBufAllocatorBuilder.create().poolingPolicy(PoolingPolicy.PooledDirect).build();
    Lifetime.serve(EchoServer.start(body -> copy(allocator, body)));
  }

  private static byte[] copy(ByteBufAllocator allocator, byte[] body) {
    // The buffer begins small and grows, as the buffer of an entry does.
    ByteBuf buffer = allocator.buffer(16);
    try {
      buffer.writeBytes(body);
      byte[] copy = new byte[buffer.readableBytes()];
      buffer.readBytes(copy);
      return copy;
    } finally {
      buffer.release();
    }
  }
}
