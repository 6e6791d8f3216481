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
import java.util.function.IntConsumer;

/**
 * A program of its own, for a JVM with a small heap: a thread gives its cache up where the Java
 * heap is full but for a few bytes, and for the first time. So what has not run before is loaded
 * and linked then, and that fails somewhere. Each time the engine's classes are loaded anew, and
 * the heap has a little more room. Exit status 0 where nothing was lost; arguments: where the
 * classes are.
 */
public final class FirstUse implements IntConsumer {
  private static final int MOST_ROOM_BYTES = 3072;
  private static final int STEP_BYTES = 96;
  private static final int[] FILL_BYTES = {1 << 20, 64 << 10, 4 << 10, 256, 16};
  private static final int[] SIZES = {100, 5000, 40_000};
  private static final int BLOCKS = 300;

  private final DirectMemoryLimit limit = new DirectMemoryLimit(256L << 20);
  private final BufferPool pool =
      BufferPool.builder(
              MemoryKind.DIRECT, new DirectMemorySource(limit, 0, false), new BlockBinder())
          .arenas(1)
          .chunkBytes(1 << 20)
          .janitor(false)
          .build();

  public static void main(String[] places) throws ReflectiveOperationException {
    URL[] urls = new URL[places.length];
    for (int i = 0; i < places.length; i++) {
      urls[i] = url(places[i]);
    }
    int failures = 0;
    for (int room = 0; room <= MOST_ROOM_BYTES; room += STEP_BYTES) {
      ClassLoader anew = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
      Class<?> program = anew.loadClass(FirstUse.class.getName());
      try {
        ((IntConsumer) program.getConstructor().newInstance()).accept(room);
      } catch (Throwable failed) {
        System.out.println("with " + room + " bytes left:");
        failed.printStackTrace(System.out);
        failures++;
      }
    }
    System.exit(failures == 0 ? 0 : 1);
  }

  private static URL url(String place) {
    try {
      return Path.of(place).toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new IllegalArgumentException(place, impossible);
    }
  }

  @Override
  public void accept(int room) {
    Block[] blocks = new Block[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
      blocks[i] = (Block) pool.allocate(SIZES[i % SIZES.length]);
    }
    for (int i = 1; i < BLOCKS; i++) {
      blocks[i].release();
    }
    boolean failed = !giveUpWithin(room);
    if (failed) {
      pool.freeCurrentThreadCache(); // false where it was given up before it failed
    }
    blocks[0].release();
    nothingIsLost();
    System.out.println(room + " bytes: " + (failed ? "failed" : "done"));
  }

  /** Fills the heap but for {@code room} bytes, and lets go of it after. */
  private boolean giveUpWithin(int room) {
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
    require("bytes that did not go back", limit.usedBytes(), 0);
  }

  private static void require(String what, long found, long expected) {
    if (found != expected) {
      throw new AssertionError(what + ": " + found + ", expected " + expected);
    }
  }
}
