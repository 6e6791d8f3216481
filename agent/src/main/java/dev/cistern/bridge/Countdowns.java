/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.ByteSampler;
import dev.cistern.netty.pool.NettyLeakDetector;
import dev.cistern.netty.pool.NettyPoolSettings;
import dev.cistern.util.internal.VirtualThreads;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One countdown of bytes for each thread that allocates. What a thread holds is an array, and so
 * nothing that leads to the bridge: threads may outlive the copy of Netty that they used.
 *
 * <p>First used by a host's own allocation, after Netty has used its thread-locals itself.
 */
final class Countdowns {
  /** Where the bytes stand that are left until the next sample. */
  static final int LEFT = 0;

  /** Where the interval stands with which that was drawn; 0: the next buffer is no sample by it. */
  private static final int INTERVAL = 1;

  private static final FastThreadLocal<long @Nullable []> CURRENT = new FastThreadLocal<>();

  private static final ByteSampler.Sampling SAMPLING =
      new ByteSampler.Sampling(NettyPoolSettings.current().sampleIntervalBytes());

  /** By countdown, and so as long as the thread has that; virtual threads are not in here. */
  private static final Map<long[], ByteSampler> SAMPLERS =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** All virtual threads together take as many samples as one thread may: they come and go. */
  private static final ByteSampler OF_VIRTUAL_THREADS = new ByteSampler(SAMPLING);

  private Countdowns() {}

  /** Sets the mean for what is drawn from now on, for tests. */
  static void intervalBytes(long mean) {
    SAMPLING.meanBytes(mean);
  }

  /** The calling thread's. */
  static long[] current() {
    long[] countdown = CURRENT.get();
    return countdown == null ? begin() : countdown;
  }

  private static long[] begin() {
    long[] countdown = new long[INTERVAL + 1];
    if (!VirtualThreads.isVirtual(Thread.currentThread())) {
      SAMPLERS.put(countdown, new ByteSampler(SAMPLING));
    }
    ByteSampler sampler = sampler(countdown);
    synchronized (sampler) {
      draw(countdown, sampler, NettyLeakDetector.isParanoid());
    }
    CURRENT.set(countdown);
    return countdown;
  }

  static ByteSampler sampler(long[] countdown) {
    ByteSampler own = SAMPLERS.get(countdown);
    return own == null ? OF_VIRTUAL_THREADS : own;
  }

  private static void draw(long[] countdown, ByteSampler sampler, boolean isEach) {
    countdown[LEFT] = isEach ? 0 : sampler.next(ThreadLocalRandom.current());
    countdown[INTERVAL] = isEach ? 0 : sampler.intervalBytes();
  }

  /**
   * The countdown has ended: begins the next.
   *
   * @param isEach whether every buffer is to be looked at
   * @return the bytes that this allocation stands for; 0 if it was not drawn by its bytes
   */
  static long weigh(long[] countdown, ByteSampler sampler, int bytes, boolean isEach) {
    synchronized (sampler) {
      long weight = sampler.weigh(bytes, countdown[INTERVAL]);
      draw(countdown, sampler, isEach);
      return weight;
    }
  }
}
