/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.user;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufUtil;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.exporter.AllocatorSource;
import dev.cistern.exporter.ExporterServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** Prints the text of a pooled buffer, the bytes that the exporter shows for it, and what other pages answer. */
public final class Main {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    AllocatorSource source = new AllocatorSource("user").add("buffers", allocator);
    ByteBuf buffer = ByteBufUtil.writeUtf8(allocator, "from a pooled buffer");
    try (ExporterServer server = ExporterServer.start("127.0.0.1:0", source)) {
      System.out.println(buffer.toString(StandardCharsets.UTF_8));
      get(server, "/metrics")
          .body()
          .lines()
          .filter(line -> line.startsWith("cistern_pinned_bytes{"))
          .map(line -> line.replaceFirst("\\{.*\\}", ""))
          .filter(line -> !line.endsWith(" 0.0"))
          .forEach(System.out::println);
      for (String page : new String[] {"/leaks", "/live", "/state", "/debug/pprof/heap"}) {
        System.out.println(page + " " + get(server, page).statusCode());
      }
    } finally {
      buffer.release();
    }
  }

  private static HttpResponse<String> get(ExporterServer server, String page) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + page);
    return CLIENT.send(
        HttpRequest.newBuilder(uri).header("Accept", "application/json, */*").build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
