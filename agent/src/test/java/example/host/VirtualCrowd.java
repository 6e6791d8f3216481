/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An application that has a virtual thread for each of its tasks. A task allocates a buffer and
 * passes it to another task. Then it takes a buffer of another task, checks it and releases it.
 * Orders: {@code class} (class of the buffers that the calling thread gets), {@code crowd n} (runs
 * n tasks, an even number; returns how many released a buffer of another task, and how many
 * failed), {@code collect}, {@code exit}.
 */
public final class VirtualCrowd {
  private static final List<ByteBufAllocator> ALLOCATORS =
      List.of(PooledByteBufAllocator.DEFAULT, new AdaptiveByteBufAllocator());

  /** Number of tasks at a time, so that not all buffers are in use at once. */
  private static final int TOGETHER = 5_000;

  private static final long LIMIT_SECONDS = 60;

  /**
   * Queues from the even tasks to the odd ones, and back. They are shorter than the crowd, so most
   * tasks wait.
   */
  private final List<BlockingQueue<ByteBuf>> between =
      List.of(new ArrayBlockingQueue<>(100), new ArrayBlockingQueue<>(100));

  private final Semaphore places = new Semaphore(TOGETHER);
  private final AtomicInteger handedOver = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  private VirtualCrowd() {}

  public static void main(String[] arguments) throws Throwable {
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = in.readLine(); order != null; order = in.readLine()) {
      if (order.equals("exit")) {
        return;
      } else if (order.equals("collect")) {
        System.gc();
        System.out.println(order);
      } else if (order.equals("class")) {
        System.out.println(order + ' ' + bufferClass());
      } else {
        System.out.println(
            order + ' ' + new VirtualCrowd().run(Integer.parseInt(order.substring(6))));
      }
    }
  }

  private static String bufferClass() {
    String names = "";
    for (ByteBufAllocator allocator : ALLOCATORS) {
      ByteBuf buffer = allocator.directBuffer(64);
      names += Bare.className(buffer) + ' ';
      buffer.release();
    }
    return names;
  }

  private String run(int tasks) throws Throwable {
    // by name, because this is also compiled for JDK 17
    MethodHandle start =
        MethodHandles.publicLookup()
            .findStatic(
                Thread.class,
                "startVirtualThread",
                MethodType.methodType(Thread.class, Runnable.class));
    for (int i = 0; i < tasks; i++) {
      places.acquire();
      int number = i;
      Runnable task = () -> take(number);
      Thread unused = (Thread) start.invokeExact(task);
    }
    if (!places.tryAcquire(TOGETHER, LIMIT_SECONDS, TimeUnit.SECONDS)) {
      failed.incrementAndGet();
    }
    return handedOver + " " + failed;
  }

  private void take(int number) {
    try {
      between.get(number % 2).put(make(number));
      ByteBuf other = between.get((number + 1) % 2).take();
      int maker = other.readInt();
      for (int i = 0; other.isReadable(); i++) {
        if (other.readByte() != (byte) (maker + i)) {
          throw new IllegalStateException("content lost");
        }
      }
      if (!other.release()) {
        throw new IllegalStateException("still referenced");
      }
      handedOver.addAndGet(maker == number ? 0 : 1);
    } catch (Throwable failure) {
      failed.incrementAndGet();
      failure.printStackTrace();
    } finally {
      places.release();
    }
  }

  /** Allocates a buffer; the kind and the size depend on the number. */
  private static ByteBuf make(int number) {
    ByteBufAllocator allocator = ALLOCATORS.get(number % 2);
    int bytes = Integer.BYTES + 37 * (number % 100);
    ByteBuf buffer = number % 4 < 2 ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes);
    buffer.writeInt(number);
    for (int i = 0; buffer.writerIndex() < bytes; i++) {
      buffer.writeByte(number + i);
    }
    return buffer;
  }
}
