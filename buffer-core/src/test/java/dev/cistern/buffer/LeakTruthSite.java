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

/** One site of {@link LeakTruth}: what it allocates, and when that is released, if ever. */
final class LeakTruthSite {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  /** Allocated in one go at most, so that no site keeps the others waiting. */
  private static final double STEP_BYTES = 4.0 * MIB;

  /** Nothing leaks before: caches fill and code is compiled at first. */
  static final double LEAKS_FROM_SECONDS = 8;

  /** How the buffers of a site live. */
  enum Life {
    /** Released at once. */
    MOMENT,
    /** Each held for the same time. */
    HELD,
    /** Many at once, released together. */
    BATCH,
    /** Released by another thread. */
    QUEUE,
    /** As many as fit, from the beginning; one after the other is replaced, at random. */
    CACHE,
    /** Held, after it has grown and moved. */
    GROWING,
    /** Held by a slice of it. */
    SLICED,
    /** Four of them held in a composite. */
    COMPOSITE,
    /** A part of them is never released, the others at once. */
    LEAK
  }

  /** A buffer that is to be released at some time. */
  private record Held(ByteBuf buffer, long bytes, double untilSeconds) {}

  final int number;
  final Life life;
  final boolean isDirect;
  final double bytesPerSecond;
  final int bytes;
  final double seconds;
  final double leakedPart;
  final String name;

  /** Bytes that were asked for and not released: the truth. */
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

  /** Ten that leak, then a hundred that do not. */
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
    Life[] honest = {
      Life.HELD, Life.HELD, Life.HELD, Life.BATCH, Life.QUEUE,
      Life.CACHE, Life.GROWING, Life.SLICED, Life.COMPOSITE, Life.MOMENT
    };
    while (sites.size() < Sites.COUNT) {
      sites.add(honest(sites.size(), honest[sites.size() % honest.length], random));
    }
    return sites;
  }

  private static void leak(List<LeakTruthSite> sites, double rate, int bytes, double part) {
    int number = sites.size();
    sites.add(new LeakTruthSite(number, Life.LEAK, number < 9, rate, bytes, 0, part));
  }

  private static LeakTruthSite honest(int number, Life life, SplittableRandom random) {
    // From a millisecond to 20 s; of each some 8 MiB are live at most.
    double seconds = Math.min(20, 0.001 * Math.pow(10, 5 * random.nextDouble()));
    double rate = Math.min(2, (4 + 8 * random.nextDouble()) / seconds);
    int bytes = (int) (256 * Math.pow(2, 9 * random.nextDouble()));
    boolean isDirect = random.nextInt(8) > 0;
    return new LeakTruthSite(number, life, isDirect, rate, bytes, seconds, 0);
  }

  /** One thread's part of this site. */
  Part part(PooledByteBufAllocator allocator, int parts, SplittableRandom random) {
    return new Part(allocator, parts, random);
  }

  /** What one thread does. */
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

    /** One more buffer, used and released; its bytes. */
    int moment() {
      int size = 1 + random.nextInt(2 * bytes);
      free(allocate(size).writeZero(size), size);
      return size;
    }

    /** Does what is due now. */
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
          return Double.MAX_VALUE; // by themselves
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

    /** Its memory of before goes back, and stands no longer for anything. */
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

    /** Releases what is not leaked. */
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
