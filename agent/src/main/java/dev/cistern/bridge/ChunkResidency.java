/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.memory.NioMemory;
import dev.cistern.memory.PageMap;
import io.netty.buffer.CisternObserver;
import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PoolChunkListMetric;
import io.netty.buffer.PoolChunkMetric;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The resident memory of the direct chunks of Netty's pooled allocators. The agent's thread
 * measures it, which takes about 20 ns for each page. If a chunk is freed meanwhile, the pages that
 * are then at its address are counted.
 */
final class ChunkResidency {
  /** The pause after a measurement, as a multiple of its duration. */
  private static final int PAUSE_FACTOR = 1000;

  private static final long MAX_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long MIN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * Approximate limit of the pages that a measurement reads. If there are more, it reads a sample
   * of the chunks.
   */
  private static final long MAX_PAGES = 1 << 20;

  /** The last measurement by number of the allocator. Replaced as a whole. */
  private static volatile Map<Integer, Measured> measured = Map.of();

  /** Time of the next measurement. Guarded by the lock of this class. */
  private static long nextNanos = System.nanoTime();

  /**
   * Number of measurements. It selects the first chunk of a sample, so that each sample starts at
   * another chunk. Guarded by the lock of this class.
   */
  private static int rounds;

  private ChunkResidency() {}

  /**
   * A measurement.
   *
   * @param residentBytes resident bytes of the chunks
   * @param bytes bytes of the chunks
   */
  private record Measured(long residentBytes, long bytes) {}

  /** Addresses and sizes of the chunks of an allocator. */
  private record Chunks(int number, List<long[]> all, long bytes) {}

  /**
   * Returns the resident bytes of an allocator's direct memory; -1 if they are unknown. Buffers
   * larger than a chunk count as resident, because they are not in the lists of chunks. Chunks that
   * are newer than the measurement also count as resident, because their first buffers use them
   * soon.
   *
   * @param reservedBytes bytes of its chunks and huge buffers
   * @param hugeBytes bytes of the huge buffers among them
   */
  static long residentBytes(int number, long reservedBytes, long hugeBytes) {
    if (reservedBytes <= hugeBytes) {
      return reservedBytes;
    }
    Measured last = measured.get(number);
    if (last == null || last.residentBytes < 0) {
      return -1;
    }
    long newBytes = Math.max(0, reservedBytes - hugeBytes - last.bytes);
    return Math.min(reservedBytes, last.residentBytes + newBytes + hugeBytes);
  }

  /** Measures the chunks, unless the last measurement is too recent. */
  static synchronized void measureIfDue() {
    long startNanos = System.nanoTime();
    if (startNanos - nextNanos < 0) {
      return;
    }
    try {
      measured = measure(MAX_PAGES);
    } catch (RuntimeException | LinkageError other) {
      measured = Map.of(); // this Netty has other chunks
    }
    long now = System.nanoTime();
    long pause = Math.min(MAX_PAUSE_NANOS, (now - startNanos) * PAUSE_FACTOR);
    nextNanos = now + Math.max(MIN_PAUSE_NANOS, pause);
  }

  /** Measures the chunks now; for tests. */
  static synchronized void measureNow(long maxPages) {
    measured = measure(maxPages);
  }

  private static Map<Integer, Measured> measure(long maxPages) {
    List<Chunks> allocators = new ArrayList<>();
    long pages = 0;
    for (KnownAllocators.Known at : KnownAllocators.seen()) {
      if (at.used() instanceof PooledByteBufAllocator pooled) {
        Chunks chunks = chunks(at.number(), pooled.metric().directArenas());
        allocators.add(chunks);
        pages += chunks.bytes / MemoryAccess.PAGE_BYTES;
      }
    }
    int stride = (int) Math.min(Integer.MAX_VALUE, 1 + pages / maxPages);
    Map<Integer, Measured> resident = new HashMap<>();
    for (Chunks chunks : allocators) {
      resident.put(chunks.number, new Measured(residentBytes(chunks, stride), chunks.bytes));
    }
    rounds++;
    return Map.copyOf(resident);
  }

  private static Chunks chunks(int number, List<PoolArenaMetric> arenas) {
    List<long[]> all = new ArrayList<>();
    long bytes = 0;
    for (PoolArenaMetric arena : arenas) {
      for (PoolChunkListMetric list : arena.chunkLists()) {
        for (PoolChunkMetric chunk : list) {
          ByteBuffer memory = CisternObserver.memory(chunk);
          all.add(new long[] {memory == null ? 0 : NioMemory.start(memory), chunk.chunkSize()});
          bytes += chunk.chunkSize();
        }
      }
    }
    return new Chunks(number, all, bytes);
  }

  /**
   * Returns the resident bytes of all chunks. Measures one of each {@code stride} chunks, and
   * assumes that the remaining chunks have the same resident share.
   */
  private static long residentBytes(Chunks chunks, int stride) {
    if (chunks.all.isEmpty()) {
      return 0;
    }
    long resident = 0;
    long visited = 0;
    int first = Math.floorMod(rounds, Math.min(stride, chunks.all.size()));
    for (long i = first; i < chunks.all.size(); i += stride) {
      long[] chunk = chunks.all.get((int) i);
      long bytes = PageMap.residentBytes(chunk[0], chunk[1]);
      if (bytes < 0) {
        return -1;
      }
      resident += bytes;
      visited += chunk[1];
    }
    return visited == chunks.bytes ? resident : (long) ((double) resident / visited * chunks.bytes);
  }
}
