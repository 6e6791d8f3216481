/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import dev.cistern.exporter.report.MemoryReport.PartBytes;
import dev.cistern.exporter.report.Part;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Splits the resident memory of a process into parts that add up to it.
 *
 * <p>The address space shows the Java heap, code, stacks and files by their mappings. Pools, other
 * direct buffers, metaspace and the JVM's own data are in anonymous memory that does not show its
 * owner. Other figures provide their sizes, and the remainder of that memory is native memory.
 */
public final class Waterfall {
  private static final String DIRECT = "direct";

  private final Map<Part, Long> bytes = new EnumMap<>(Part.class);

  private Waterfall() {}

  /**
   * Native memory of the pools and buffers of a process, in bytes.
   *
   * @param pinned resident memory in use of Cistern's pools
   * @param cached resident memory in thread caches
   * @param free resident memory that is free
   * @param nettyPools resident memory of Netty's own pools
   * @param unpooled unpooled direct buffers of Netty
   * @param inJvmAccount bytes of all these that the JVM counts as direct buffers
   */
  public record Buffers(
      long pinned, long cached, long free, long nettyPools, long unpooled, long inJvmAccount) {
    /** Returns the sums over the copies of Netty and the allocators of a process. */
    public static Buffers of(List<PoolReport> copies) {
      long pinned = 0;
      long cached = 0;
      long resident = 0;
      long netty = 0;
      long unpooled = 0;
      long inJvmAccount = 0;
      for (PoolReport copy : copies) {
        for (PoolSnapshot pool : copy.pools()) {
          if (pool.memory().equals(DIRECT)) {
            long known = pool.residentBytes();
            long of = known < 0 ? pool.reservedBytes() : known;
            long used = Math.min(of, pool.pinnedBytes());
            resident += of;
            pinned += used;
            cached += Math.min(of - used, pool.cachedBytes());
          }
        }
        NettyReport.DirectMemory memory = copy.netty().directMemory();
        netty += nettyPools(copy.netty());
        unpooled += memory.unpooledBytes();
        inJvmAccount += memory.inJvmAccountBytes();
      }
      return new Buffers(pinned, cached, resident - pinned - cached, netty, unpooled, inJvmAccount);
    }

    /**
     * Returns the resident bytes of Netty's own pools. If Netty is not observed, only the reserved
     * bytes are known.
     */
    private static long nettyPools(NettyReport netty) {
      long resident = 0;
      long reserved = 0;
      for (NettyAllocatorReport each : netty.allocators()) {
        if (each.isAlive() && each.memory().equals(DIRECT)) {
          resident += each.residentBytes() < 0 ? each.reservedBytes() : each.residentBytes();
          reserved += each.reservedBytes();
        }
      }
      return resident + Math.max(0, netty.directMemory().pooledBytes() - reserved);
    }
  }

  /**
   * Returns the parts.
   *
   * @param residentBytes resident memory
   * @param space the mappings
   * @param beans figures of the JVM
   * @param buffers pools and buffers
   * @param tracking native memory tracking, or null
   */
  static List<PartBytes> of(
      long residentBytes,
      AddressSpace space,
      JavaBeans.Figures beans,
      Buffers buffers,
      @Nullable NativeTracking tracking) {
    Waterfall parts = new Waterfall();
    long heap = space.heapBytes();
    long anonymous = space.otherBytes() + space.arenaBytes();
    if (heap < 0) { // a heap that was not found is part of the other anonymous memory
      heap = Math.min(anonymous, beans.heapCommitted());
      anonymous -= heap;
    }
    parts.put(Part.JAVA_HEAP, heap);
    parts.put(Part.CODE, space.codeBytes());
    parts.put(Part.THREAD_STACKS, space.stackBytes());
    parts.put(Part.MAPPED_FILES, space.fileBytes());
    long left = anonymous;
    left -= parts.take(Part.POOL_PINNED, buffers.pinned(), left);
    left -= parts.take(Part.POOL_CACHED, buffers.cached(), left);
    left -= parts.take(Part.POOL_FREE, buffers.free(), left);
    left -= parts.take(Part.NETTY_POOLS, buffers.nettyPools(), left);
    left -= parts.take(Part.NETTY_UNPOOLED, buffers.unpooled(), left);
    long others = Math.max(0, beans.direct() - buffers.inJvmAccount());
    left -= parts.take(Part.JDK_DIRECT, others, left);
    left -= parts.take(Part.METASPACE, beans.metaspace(), left);
    long jvm = 0;
    if (tracking != null) { // committed memory that no thread has used yet is not resident
      jvm = Math.min(left, tracking.mallocBytes() + tracking.mappedBytes());
      left -= jvm;
    }
    parts.put(Part.JVM, space.libraryBytes() + jvm);
    parts.put(Part.NATIVE, left);
    long sum = parts.bytes.values().stream().mapToLong(Long::longValue).sum();
    parts.put(Part.REST, residentBytes - sum);
    return parts.inOrder();
  }

  private void put(Part part, long value) {
    bytes.put(part, value);
  }

  /** Returns the bytes of a part: the known bytes, limited to the bytes that are left. */
  private long take(Part part, long known, long left) {
    long taken = Math.max(0, Math.min(known, left));
    put(part, taken);
    return taken;
  }

  private List<PartBytes> inOrder() {
    List<PartBytes> all = new ArrayList<>();
    for (Part part : Part.values()) {
      all.add(new PartBytes(part, bytes.getOrDefault(part, 0L)));
    }
    return all;
  }
}
