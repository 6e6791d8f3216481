/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * An application that uses Netty's buffers, holds some and leaks some. Then it prints the metrics
 * of its allocators, followed by those of the agent's endpoint.
 */
public final class Observed {
  private static final PooledByteBufAllocator POOLED = PooledByteBufAllocator.DEFAULT;
  private static final AdaptiveByteBufAllocator ADAPTIVE = new AdaptiveByteBufAllocator();
  private static final int SIZE = 10_000;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);

  private Observed() {}

  /**
   * Holds and leaks buffers.
   *
   * @param arguments none
   */
  public static void main(String[] arguments) throws Exception {
    String endpoint = awaitObserver();
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      holdPooled(held);
      holdAdaptive(held);
      leak(POOLED);
      leak(ADAPTIVE);
      useCorrectly();
    }
    awaitLeaks(endpoint);
    print("pooled direct used", POOLED.metric().usedDirectMemory());
    print("pooled heap used", POOLED.metric().usedHeapMemory());
    print("pooled direct pinned", POOLED.pinnedDirectMemory());
    print("adaptive direct used", ADAPTIVE.usedDirectMemory());
    print("adaptive heap used", ADAPTIVE.usedHeapMemory());
    print("direct arenas", POOLED.metric().numDirectArenas());
    print(
        "caches", POOLED.metric().directArenas().stream().mapToInt(a -> a.numThreadCaches()).sum());
    print("chunk", POOLED.metric().chunkSize());
    System.out.println("class " + held.get(0).getClass().getName());
    System.out.println("class " + held.get(1).getClass().getName());
    get(endpoint + "/metrics").lines().forEach(line -> System.out.println("metrics " + line));
    get(endpoint + "/live").lines().forEach(line -> System.out.println("live " + line));
    get(endpoint + "/leaks").lines().forEach(line -> System.out.println("leaks " + line));
    get(endpoint + "/state").lines().forEach(line -> System.out.println("state " + line));
    get(endpoint + "/").lines().forEach(line -> System.out.println("page " + line));
    held.forEach(ByteBuf::release);
    System.out.println("done");
    System.exit(0); // the client's threads
  }

  private static void print(String name, long value) {
    System.out.println("own " + name + " = " + value);
  }

  private static void holdPooled(List<ByteBuf> held) {
    held.add(POOLED.directBuffer(SIZE));
  }

  private static void holdAdaptive(List<ByteBuf> held) {
    held.add(ADAPTIVE.directBuffer(SIZE));
  }

  private static void leak(ByteBufAllocator allocator) {
    allocator.directBuffer(SIZE).writeInt(1);
  }

  private static void useCorrectly() {
    for (int i = 0; i < 10; i++) {
      POOLED.heapBuffer(SIZE).writeInt(1).release();
      ADAPTIVE.heapBuffer(SIZE).writeInt(1).release();
    }
  }

  /**
   * Returns the address of the agent's endpoint once that shows both allocators, which must have
   * been used before.
   */
  private static String awaitObserver() throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      POOLED.directBuffer(16).release();
      ADAPTIVE.directBuffer(16).release();
      pause();
      String endpoint = endpoint();
      String text = endpoint.isEmpty() ? "no endpoint" : get(endpoint + "/metrics");
      if (text.contains("adaptive-") && text.contains("pooled-")) {
        return endpoint;
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the allocators are not observed: " + text);
      }
    }
  }

  /** The address that the agent names by JMX, or nothing. */
  private static String endpoint() throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName agent = new ObjectName("dev.cistern:type=Agent");
    Matcher address =
        Pattern.compile("metrics on (http://[^/]+)/metrics")
            .matcher(
                server.isRegistered(agent)
                    ? String.valueOf(server.getAttribute(agent, "Endpoint"))
                    : "");
    return address.find() ? address.group(1) : "";
  }

  private static void awaitLeaks(String endpoint) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!get(endpoint + "/leaks").contains("Observed.leak") && System.nanoTime() < deadline) {
      System.gc();
      pause();
    }
  }

  private static void pause() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
  }

  private static String get(String address) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(address)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
