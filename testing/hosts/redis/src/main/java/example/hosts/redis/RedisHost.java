/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.redis;

import example.hosts.common.EchoServer;
import example.hosts.common.Lifetime;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.config.Config;

/** Stores each body in Redis, and returns the bytes that it reads back. */
public final class RedisHost {
  private static final AtomicLong KEYS = new AtomicLong();

  private RedisHost() {}

  /** Takes {@code lettuce} or {@code redisson}, and the address of a Redis server. */
  public static void main(String[] arguments) throws IOException {
    EchoServer.Way way =
        arguments[0].equals("lettuce") ? lettuce(arguments[1]) : redisson(arguments[1]);
    Lifetime.serve(EchoServer.start(way));
  }

  private static EchoServer.Way lettuce(String address) {
    RedisCommands<byte[], byte[]> commands =
        RedisClient.create(address).connect(io.lettuce.core.codec.ByteArrayCodec.INSTANCE).sync();
    return body -> {
      byte[] key = ("key" + KEYS.incrementAndGet()).getBytes(StandardCharsets.US_ASCII);
      commands.set(key, body);
      byte[] stored = commands.get(key);
      commands.del(key);
      return stored;
    };
  }

  private static EchoServer.Way redisson(String address) {
    Config config = new Config();
    config.useSingleServer().setAddress(address);
    RedissonClient client = Redisson.create(config);
    return body -> {
      var bucket =
          client.<byte[]>getBucket("key" + KEYS.incrementAndGet(), ByteArrayCodec.INSTANCE);
      bucket.set(body);
      return bucket.getAndDelete();
    };
  }
}
