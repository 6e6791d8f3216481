/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.LeakReport;
import dev.cistern.leak.LiveReport;
import dev.cistern.leak.OutOfMemoryTasks;
import dev.cistern.leak.StackDetail;
import dev.cistern.pool.BufferPool;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.PoolSnapshot;
import java.util.List;

/** What is known of the buffers of this process, of all allocators together, at any time. */
public final class BufferDiagnostics {
  private BufferDiagnostics() {}

  /** Returns the leaks found up to now, with stacks in the given detail. */
  public static LeakReport leaks(StackDetail detail) {
    return BufferLeakDetector.LEAKS.leaks(detail);
  }

  /**
   * Returns the live profile: which sites hold how many bytes, how old they are, and which sites
   * grow.
   */
  public static LiveReport live(StackDetail detail) {
    return BufferLeakDetector.LEAKS.live(detail);
  }

  /** Returns the pools of an allocator: one for each kind of memory that it pools. */
  public static List<PoolSnapshot> pools(PooledByteBufAllocator allocator) {
    return allocator.pools().map(BufferPool::snapshot).toList();
  }

  /** How full the chunks of those pools are. */
  public static List<ChunkMap> chunks(PooledByteBufAllocator allocator) {
    return allocator.pools().map(BufferPool::chunkMap).toList();
  }

  /**
   * Has a task run whenever an allocator refuses a direct buffer for want of memory, pooled or not,
   * by the thread that is refused, before it learns of it. The task should hand over to another
   * thread at once. What it throws is ignored.
   */
  public static void onOutOfMemory(Runnable task) {
    OutOfMemoryTasks.add(task);
  }

  /** Ends what {@link #onOutOfMemory} began. */
  public static void removeOnOutOfMemory(Runnable task) {
    OutOfMemoryTasks.remove(task);
  }
}
