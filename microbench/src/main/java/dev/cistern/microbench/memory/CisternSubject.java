/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PoolArenaMetric;
import dev.cistern.buffer.PoolChunkListMetric;
import dev.cistern.buffer.PoolChunkMetric;
import dev.cistern.buffer.PoolSubpageMetric;
import dev.cistern.buffer.PooledByteBufAllocator;
import java.util.Map;
import java.util.TreeMap;

/** Cistern's library, called directly. */
final class CisternSubject implements Subject {
  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);

  @Override
  public Object allocate(int bytes) {
    ByteBuf buffer = allocator.directBuffer(bytes);
    for (int i = 0; i < bytes; i += Meter.SYSTEM_PAGE_BYTES) {
      buffer.setByte(i, 1);
    }
    return buffer;
  }

  @Override
  public void release(Object buffer) {
    ((ByteBuf) buffer).release();
  }

  @Override
  public long reservedBytes() {
    return allocator.metric().usedDirectMemory();
  }

  @Override
  public long pinnedBytes() {
    return allocator.pinnedDirectMemory();
  }

  @Override
  public String detail() {
    StringBuilder detail = new StringBuilder();
    for (PoolArenaMetric arena : allocator.metric().directArenas()) {
      int chunks = 0;
      long runBytes = 0;
      StringBuilder usage = new StringBuilder();
      for (PoolChunkListMetric list : arena.chunkLists()) {
        for (PoolChunkMetric chunk : list) {
          chunks++;
          runBytes += chunk.chunkSize() - chunk.freeBytes();
          usage.append(' ').append(chunk.usage());
        }
      }
      long subpageBytes = 0;
      long freeSubpageBytes = 0;
      Map<Integer, int[]> byClass = new TreeMap<>();
      for (PoolSubpageMetric subpage : arena.smallSubpages()) {
        subpageBytes += subpage.pageSize();
        boolean free = subpage.numAvailable() == subpage.maxNumElements();
        freeSubpageBytes += free ? subpage.pageSize() : 0;
        int[] counts = byClass.computeIfAbsent(subpage.elementSize(), size -> new int[2]);
        counts[0]++;
        counts[1] += free ? 1 : 0;
      }
      detail.append(
          String.format(
              "; chunks %d (use %%:%s), runs %d KiB, of them subpages %d KiB, wholly free %d KiB:",
              chunks, usage, runBytes >> 10, subpageBytes >> 10, freeSubpageBytes >> 10));
      byClass.forEach(
          (size, counts) -> detail.append(String.format(" %dx%d(%d)", counts[0], size, counts[1])));
    }
    return allocator.dumpStats().replace("\n", " ") + detail;
  }
}
