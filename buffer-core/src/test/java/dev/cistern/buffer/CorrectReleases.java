/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.fixture.LeaksSince;
import dev.cistern.leak.LibraryLeaks;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.util.ReferenceCountUtil;
import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakDetector.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A program that uses buffers as applications do, in a separate JVM, and releases each one
 * correctly. It ends with 0 if no leak was reported, and nothing is watched any more.
 */
final class CorrectReleases {
  private static final int MAX_HELD_BUFFERS = 100;

  private static final PooledByteBufAllocator POOLED =
      new PooledByteBufAllocator(true, 2, 2, 8192, 7);
  private static final PooledByteBufAllocator UNCACHED =
      new PooledByteBufAllocator(true, 2, 2, 8192, 7, 0, 0, false);
  private static final UnpooledByteBufAllocator UNPOOLED = new UnpooledByteBufAllocator(true);
  private static final List<ByteBufAllocator> ALLOCATORS = List.of(POOLED, UNCACHED, UNPOOLED);

  /** Marker that ends the other thread. */
  private static final ByteBuf END = Unpooled.buffer(1);

  private final SplittableRandom random;
  private final boolean switchesLevels;
  private final int operations;
  private final List<ByteBuf> held = new ArrayList<>();
  private final BlockingQueue<ByteBuf> handedOver = new LinkedBlockingQueue<>(1_000);

  private CorrectReleases(long seed, boolean switchesLevels, int operations) {
    this.random = new SplittableRandom(seed);
    this.switchesLevels = switchesLevels;
    this.operations = operations;
  }

  /**
   * Runs the operations. Arguments: the seed, whether levels change meanwhile, the number of
   * operations.
   */
  public static void main(String[] arguments) throws InterruptedException {
    LeaksSince leaksSince = new LeaksSince();
    CorrectReleases work =
        new CorrectReleases(
            Long.parseLong(arguments[0]),
            Boolean.parseBoolean(arguments[1]),
            Integer.parseInt(arguments[2]));
    work.run();
    List<LeaksSince.Leaks> leaks = leaksSince.collect();
    LeakReport report = LibraryLeaks.SHARED.leaks(StackDetail.FRAMES);
    expect(leaks.isEmpty(), "reported: " + leaks);
    expect(report.watched() == 0, "still watched: " + report.watched());
    expect(report.failures() == 0, "failures: " + report.failures());
    System.out.println("as expected");
  }

  private void run() throws InterruptedException {
    Thread other = new Thread(this::releaseHandedOver, "other");
    other.setDaemon(true);
    other.setUncaughtExceptionHandler(
        (ended, failure) -> {
          failure.printStackTrace();
          Runtime.getRuntime().halt(1);
        });
    other.start();
    for (int i = 0; i < operations; i++) {
      step(i);
    }
    held.forEach(ByteBuf::release);
    held.clear();
    handedOver.put(END);
    other.join();
  }

  @SuppressWarnings("ReferenceEquality") // the same object
  private void releaseHandedOver() {
    try {
      for (ByteBuf next = handedOver.take(); next != END; next = handedOver.take()) {
        use(next);
        next.release();
      }
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  private void step(int number) throws InterruptedException {
    if (switchesLevels && number % 50 == 0) {
      Level[] levels = Level.values();
      ResourceLeakDetector.setLevel(levels[random.nextInt(levels.length)]);
    }
    if (number % 500 == 0) {
      System.gc(); // released buffers that are already garbage must not count as leaks
    }
    if (number % 2_000 == 0) {
      inThreadThatDies();
    }
    if (held.size() < MAX_HELD_BUFFERS / 2
        || (held.size() < MAX_HELD_BUFFERS && random.nextBoolean())) {
      held.add(buffer());
    }
    int chosen = random.nextInt(held.size());
    ByteBuf buffer = held.get(chosen);
    switch (random.nextInt(8)) {
      case 0 -> held.set(chosen, viewOf(buffer));
      case 1 -> held.add(another(buffer));
      case 2 -> resize(buffer);
      case 3 -> held.set(chosen, joined(buffer));
      case 4 -> {
        remove(chosen);
        handedOver.put(buffer);
      }
      case 5 -> {
        buffer.retain(3);
        ReferenceCountUtil.release(buffer, 3);
      }
      default -> {
        use(buffer);
        remove(chosen);
        buffer.release();
      }
    }
  }

  private void remove(int index) {
    ByteBuf last = held.remove(held.size() - 1);
    if (index < held.size()) {
      held.set(index, last);
    }
  }

  private int size() {
    return 1 + random.nextInt(1 << random.nextInt(3, 17));
  }

  private ByteBuf buffer() {
    ByteBufAllocator allocator = ALLOCATORS.get(random.nextInt(ALLOCATORS.size()));
    int size = size();
    ByteBuf made =
        switch (random.nextInt(6)) {
          case 0 -> allocator.heapBuffer(size);
          case 1 -> allocator.compositeBuffer().addComponent(true, filled(allocator.buffer(size)));
          case 2 -> allocator.compositeHeapBuffer().capacity(size);
          case 3 ->
              Unpooled.wrappedBuffer(
                  filled(allocator.directBuffer(size)), filled(allocator.heapBuffer(size)));
          default -> allocator.directBuffer(size);
        };
    return filled(made);
  }

  private static ByteBuf filled(ByteBuf buffer) {
    return buffer.setIndex(0, buffer.capacity());
  }

  /** Returns a view that replaces the buffer and shares its count. */
  private ByteBuf viewOf(ByteBuf buffer) {
    return switch (random.nextInt(4)) {
      case 0 -> buffer.slice();
      case 1 -> buffer.duplicate();
      case 2 -> buffer.asReadOnly();
      default -> {
        ByteBuf retained = buffer.retainedSlice();
        buffer.release();
        yield retained;
      }
    };
  }

  /** Returns a buffer that needs a release in addition to that of the original. */
  private ByteBuf another(ByteBuf buffer) {
    return switch (random.nextInt(4)) {
      case 0 -> buffer.retainedDuplicate();
      case 1 -> buffer.retainedSlice(buffer.readerIndex(), buffer.readableBytes() / 2);
      case 2 -> buffer.retain().duplicate();
      default -> filled(buffer.copy());
    };
  }

  /** Grows the buffer, so that slices stay within it, unless another thread can read it. */
  private void resize(ByteBuf buffer) {
    int capacity = size();
    if (capacity > buffer.capacity()
        && capacity <= buffer.maxCapacity()
        && buffer.refCnt() == 1
        && !buffer.isReadOnly()) {
      try {
        filled(buffer.capacity(capacity));
      } catch (UnsupportedOperationException | IllegalArgumentException fixed) {
        return; // a slice
      }
    }
  }

  /** Returns a buffer that takes ownership of the given one. */
  private ByteBuf joined(ByteBuf buffer) {
    ByteBuf more = filled(POOLED.heapBuffer(size()));
    return random.nextBoolean()
        ? POOLED.compositeBuffer().addComponents(true, buffer, more)
        : Unpooled.wrappedBuffer(buffer, more);
  }

  private static void use(ByteBuf buffer) {
    buffer.touch("used").getBytes(buffer.readerIndex(), new byte[buffer.readableBytes()]);
  }

  /** Allocates buffers in a thread that ends; other threads release them. */
  private void inThreadThatDies() throws InterruptedException {
    Thread dies =
        new Thread(
            () -> {
              for (int i = 0; i < 10; i++) {
                held.add(buffer());
              }
            },
            "dead by now");
    dies.start();
    dies.join();
  }

  private static void expect(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
