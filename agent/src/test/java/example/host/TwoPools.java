/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import dev.cistern.netty.CisternAllocator;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * An application that uses Cistern's own allocator and an allocator of Netty that the agent serves.
 */
public final class TwoPools {
  private static final int OF_LIBRARY = 300;
  private static final int OF_NETTY = 200;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private TwoPools() {}

  public static void main(String[] arguments) throws Exception {
    awaitAgent();
    long agentBefore = servedByAgent();
    long libraryBefore = servedByLibrary();
    long directBefore = PlatformDependent.usedDirectMemory();
    long agentPinned = bytesOfAgent("pinned");
    long libraryPinned = CisternAllocator.DEFAULT.pools().get(0).pinnedBytes();
    long ofNetty = notReserved();
    List<ByteBuf> held = new ArrayList<>();
    take(held, CisternAllocator.DEFAULT, OF_LIBRARY);
    take(held, PooledByteBufAllocator.DEFAULT, OF_NETTY);
    System.out.println("agent served " + (servedByAgent() - agentBefore));
    System.out.println("library served " + (servedByLibrary() - libraryBefore));
    System.out.println("agent pinned " + (bytesOfAgent("pinned") - agentPinned));
    System.out.println(
        "library pinned "
            + (CisternAllocator.DEFAULT.pools().get(0).pinnedBytes() - libraryPinned));
    Class<?> ofLibrary = Bare.of(held.get(0)).getClass();
    Class<?> ofAgent = Bare.of(held.get(OF_LIBRARY)).getClass();
    System.out.println("class " + ofLibrary.getName());
    System.out.println("class " + ofAgent.getName());
    System.out.println("same class " + (ofLibrary == ofAgent));
    System.out.println(
        "of the application " + (ofLibrary.getClassLoader() == TwoPools.class.getClassLoader()));
    ByteBuf large = CisternAllocator.DEFAULT.directBuffer(20 << 20);
    System.out.println(
        "counted " + (PlatformDependent.usedDirectMemory() - directBefore >= 20 << 20));
    System.out.println("sum of both counted " + (notReserved() == ofNetty));
    large.release();
    held.forEach(ByteBuf::release);
    for (PoolSnapshot pool : CisternAllocator.DEFAULT.pools()) {
      System.out.println("pinned " + pool.pinnedBytes());
    }
    System.out.println("agent pinned " + (bytesOfAgent("pinned") - agentPinned));
    System.out.println("done");
  }

  private static void take(List<ByteBuf> held, ByteBufAllocator allocator, int count) {
    for (int i = 0; i < count; i++) {
      held.add(allocator.directBuffer(1_000));
    }
  }

  private static void awaitAgent() throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() < deadline) {
      ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(16);
      boolean isServed = Bare.className(buffer).startsWith("dev.cistern.");
      buffer.release();
      if (isServed && endpoint().find()) {
        return;
      }
      Thread.onSpinWait();
    }
    throw new IllegalStateException("the agent does not serve");
  }

  private static long servedByLibrary() {
    PoolSnapshot direct = CisternAllocator.DEFAULT.pools().get(0);
    long sum = 0;
    for (SizeGroup group : SizeGroup.values()) {
      sum += direct.allocations(group);
    }
    return sum;
  }

  /** Returns the bytes in Netty's account that neither allocator reports: Netty's own chunks. */
  private static long notReserved() throws Exception {
    return PlatformDependent.usedDirectMemory()
        - bytesOfAgent("reserved")
        - CisternAllocator.DEFAULT.metric().usedDirectMemory();
  }

  private static long servedByAgent() throws Exception {
    return sumOfAgent("cistern_served_allocations_total{", "");
  }

  private static long bytesOfAgent(String kind) throws Exception {
    return sumOfAgent("cistern_" + kind + "_bytes{", "memory=\"direct\"");
  }

  private static long sumOfAgent(String metric, String label) throws Exception {
    Matcher address = endpoint();
    if (!address.find()) {
      throw new IllegalStateException("the agent has no endpoint");
    }
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(address.group())).build(), BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith(metric) && line.contains(label))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  /**
   * Returns a search for the address of the agent's endpoint, which opens after the pool serves.
   */
  private static Matcher endpoint() throws Exception {
    ObjectName name = new ObjectName("dev.cistern:type=Agent");
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    Object text = beans.isRegistered(name) ? beans.getAttribute(name, "Endpoint") : "";
    return Pattern.compile("http://\\S+/metrics").matcher(String.valueOf(text));
  }
}
