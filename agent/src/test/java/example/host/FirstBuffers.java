/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * A host whose threads allocate its first buffers at the same time, when the agent is ready for
 * them.
 */
public final class FirstBuffers {
  private static final int THREADS = 4;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private FirstBuffers() {}

  /**
   * Allocates buffers.
   *
   * @param arguments {@code adaptive}: use an allocator whose class is loaded late; {@code off}:
   *     set mode off before the first buffer
   */
  public static void main(String[] arguments) throws Exception {
    ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    awaitInventory("first buffer");
    if (List.of(arguments).contains("adaptive")) {
      allocator = new AdaptiveByteBufAllocator();
    }
    awaitGate(allocator);
    if (List.of(arguments).contains("off")) {
      command("changeMode", "off", 100, "*");
    }
    for (Class<?> type : firstBuffers(allocator)) {
      System.out.println("buffer " + type.getName());
    }
    System.out.println("chunks of Netty " + chunks(PooledByteBufAllocator.DEFAULT));
    System.out.println(command("inventory"));
    interruptAgent();
  }

  /**
   * Waits until the agent is ready for the first buffer of this allocator, whose class is loaded.
   */
  static void awaitGate(ByteBufAllocator allocator) throws Exception {
    awaitInventory("first buffer");
    command("changeMode", "swap", 100, "*"); // after that, the agent's thread has seen the class
    if (!command("inventory").contains("first buffer")) {
      throw new IllegalStateException(allocator + " has made a buffer before");
    }
  }

  private static List<Class<?>> firstBuffers(ByteBufAllocator allocator) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    CyclicBarrier start = new CyclicBarrier(THREADS);
    Callable<Class<?>> first =
        () -> {
          start.await();
          ByteBuf buffer = allocator.directBuffer(100);
          ByteBuf bare = buffer;
          while (bare.unwrap() != null) {
            bare = bare.unwrap(); // below a leak-aware wrapper
          }
          Class<?> type = bare.getClass();
          buffer.release();
          return type;
        };
    List<Class<?>> types = new ArrayList<>();
    for (Future<Class<?>> each : threads.invokeAll(List.of(first, first, first, first))) {
      types.add(each.get());
    }
    threads.shutdown();
    return types;
  }

  private static long chunks(PooledByteBufAllocator allocator) {
    long bytes = 0;
    for (PoolArenaMetric arena : allocator.metric().directArenas()) {
      bytes += arena.numActiveBytes();
    }
    return bytes / allocator.metric().chunkSize();
  }

  private static void awaitInventory(String words) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() - deadline < 0) {
      if (server.isRegistered(name()) && command("inventory").contains(words)) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
    throw new IllegalStateException("the agent does not wait for a buffer");
  }

  private static ObjectName name() throws Exception {
    return new ObjectName("dev.cistern:type=Agent");
  }

  private static void interruptAgent() {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("cistern-agent")) {
        thread.interrupt();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (thread.isInterrupted() && System.nanoTime() - deadline < 0) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        System.out.println("the agent's thread is interrupted " + thread.isInterrupted());
      }
    }
  }

  private static String command(String operation, Object... arguments) throws Exception {
    String[] types = new String[arguments.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = arguments[i] instanceof Integer ? "int" : "java.lang.String";
    }
    return (String)
        ManagementFactory.getPlatformMBeanServer().invoke(name(), operation, arguments, types);
  }
}
