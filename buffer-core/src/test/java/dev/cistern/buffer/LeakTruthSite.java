/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import example.leaky.Sites;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** One site of {@link LeakTruth}: the buffers that it allocates, and the time of their release. */
final class LeakTruthSite {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  /** Limit of the bytes allocated in one step, so that no site delays the other ones. */
  private static final double STEP_BYTES = 4.0 * MIB;

  /** Start of the leaks: before it, caches fill and code is compiled. */
  static final double LEAKS_FROM_SECONDS = 8;

  /** Lifetimes of the buffers of a site. */
  enum Life {
    /** Each buffer is released at once. */
    MOMENT,
    /** Each buffer is held for the same time. */
    HELD,
    /** Many buffers are allocated at once and released together. */
    BATCH,
    /** Another thread releases the buffers. */
    QUEUE,
    /** The cache is full from the beginning; each new buffer replaces a random one. */
    CACHE,
    /** Each buffer grows, moves, and is then held. */
    GROWING,
    /** A slice holds each buffer. */
    SLICED,
    /** A composite holds four buffers at a time. */
    COMPOSITE,
    /** A part of the buffers is never released; the rest is released at once. */
    LEAK
  }

  /** A buffer that is released later. */
  private record Held(ByteBuf buffer, long bytes, double untilSeconds) {}

  final int number;
  final Life life;
  final boolean isDirect;
  final double bytesPerSecond;
  final int bytes;
  final double seconds;
  final double leakedPart;
  final String name;

  /** True number of bytes that were requested and not released. */
  final AtomicLong live = new AtomicLong();

  private final boolean isHeldStrongly;
  private final Queue<ByteBuf> handedOver = new ConcurrentLinkedQueue<>();
  private final Queue<ByteBuf> neverReleased = new ConcurrentLinkedQueue<>();

  LeakTruthSite(
      int number,
      Life life,
      boolean isDirect,
      double mebibytesPerSecond,
      int bytes,
      double seconds,
      double leakedPart) {
    this.number = number;
    this.life = life;
    this.isDirect = isDirect;
    this.bytesPerSecond = mebibytesPerSecond * MIB;
    this.bytes = bytes;
    this.seconds = seconds;
    this.leakedPart = leakedPart;
    this.name = Sites.name(number);
    this.isHeldStrongly = number % 2 == 0;
  }

  double leakedMebibytesPerSecond() {
    return life == Life.LEAK ? bytesPerSecond * leakedPart / MIB : 0;
  }

  /** Returns ten sites that leak, and then a hundred that do not. */
  static List<LeakTruthSite> all(SplittableRandom random) {
    List<LeakTruthSite> sites = new ArrayList<>();
    leak(sites, 1.0, 4 * KIB, 1);
    leak(sites, 2.0, 16 * KIB, 1);
    leak(sites, 1.5, 256, 1);
    leak(sites, 4.0, MIB, 1);
    leak(sites, 100, 64 * KIB, 0.01);
    leak(sites, 0.5, 8 * KIB, 1);
    leak(sites, 0.2, 2 * KIB, 1);
    leak(sites, 0.1, 32 * KIB, 1);
    leak(sites, 2.4, 64 * KIB, 0.5);
    leak(sites, 1.0, KIB, 1);
    Life[] withoutLeak = {
      Life.HELD, Life.HELD, Life.HELD, Life.BATCH, Life.QUEUE,
      Life.CACHE, Life.GROWING, Life.SLICED, Life.COMPOSITE, Life.MOMENT
    };
    while (sites.size() < Sites.COUNT) {
      sites.add(withoutLeak(sites.size(), withoutLeak[sites.size() % withoutLeak.length], random));
    }
    return sites;
  }

  private static void leak(List<LeakTruthSite> sites, double rate, int bytes, double part) {
    int number = sites.size();
    sites.add(new LeakTruthSite(number, Life.LEAK, number < 9, rate, bytes, 0, part));
  }

  private static LeakTruthSite withoutLeak(int number, Life life, SplittableRandom random) {
    // The lifetime is 1 ms to 20 s; each site has up to about 8 MiB live.
    double seconds = Math.min(20, 0.001 * Math.pow(10, 5 * random.nextDouble()));
    double rate = Math.min(2, (4 + 8 * random.nextDouble()) / seconds);
    int bytes = (int) (256 * Math.pow(2, 9 * random.nextDouble()));
    boolean isDirect = random.nextInt(8) > 0;
    return new LeakTruthSite(number, life, isDirect, rate, bytes, seconds, 0);
  }

  /** Returns one thread's part of this site. */
  Part part(PooledByteBufAllocator allocator, int parts, SplittableRandom random) {
    return new Part(allocator, parts, random);
  }

  /** The work of one thread. */
  final class Part {
    private final PooledByteBufAllocator allocator;
    private final int parts;
    private final SplittableRandom random;
    private final Deque<Held> held = new ArrayDeque<>();
    private final List<ByteBuf> cache = new ArrayList<>();
    private double doneBytes;
    private double nextBatch;

    Part(PooledByteBufAllocator allocator, int parts, SplittableRandom random) {
      this.allocator = allocator;
      this.parts = parts;
      this.random = random;
      this.nextBatch = random.nextDouble() * seconds;
    }

    boolean isMoment() {
      return life == Life.MOMENT;
    }

    /** Uses and releases one more buffer; returns its size in bytes. */
    int moment() {
      int size = 1 + random.nextInt(2 * bytes);
      free(allocate(size).writeZero(size), size);
      return size;
    }

    /** Performs the actions that are due now. */
    void step(double nowSeconds) {
      while (!held.isEmpty() && held.peekFirst().untilSeconds <= nowSeconds) {
        Held first = held.removeFirst();
        free(first.buffer, first.bytes);
      }
      if (life == Life.BATCH) {
        batch(nowSeconds);
        return;
      }
      double since = life == Life.LEAK ? nowSeconds - LEAKS_FROM_SECONDS : nowSeconds;
      double due = bytesPerSecond / parts * since;
      for (double most = doneBytes + STEP_BYTES; doneBytes < Math.min(due, most); ) {
        doneBytes += one(nowSeconds);
      }
      if (life == Life.QUEUE && random.nextInt(4) == 0) {
        for (ByteBuf other = handedOver.poll(); other != null; other = handedOver.poll()) {
          free(other, bytes);
        }
      }
    }

    private void batch(double nowSeconds) {
      if (nowSeconds >= nextBatch) {
        nextBatch += Math.max(0.1, seconds);
        int count = (int) Math.max(1, bytesPerSecond / parts * seconds / bytes);
        for (int i = 0; i < count; i++) {
          held.add(new Held(allocate(bytes), bytes, nowSeconds + seconds * 0.9));
        }
      }
    }

    private double one(double nowSeconds) {
      switch (life) {
        case HELD -> held.add(new Held(allocate(bytes), bytes, nowSeconds + seconds));
        case QUEUE -> handedOver.add(allocate(bytes));
        case CACHE -> cache();
        case GROWING -> {
          grow(nowSeconds);
          return 16.0 * bytes;
        }
        case SLICED -> {
          ByteBuf parent = allocate(bytes);
          ByteBuf slice = parent.retainedSlice(0, bytes / 2);
          parent.release();
          held.add(new Held(slice, bytes, nowSeconds + seconds));
        }
        case COMPOSITE -> {
          CompositeByteBuf composite = allocator.compositeBuffer(4);
          for (int i = 0; i < 4; i++) {
            composite.addComponent(true, allocate(bytes).writeZero(1));
          }
          held.add(new Held(composite, 4L * bytes, nowSeconds + seconds));
          return 4.0 * bytes;
        }
        case LEAK -> leakOrNot();
        default -> {
          return Double.MAX_VALUE; // leaking sites allocate by their own rate
        }
      }
      return bytes;
    }

    private void cache() {
      int most = (int) Math.max(1, 4.0 * MIB / parts / bytes);
      while (cache.size() < most) {
        cache.add(allocate(bytes));
      }
      free(cache.set(random.nextInt(most), allocate(bytes)), bytes);
    }

    /** Grows a buffer: its previous memory is freed, and its sample no longer counts. */
    private void grow(double nowSeconds) {
      ByteBuf buffer = allocate(bytes);
      for (int grown = 0; grown < 2; grown++) {
        int more = buffer.capacity() * 4;
        at(() -> buffer.capacity(more));
        live.addAndGet(more - more / 4);
      }
      held.add(new Held(buffer, 16L * bytes, nowSeconds + seconds));
    }

    private void leakOrNot() {
      ByteBuf buffer = allocate(bytes);
      if (random.nextDouble() >= leakedPart) {
        free(buffer, bytes);
      } else if (isHeldStrongly) {
        neverReleased.add(buffer);
      }
    }

    private ByteBuf allocate(int size) {
      ByteBuf buffer =
          at(() -> isDirect ? allocator.directBuffer(size) : allocator.heapBuffer(size));
      live.addAndGet(size);
      return buffer;
    }

    private ByteBuf at(Supplier<ByteBuf> allocation) {
      return Sites.at(number, allocation);
    }

    private void free(ByteBuf buffer, long size) {
      buffer.release();
      live.addAndGet(-size);
    }

    /** Releases the buffers that are not leaked. */
    void end() {
      for (Held last : held) {
        free(last.buffer, last.bytes);
      }
      held.clear();
      for (ByteBuf last : cache) {
        free(last, bytes);
      }
      cache.clear();
      for (ByteBuf other = handedOver.poll(); other != null; other = handedOver.poll()) {
        free(other, bytes);
      }
    }
  }
}
