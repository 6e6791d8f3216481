/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBufAllocator;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;

/**
 * An application that has loaded many classes and does nothing. Argument: how many of the classes
 * {@code crowd.C0}, {@code crowd.C1} and so on; with a second argument, it allocates no buffer
 * before an order. Orders: {@code buffer} (one is allocated and released), {@code cpu prefix}
 * (nanoseconds of CPU that the threads of such names have used).
 */
public final class Crowd {
  private Crowd() {}

  /** Runs until its input ends. */
  public static void main(String[] arguments) throws Exception {
    for (int i = Integer.parseInt(arguments[0]) - 1; i >= 0; i--) {
      Class.forName("crowd.C" + i);
    }
    // Netty 4.2 loads both allocators, and initialises only the one that is used.
    Class.forName("io.netty.buffer.PooledByteBufAllocator", false, Crowd.class.getClassLoader());
    if (arguments.length > 1) {
      ByteBufAllocator unused = ByteBufAllocator.DEFAULT;
    } else {
      ByteBufAllocator.DEFAULT.directBuffer(64).release();
    }
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = in.readLine(); order != null; order = in.readLine()) {
      if (order.equals("buffer")) {
        ByteBufAllocator.DEFAULT.directBuffer(64).release();
        System.out.println(order);
      } else {
        System.out.println(order + ' ' + cpuNanos(order.substring("cpu ".length())));
      }
    }
  }

  private static long cpuNanos(String prefix) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (long id : threads.getAllThreadIds()) {
      ThreadInfo thread = threads.getThreadInfo(id);
      if (thread != null && thread.getThreadName().startsWith(prefix)) {
        sum += Math.max(0, threads.getThreadCpuTime(id)); // -1 if it has ended
      }
    }
    return sum;
  }
}
