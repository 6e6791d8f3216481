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
 * A countdown of bytes for each thread that allocates. The thread refers only to an array, and not
 * to the bridge, because threads may outlive the copy of Netty that they used.
 *
 * <p>An allocation of the host is the first use of this class, after Netty has used its
 * thread-locals.
 */
final class Countdowns {
  /** Index of the bytes that are left until the next sample. */
  static final int LEFT = 0;

  /** Index of the interval used for the draw; 0 if the next buffer is not sampled by its bytes. */
  private static final int INTERVAL = 1;

  private static final FastThreadLocal<long @Nullable []> CURRENT = new FastThreadLocal<>();

  private static final ByteSampler.Sampling SAMPLING =
      new ByteSampler.Sampling(NettyPoolSettings.current().sampleIntervalBytes());

  /**
   * Samplers by countdown, as long as the thread has that countdown. Without those of virtual
   * threads.
   */
  private static final Map<long[], ByteSampler> SAMPLERS =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** The sampler of all virtual threads, which together take as many samples as one thread may. */
  private static final ByteSampler OF_VIRTUAL_THREADS = new ByteSampler(SAMPLING);

  private Countdowns() {}

  /** Sets the mean interval of further draws, for tests. */
  static void intervalBytes(long mean) {
    SAMPLING.meanBytes(mean);
  }

  /** Returns the countdown of the calling thread. */
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
    if (isEach) {
      countdown[LEFT] = 0;
      countdown[INTERVAL] = 0;
      return;
    }
    long drawn = sampler.next(ThreadLocalRandom.current());
    long redraw = sampler.redrawBytes(drawn);
    countdown[LEFT] = redraw > 0 ? redraw : drawn;
    countdown[INTERVAL] = redraw > 0 ? 0 : sampler.intervalBytes();
  }

  /**
   * Starts the next countdown after one has ended.
   *
   * @param isEach whether every buffer is watched
   * @return the weight of this allocation in bytes; 0 if it was not drawn by its bytes
   */
  static long weigh(long[] countdown, ByteSampler sampler, int bytes, boolean isEach) {
    synchronized (sampler) {
      long interval = countdown[INTERVAL];
      boolean unused = interval == 0 && sampler.relax();
      long weight = interval == 0 ? 0 : sampler.weigh(bytes, interval);
      draw(countdown, sampler, isEach);
      return weight;
    }
  }
}
