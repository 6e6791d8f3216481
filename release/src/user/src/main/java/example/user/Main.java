/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.user;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufUtil;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.exporter.AllocatorSource;
import dev.cistern.exporter.ExporterServer;
import dev.cistern.netty.CisternAllocator;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/**
 * Prints the text of a pooled buffer and of a buffer of a Netty channel, the bytes that the exporter shows for each, and
 * the status of other pages.
 */
public final class Main {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    AllocatorSource source =
        new AllocatorSource("user").add("buffers", allocator).add("netty", CisternAllocator.DEFAULT);
    ByteBuf buffer = ByteBufUtil.writeUtf8(allocator, "from a pooled buffer");
    Channel channel = new EmbeddedChannel();
    channel.config().setAllocator(CisternAllocator.DEFAULT);
    io.netty.buffer.ByteBuf nettyBuffer = channel.alloc().directBuffer(1024);
    nettyBuffer.writeCharSequence("from a channel's buffer", StandardCharsets.US_ASCII);
    try (ExporterServer server = ExporterServer.start("127.0.0.1:0", source)) {
      System.out.println(buffer.toString(StandardCharsets.UTF_8));
      System.out.println(nettyBuffer.toString(StandardCharsets.US_ASCII));
      get(server, "/metrics")
          .body()
          .lines()
          .filter(line -> line.startsWith("cistern_pinned_bytes{"))
          .map(line -> line.replaceFirst("\\{.*pool=\"([a-z]+)\".*\\}", " $1"))
          .filter(line -> !line.endsWith(" 0.0"))
          .forEach(System.out::println);
      for (String page : new String[] {"/leaks", "/live", "/state", "/debug/pprof/heap"}) {
        System.out.println(page + " " + get(server, page).statusCode());
      }
    } finally {
      nettyBuffer.release();
      buffer.release();
      channel.close();
    }
  }

  private static HttpResponse<String> get(ExporterServer server, String page) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + page);
    return CLIENT.send(
        HttpRequest.newBuilder(uri).header("Accept", "application/json, */*").build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
