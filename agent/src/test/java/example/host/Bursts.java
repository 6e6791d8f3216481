/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.function.IntFunction;

/**
 * An application whose threads use much direct memory for a short time. Argument: {@code served}
 * (by the agent) or {@code library}. Order: {@code burst n} (the threads allocate n MiB in buffers
 * of 1 KiB to 1 MiB, write to each page, and release them, half by another thread).
 */
public final class Bursts {
  private static final int THREADS = 4;
  private static final int PAGE_BYTES = 4096;

  /** Allocates a buffer, writes to its pages, and returns an action that releases it. */
  private final IntFunction<Runnable> allocator;

  private final List<ExecutorService> threads = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(1);

  private Bursts(IntFunction<Runnable> allocator, ThreadFactory factory) {
    this.allocator = allocator;
    for (int i = 0; i < THREADS; i++) {
      threads.add(Executors.newSingleThreadExecutor(factory));
    }
  }

  /** Runs until its input ends. */
  public static void main(String[] arguments) throws Exception {
    Bursts bursts;
    if (arguments[0].equals("library")) {
      bursts = new Bursts(library(), dev.cistern.util.concurrent.FastThreadLocalThread::new);
    } else {
      Bare.awaitAgent(ByteBufAllocator.DEFAULT);
      bursts = new Bursts(Bursts::netty, FastThreadLocalThread::new);
    }
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = in.readLine(); order != null; order = in.readLine()) {
      bursts.burst(Integer.parseInt(order.substring("burst ".length())));
      System.out.println(order);
    }
    System.exit(0); // Netty's own threads would keep the JVM alive
  }

  private static IntFunction<Runnable> library() {
    var allocator = new dev.cistern.buffer.PooledByteBufAllocator(true);
    return bytes -> {
      dev.cistern.buffer.ByteBuf buffer = allocator.directBuffer(bytes);
      for (int i = 0; i < bytes; i += PAGE_BYTES) {
        buffer.setByte(i, 1);
      }
      return buffer::release;
    };
  }

  private static Runnable netty(int bytes) {
    ByteBuf buffer = ByteBufAllocator.DEFAULT.directBuffer(bytes);
    for (int i = 0; i < bytes; i += PAGE_BYTES) {
      buffer.setByte(i, 1);
    }
    return buffer::release;
  }

  private void burst(int mebibytes) throws Exception {
    List<Callable<List<Runnable>>> allocations = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom sizes = random.split();
      allocations.add(() -> allocate(sizes, (mebibytes << 20) / THREADS));
    }
    List<List<Runnable>> buffers = runOnAll(allocations);
    List<Callable<Void>> releases = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      List<Runnable> own = buffers.get(i);
      List<Runnable> nextBuffers = buffers.get((i + 1) % THREADS);
      releases.add(
          () -> {
            own.subList(own.size() / 2, own.size()).forEach(Runnable::run);
            nextBuffers.subList(0, nextBuffers.size() / 2).forEach(Runnable::run);
            return null;
          });
    }
    runOnAll(releases);
  }

  private List<Runnable> allocate(SplittableRandom sizes, int bytes) {
    List<Runnable> buffers = new ArrayList<>();
    for (int left = bytes; left > 0; ) {
      int size = Math.min(left, (int) (1024 * Math.pow(1024, sizes.nextDouble())));
      buffers.add(allocator.apply(size));
      left -= size;
    }
    return buffers;
  }

  private <T> List<T> runOnAll(List<Callable<T>> tasks) throws Exception {
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      running.add(threads.get(i).submit(tasks.get(i)));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> each : running) {
      results.add(each.get());
    }
    return results;
  }
}
