/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * An application under steady load that reads orders line by line. Threads allocate, fill, grow and
 * slice buffers, and pass them to other threads, which check and release them. With the argument
 * {@code channels}, one more thread opens and closes connections of Netty's transport.
 *
 * <p>Orders: {@code classes} (classes of the buffers of the allocators), {@code hold n} (holds n
 * buffers), {@code drop} (checks and releases them), {@code lose n} (leaks n buffers), {@code
 * count} (operations and errors so far), {@code memory} (memory on the heap, class metadata,
 * threads), {@code property name} (clears the system property, or sets it if a value follows),
 * {@code watching} (whether the agent watches channels and holders), {@code stop} (ends the load,
 * with what is left to release), {@code exit}.
 */
public final class Steady {
  private static final int THREADS = 4;

  private static final List<ByteBufAllocator> ALLOCATORS =
      List.of(
          PooledByteBufAllocator.DEFAULT,
          new PooledByteBufAllocator(true) {}, // some hosts extend it, as Flink does
          new AdaptiveByteBufAllocator());

  private static final BlockingQueue<ByteBuf> BETWEEN = new ArrayBlockingQueue<>(200);
  private static final AtomicLong OPERATIONS = new AtomicLong();
  private static final AtomicLong ERRORS = new AtomicLong();
  private static final List<ByteBuf> HELD = new ArrayList<>();
  private static volatile boolean stopped;

  private Steady() {}

  public static void main(String[] arguments) throws Exception {
    for (ByteBufAllocator allocator : ALLOCATORS) {
      allocator.directBuffer(16).release();
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int seed = i;
      Runnable load = () -> load(new SplittableRandom(seed));
      Thread thread = i % 2 == 0 ? new FastThreadLocalThread(load) : new Thread(load);
      threads.add(thread);
      thread.start();
    }
    if (arguments.length > 0) {
      Thread thread = new Thread(Steady::loadChannels);
      threads.add(thread);
      thread.start();
    }
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = in.readLine(); order != null; order = in.readLine()) {
      follow(order, threads);
      if (order.equals("exit")) {
        return;
      }
    }
  }

  private static void follow(String order, List<Thread> threads) throws Exception {
    if (order.equals("classes")) {
      System.out.println(order + classes());
    } else if (order.startsWith("hold ")) {
      for (int i = Integer.parseInt(order.substring(5)); i > 0; i--) {
        HELD.add(fill(ALLOCATORS.get(i % ALLOCATORS.size()).directBuffer(1000 + i), i));
      }
      System.out.println(order);
    } else if (order.startsWith("lose ")) {
      for (int i = Integer.parseInt(order.substring(5)); i > 0; i--) {
        ByteBuf unused = ALLOCATORS.get(0).directBuffer(1000 + i);
      }
      System.gc();
      System.out.println(order);
    } else if (order.equals("drop")) {
      HELD.forEach(Steady::check);
      HELD.clear();
      System.out.println(order);
    } else if (order.startsWith("property ")) {
      setProperty(order.substring("property ".length()));
      System.out.println(order);
    } else if (order.equals("memory")) {
      System.out.println(order + ' ' + memory());
    } else if (order.equals("count")) {
      System.out.println(order + ' ' + OPERATIONS + ' ' + ERRORS);
    } else if (order.equals("watching")) {
      System.out.println(order + ' ' + Watching.state());
    } else if (order.equals("stop")) {
      stopped = true;
      for (Thread thread : threads) {
        thread.join();
      }
      for (ByteBuf left = BETWEEN.poll(); left != null; left = BETWEEN.poll()) {
        check(left);
      }
      System.out.println(order + ' ' + ERRORS);
    }
  }

  private static void setProperty(String words) {
    int space = words.indexOf(' ');
    if (space < 0) {
      System.clearProperty(words);
    } else {
      System.setProperty(words.substring(0, space), words.substring(space + 1));
    }
  }

  /**
   * Returns KiB of reachable objects other than byte arrays, the number of byte arrays, KiB of byte
   * arrays that are not heap chunks of an allocator, KiB of class metadata, and the number of
   * threads.
   */
  private static String memory() throws JMException {
    long objects = 0;
    long byteArrays = 0;
    long bytesOfArrays = 0;
    for (String line : histogram().split("\n", -1)) {
      String[] words = line.trim().split("\\s+", -1);
      if (words.length < 4 || !words[0].endsWith(":") || words[0].equals("num:")) {
        continue;
      }
      if (words[3].equals("[B")) {
        byteArrays = Long.parseLong(words[1]);
        bytesOfArrays = Long.parseLong(words[2]) - usedHeapMemory();
      } else {
        objects += Long.parseLong(words[2]);
      }
    }
    long metadata = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      metadata +=
          pool.getType() == MemoryType.NON_HEAP && pool.getName().equals("Metaspace")
              ? pool.getUsage().getUsed()
              : 0;
    }
    int threads = ManagementFactory.getThreadMXBean().getThreadCount();
    String heap = (objects >> 10) + " " + byteArrays + " " + (bytesOfArrays >> 10);
    return heap + " " + (metadata >> 10) + " " + threads;
  }

  /**
   * Returns the bytes of the heap chunks of Netty and the pool: allocators of a served copy count
   * both.
   */
  private static long usedHeapMemory() {
    long sum = 0;
    for (ByteBufAllocator allocator : ALLOCATORS) {
      sum += ((ByteBufAllocatorMetricProvider) allocator).metric().usedHeapMemory();
    }
    return sum;
  }

  /** Returns the class histogram that the JVM prints after a full collection. */
  private static String histogram() throws JMException {
    ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
    return (String)
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                commands,
                "gcClassHistogram",
                new Object[] {new String[0]},
                new String[] {String[].class.getName()});
  }

  private static String classes() {
    StringBuilder names = new StringBuilder();
    for (ByteBufAllocator allocator : ALLOCATORS) {
      for (ByteBuf buffer : List.of(allocator.directBuffer(64), allocator.heapBuffer(64))) {
        names.append(' ').append(Bare.className(buffer));
        buffer.release();
      }
    }
    return names.toString();
  }

  private static void load(SplittableRandom random) {
    while (!stopped) {
      try {
        step(random);
      } catch (Throwable error) {
        ERRORS.incrementAndGet();
        error.printStackTrace();
      }
      OPERATIONS.incrementAndGet();
    }
  }

  private static void loadChannels() {
    SplittableRandom random = new SplittableRandom(THREADS);
    try (ChannelLoad channels = new ChannelLoad()) {
      while (!stopped) {
        if (!channels.isEchoed(random)) {
          ERRORS.incrementAndGet();
          System.err.println("content of a frame lost");
        }
        OPERATIONS.incrementAndGet();
      }
    } catch (Exception error) {
      ERRORS.incrementAndGet();
      error.printStackTrace();
    }
  }

  private static void step(SplittableRandom random) {
    ByteBufAllocator allocator = ALLOCATORS.get(random.nextInt(ALLOCATORS.size()));
    int bytes = random.nextInt(50) == 0 ? random.nextInt(300_000) : random.nextInt(4, 3_000);
    ByteBuf buffer = random.nextBoolean() ? allocator.directBuffer(4) : allocator.heapBuffer(bytes);
    buffer.ensureWritable(bytes);
    fill(buffer, random.nextInt());
    if (!BETWEEN.offer(buffer)) {
      check(buffer);
    }
    ByteBuf other = random.nextBoolean() ? BETWEEN.poll() : null;
    if (other != null) {
      check(other);
    }
  }

  /** Writes the seed, and then bytes that derive from it. */
  private static ByteBuf fill(ByteBuf buffer, int seed) {
    buffer.writeInt(seed);
    for (int value = seed; buffer.writableBytes() > 0 && buffer.writerIndex() < 3_000; value++) {
      buffer.writeByte(value);
    }
    return buffer;
  }

  private static void check(ByteBuf buffer) {
    int value = buffer.readInt();
    ByteBuf rest = buffer.readRetainedSlice(buffer.readableBytes());
    for (; rest.isReadable(); value++) {
      if (rest.readByte() != (byte) value) {
        ERRORS.incrementAndGet();
        System.err.println("content lost");
        break;
      }
    }
    rest.release();
    if (!buffer.release()) {
      ERRORS.incrementAndGet();
      System.err.println("still referenced");
    }
  }
}
