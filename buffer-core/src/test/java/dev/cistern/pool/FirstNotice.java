/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import com.sun.management.ThreadMXBean;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/**
 * Sends the first notice of a class loader, and returns the bytes of the Java heap that the
 * releasing thread allocates for that. {@link FirstNoticeTest} loads this class again, and with it
 * the engine.
 */
public final class FirstNotice implements LongSupplier {
  private static final int RUN_BYTES = 300_000;

  private final BufferPool pool =
      BufferPool.builder(MemoryKind.HEAP, new HeapMemorySource(), new BlockBinder())
          .arenas(1)
          .maintenanceThread(false)
          .build();

  @Override
  public long getAsLong() {
    Block[] runs = allocateInOtherThread(2);
    RemoteFreeNotices notices = runs[0].group.bin.notices;
    runs[1].release(); // sends none: it is the current run. The rest of a release is loaded
    ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long used = bean.getThreadAllocatedBytes(thread); // loads what the next call needs
    require(used > 0 && notices.newest() == null, "a notice was sent before");
    long before = bean.getThreadAllocatedBytes(thread);
    runs[0].release();
    long allocated = bean.getThreadAllocatedBytes(thread) - before;
    require(notices.newest() != null, "no notice was sent");
    pool.tick();
    pool.close();
    pool.tick();
    require(pool.snapshot().reservedBytes() == 0, "memory is left");
    return allocated;
  }

  private Block[] allocateInOtherThread(int count) {
    Block[] blocks = new Block[count];
    Thread owner =
        new Thread(
            () -> {
              for (int i = 0; i < count; i++) {
                blocks[i] = (Block) pool.allocate(RUN_BYTES);
              }
            });
    owner.start();
    try {
      owner.join();
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
    return blocks;
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
