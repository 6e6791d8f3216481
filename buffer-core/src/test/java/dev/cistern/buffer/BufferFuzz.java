/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.IllegalReferenceCountException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A program in which several threads use the same buffers without synchronization. One thread can
 * read or write a buffer that another one releases, sometimes once too often. Runs in a separate
 * JVM, which must not crash, and in which only documented exceptions may be thrown.
 *
 * <p>Only changes of capacity wait for the other threads, because the library does not protect a
 * buffer that moves while another thread writes to it (docs/buffers.md). Calls that could make a
 * buffer grow therefore use a slice of it, whose indices the threads also share.
 */
final class BufferFuzz {
  private static final int THREADS = 4;
  private static final int PLACES = 64;
  private static final int MAX_BYTES = 4096;

  private static final UnpooledByteBufAllocator UNPOOLED = new UnpooledByteBufAllocator(true);
  private static final PooledByteBufAllocator POOLED =
      new PooledByteBufAllocator(true, 2, 2, 8192, 5); // small chunks, which the pool often frees

  /** A buffer, and a slice of it, which keeps its length when the buffer changes. */
  private record Shared(ByteBuf buffer, ByteBuf slice) {
    static Shared of(ByteBuf buffer) {
      return new Shared(buffer, buffer.slice(0, buffer.capacity()));
    }
  }

  private static final class Place {
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    volatile Shared shared;

    Place(ByteBuf buffer) {
      shared = Shared.of(buffer);
    }
  }

  private final Place[] places = new Place[PLACES];
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicLong refused = new AtomicLong();

  private BufferFuzz() {}

  /** Runs the operations. Arguments: a seed, and the total number of operations of all threads. */
  public static void main(String[] arguments) throws InterruptedException {
    new BufferFuzz().run(Long.parseLong(arguments[0]), Long.parseLong(arguments[1]));
  }

  private void run(long seed, long operations) throws InterruptedException {
    Random random = new Random(seed);
    for (int i = 0; i < PLACES; i++) {
      places[i] = new Place(buffer(random));
    }
    Thread[] threads = new Thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
      Random own = new Random(seed + t + 1);
      threads[t] = new Thread(() -> work(own, operations / THREADS));
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      thrown.printStackTrace();
      System.exit(2);
    }
    System.out.println(operations + " operations, " + refused + " refused");
    System.exit(refused.get() > 0 ? 0 : 3);
  }

  private void work(Random random, long operations) {
    try (BufferFuzzCalls calls = new BufferFuzzCalls(random)) {
      work(random, calls, operations);
    } catch (IOException failed) {
      failure.compareAndSet(null, failed);
    }
  }

  private void work(Random random, BufferFuzzCalls calls, long operations) {
    for (long i = 0; i < operations && failure.get() == null; i++) {
      try {
        step(random, calls);
      } catch (IllegalReferenceCountException
          | IndexOutOfBoundsException
          | IllegalArgumentException
          | UnsupportedOperationException // ReadOnlyBufferException is one
              documented) {
        refused.incrementAndGet();
      } catch (Throwable other) {
        failure.compareAndSet(null, other);
      }
    }
  }

  private static ByteBuf buffer(Random random) {
    int bytes = 1 + random.nextInt(random.nextInt(32) == 0 ? 1 << 18 : MAX_BYTES);
    ByteBuf root =
        switch (random.nextInt(6)) {
          case 0 -> POOLED.heapBuffer(bytes);
          case 1 -> UNPOOLED.heapBuffer(bytes);
          case 2, 3 -> UNPOOLED.directBuffer(bytes);
          default -> POOLED.directBuffer(bytes);
        };
    root.setZero(0, bytes).setIndex(0, bytes);
    return switch (random.nextInt(8)) {
      case 0 -> root.slice(bytes / 4, bytes / 2);
      case 1 -> root.duplicate();
      case 2 -> root.asReadOnly();
      case 3 ->
          new CompositeByteBuf(UNPOOLED, true, 8)
              .addComponents(true, root, POOLED.directBuffer(64).writeZero(64), buffer(random));
      case 4 -> FixedCompositeByteBuf.of(UNPOOLED, root, buffer(random));
      default -> root;
    };
  }

  private void step(Random random, BufferFuzzCalls calls) throws IOException {
    Place place = places[random.nextInt(PLACES)];
    int action = random.nextInt(64);
    if (action <= 2) {
      place.lock.writeLock().lock();
      try {
        changeCapacity(place.shared.buffer(), random, calls, action);
      } finally {
        place.lock.writeLock().unlock();
      }
      return;
    }
    place.lock.readLock().lock();
    try {
      useConcurrently(place, random, calls, action);
    } finally {
      place.lock.readLock().unlock();
    }
  }

  private static void changeCapacity(
      ByteBuf buffer, Random random, BufferFuzzCalls calls, int action) throws IOException {
    switch (action) {
      case 0 -> buffer.capacity(random.nextInt(buffer.capacity() * 2 + 1));
      case 1 -> calls.moveText(buffer); // can grow the buffer
      default -> calls.moveBytes(buffer);
    }
  }

  private void useConcurrently(Place place, Random random, BufferFuzzCalls calls, int action)
      throws IOException {
    ByteBuf buffer = place.shared.buffer();
    if (action == 3) {
      // Other threads can still use the old buffer after its release.
      place.shared = Shared.of(buffer(random));
      buffer.release();
    } else if (action == 4) {
      // One release too many: the next release of this place fails.
      buffer.release();
    } else if (action == 5) {
      buffer.retain();
      buffer.release();
    } else if (action < 16) {
      calls.moveText(place.shared.slice());
    } else if (action < 28) {
      calls.moveBytes(place.shared.slice());
    } else {
      use(buffer, random, action);
    }
  }

  private void use(ByteBuf buffer, Random random, int action) {
    int capacity = buffer.capacity();
    int index = random.nextInt(capacity + 9) - 4;
    int length = random.nextInt(64);
    switch (action % 18) {
      case 0 -> buffer.getByte(index);
      case 1 -> buffer.getShortLE(index);
      case 2 -> buffer.getMedium(index);
      case 3 -> buffer.getInt(index);
      case 4 -> buffer.getLong(index);
      case 5 -> buffer.setByte(index, length);
      case 6 -> buffer.setShort(index, length);
      case 7 -> buffer.setIntLE(index, length);
      case 8 -> buffer.setLong(index, length);
      case 9 -> buffer.getBytes(index, new byte[length]);
      case 10 -> buffer.setBytes(index, new byte[length]);
      case 11 -> buffer.setZero(index, length);
      case 12 -> buffer.indexOf(index, capacity, (byte) 1);
      case 13 -> buffer.forEachByte(index, length, value -> value != 1);
      case 14 -> buffer.slice(index, length).getByte(0);
      case 15 -> buffer.copy(index, length).release();
      case 16 -> buffer.getBytes(index, ByteBuffer.allocate(length));
      default -> copyToAnother(buffer, index, length, random);
    }
  }

  /**
   * Copies unless another thread changes the target's capacity: waiting for that thread can
   * deadlock.
   */
  private void copyToAnother(ByteBuf buffer, int index, int length, Random random) {
    Place other = places[random.nextInt(PLACES)];
    if (other.lock.readLock().tryLock()) {
      try {
        buffer.getBytes(index, other.shared.buffer(), random.nextInt(64), length);
      } finally {
        other.lock.readLock().unlock();
      }
    }
  }
}
