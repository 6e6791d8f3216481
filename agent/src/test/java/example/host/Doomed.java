/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An application under load that leaks. It runs until its process is ended, or an order makes it
 * fill the memory.
 */
public final class Doomed {
  private static final PooledByteBufAllocator ALLOC = PooledByteBufAllocator.DEFAULT;
  private static final int LEAKED_BYTES = 16 << 10;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long COLLECT_MILLIS = 200;
  private static final int PIECE_BYTES = 1 << 20;

  private Doomed() {}

  /** Runs until its process is ended. {@code heap} on its stdin makes it fill the Java heap. */
  public static void main(String[] arguments) throws Exception {
    start(Doomed::work);
    start(Doomed::leak);
    start(Doomed::collect);
    System.out.println("ready");
    int order = System.in.read();
    if (order == 'h') {
      fillHeap();
    }
    Thread.currentThread().join();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  private static void work() {
    for (int size = 16; ; size = size * 2 % 65_521) {
      ByteBuf buffer = ALLOC.directBuffer(size);
      buffer.writeLong(size);
      buffer.release();
      if (size % 7 == 0) {
        LockSupport.parkNanos(1_000);
      }
    }
  }

  private static void leak() {
    while (true) {
      ALLOC.directBuffer(LEAKED_BYTES).writeInt(1);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static void collect() {
    while (true) {
      System.gc();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(COLLECT_MILLIS));
    }
  }

  private static void fillHeap() {
    List<byte[]> taken = new ArrayList<>();
    while (true) {
      byte[] piece = new byte[PIECE_BYTES];
      for (int i = 0; i < piece.length; i += 4096) {
        piece[i] = 1;
      }
      taken.add(piece);
      if (taken.size() % 1_000 == 0) {
        System.out.println("took " + taken.size());
      }
    }
  }
}
