/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/**
 * A program for a JVM with a small heap. A thread requests memory and then retires its cache, both
 * for the first time, while only a few bytes of the Java heap are free. So code that has not run
 * before is loaded and linked then, and that fails somewhere. Each round loads the engine's classes
 * again, and leaves a little more room in the heap. Exit status 0 if nothing was lost and the pool
 * threw nothing but {@link OutOfMemoryError}; arguments: the class path.
 */
public final class FirstUse implements BiConsumer<Integer, Integer> {
  private static final int ROUNDS = 33;

  /** Enough for the error that refuses a request. Retirement fails with less room, too. */
  private static final int ROOM_FOR_REFUSAL_BYTES = 2304;

  /** Beyond the limit, so that the pool reclaims memory before it refuses the request. */
  private static final int TOO_MANY_BYTES = 300 << 20;

  private static final int[] FILL_BYTES = {1 << 20, 64 << 10, 4 << 10, 256, 16};
  private static final int[] SIZES = {100, 5000, 40_000};

  private static final int BLOCKS = 300;

  private final DirectMemoryLimit limit = new DirectMemoryLimit(256L << 20);
  private final BufferPool pool =
      BufferPool.builder(
              MemoryKind.DIRECT, new DirectMemorySource(limit, 0, false), new BlockBinder())
          .arenas(1)
          .chunkBytes(1 << 20)
          .maintenanceThread(false)
          .build();

  public static void main(String[] places) throws ReflectiveOperationException {
    URL[] urls = new URL[places.length];
    for (int i = 0; i < places.length; i++) {
      urls[i] = url(places[i]);
    }
    boolean isWell = true;
    for (int round = 0; round < ROUNDS; round++) {
      isWell &= run(urls, round * 96, 0);
      isWell &= run(urls, ROOM_FOR_REFUSAL_BYTES + round * 48, TOO_MANY_BYTES);
    }
    System.exit(isWell ? 0 : 1);
  }

  @SuppressWarnings("unchecked") // the program, of another class loader
  private static boolean run(URL[] urls, int room, int newSize)
      throws ReflectiveOperationException {
    ClassLoader again = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    Object program = again.loadClass(FirstUse.class.getName()).getConstructor().newInstance();
    try {
      ((BiConsumer<Integer, Integer>) program).accept(room, newSize);
      return true;
    } catch (Throwable failed) {
      System.out.println("with " + room + " bytes left and a request for " + newSize + ":");
      failed.printStackTrace(System.out);
      return false;
    }
  }

  private static URL url(String place) {
    try {
      return Path.of(place).toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new IllegalArgumentException(place, impossible);
    }
  }

  @Override
  public void accept(Integer room, Integer newSize) {
    Block[] blocks = new Block[BLOCKS + 1];
    for (int i = 0; i < BLOCKS; i++) {
      blocks[i] = (Block) pool.allocate(SIZES[i % SIZES.length]);
    }
    for (int i = 1; i < BLOCKS; i++) {
      blocks[i].release();
    }
    boolean failed = !runWithin(room, newSize, blocks);
    if (failed) {
      pool.freeCurrentThreadCache(); // false if it was retired before the failure
    }
    blocks[0].release();
    Block served = blocks[BLOCKS];
    if (served != null) {
      served.release();
    }
    nothingIsLost();
    System.out.println(room + " bytes, " + newSize + ": " + (failed ? "failed" : "done"));
  }

  /** Fills the heap except for {@code room} bytes, and empties it afterwards. */
  private boolean runWithin(int room, int newSize, Block[] blocks) {
    Object[] ballast = {new byte[room]};
    Object[] last = null;
    for (int bytes : FILL_BYTES) {
      try {
        for (; ; ) {
          last = new Object[] {last, new byte[bytes]};
        }
      } catch (OutOfMemoryError full) {
        // the next is smaller
      }
    }
    ballast[0] = null;
    try {
      if (newSize > 0) {
        blocks[BLOCKS] = (Block) pool.allocate(newSize);
      }
      pool.freeCurrentThreadCache();
      return last != null;
    } catch (OutOfMemoryError expected) {
      return false;
    }
  }

  private void nothingIsLost() {
    PoolInvariants.check(pool);
    PoolSnapshot snapshot = pool.snapshot();
    for (SizeGroup group : SizeGroup.values()) {
      require(group + " in use", snapshot.allocations(group), snapshot.deallocations(group));
    }
    require("pinned", snapshot.pinnedBytes(), 0);
    pool.close();
    pool.tick();
    PoolInvariants.check(pool);
    require("bytes that were not freed", limit.usedBytes(), 0);
  }

  private static void require(String what, long found, long expected) {
    if (found != expected) {
      throw new AssertionError(what + ": " + found + ", expected " + expected);
    }
  }
}
