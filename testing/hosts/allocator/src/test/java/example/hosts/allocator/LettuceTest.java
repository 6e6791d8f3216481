/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.netty.CisternAllocator;
import dev.cistern.testing.Program;
import dev.cistern.testing.Tool;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a client of a Redis server over a Unix socket, so that no port has to be free. */
class LettuceTest {
  private static final int KEYS = 100;
  private static final int VALUE_BYTES = 50_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path directory;

  private static final class OnCistern implements NettyCustomizer {
    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
      bootstrap.option(ChannelOption.ALLOCATOR, CisternAllocator.DEFAULT);
    }
  }

  @Test
  void commandsAreServedByThePool() throws Exception {
    Path socket = directory.resolve("redis.sock");
    List<String> command =
        List.of(
            Tool.path("redis-server", "redis-server"),
            "--port",
            "0",
            "--unixsocket",
            socket.toString(),
            "--dir",
            directory.toString(),
            "--save",
            "");
    try (Program redis = Program.start("redis-server", command)) {
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                redis.assertRuns();
                return Files.exists(socket);
              });
      Served served = new Served();
      talk(RedisURI.Builder.socket(socket.toString()).withTimeout(PATIENCE).build());
      served.atLeast(2 * KEYS);
      Served.allReturned();
    }
  }

  private static void talk(RedisURI server) throws Exception {
    ClientResources resources = ClientResources.builder().nettyCustomizer(new OnCistern()).build();
    RedisClient client = RedisClient.create(resources, server);
    try (StatefulRedisConnection<byte[], byte[]> connection =
        client.connect(ByteArrayCodec.INSTANCE)) {
      byte[] value = new byte[VALUE_BYTES];
      new Random(1).nextBytes(value);
      for (int i = 0; i < KEYS; i++) {
        byte[] key = ("key" + i).getBytes(StandardCharsets.US_ASCII);
        assertThat(connection.sync().set(key, value)).isEqualTo("OK");
        assertThat(connection.sync().get(key)).isEqualTo(value);
      }
    } finally {
      client.shutdown();
      resources.shutdown().await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }
}
