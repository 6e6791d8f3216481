/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.stats.NettyReport.DirectMemory;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.CisternMemoryMetrics;
import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/**
 * The native memory of this copy of Netty, as far as Netty counts it: in its own counter, or in the
 * metrics of its allocators.
 *
 * <p>Netty has a counter for the memory that it allocates and frees itself. The JVM counts the
 * memory of {@link ByteBuffer#allocateDirect}. Netty 4.2 counts that memory too.
 */
final class HostDirectMemory {
  private static final String ADAPTIVE =
      AbstractByteBufAllocator.class.getPackageName() + ".AdaptiveByteBufAllocator";

  /** Classes of Netty 4.2 that allocate memory which the JVM does not count. */
  private static final Set<String> UNCOUNTED =
      Set.of("DirectCleaner", "CleanerJava24Linker", "CleanerJava25");

  private HostDirectMemory() {}

  /** The account of this copy; initialized after the host has initialized Netty's class. */
  private static final class Account {
    /** Whether the JVM counts the chunks of Netty, and those of the pool. */
    static final boolean IS_OF_JVM = isOfJvm();

    private static boolean isOfJvm() {
      try {
        if (isCleanable(int.class) || isCleanable(int.class, boolean.class)) {
          Field cleaner = PlatformDependent.class.getDeclaredField("CLEANER");
          cleaner.setAccessible(true);
          return !UNCOUNTED.contains(cleaner.get(null).getClass().getSimpleName());
        }
      } catch (ReflectiveOperationException | RuntimeException closed) {
        // an early 4.2 has no such field, and frees as 4.1 does
      }
      return !PlatformDependent.useDirectBufferNoCleaner();
    }

    /** Returns whether this is Netty 4.2. */
    private static boolean isCleanable(Class<?>... parameters) {
      try {
        return PlatformDependent.class.getMethod("allocateDirect", parameters).getReturnType()
            != ByteBuffer.class;
      } catch (NoSuchMethodException other) {
        return false;
      }
    }
  }

  /**
   * Reads the memory. It takes the locks of arenas for as long as Netty's own metrics do. If
   * linking fails, this Netty lacks a member.
   *
   * @param poolBytes reserved bytes of Cistern's direct pool for this copy
   */
  static DirectMemory read(long poolBytes) {
    List<KnownAllocators.Known> seen = KnownAllocators.seen();
    if (seen.isEmpty()) {
      return DirectMemory.NONE; // the host may not have initialized Netty's classes
    }
    long pooled = 0;
    long unpooled = 0;
    for (KnownAllocators.Known at : seen) {
      AbstractByteBufAllocator allocator = at.get();
      if (allocator != null) {
        try {
          if (allocator instanceof UnpooledByteBufAllocator) {
            unpooled += reportedBytes(allocator);
          } else {
            pooled += pooledBytes(allocator);
          }
        } catch (RuntimeException incomplete) {
          // its constructor still runs, so that it has no memory
        }
      }
    }
    return of(PlatformDependent.usedDirectMemory(), poolBytes, pooled, unpooled, Account.IS_OF_JVM);
  }

  private static long pooledBytes(AbstractByteBufAllocator allocator) {
    if (allocator instanceof PooledByteBufAllocator pooled) {
      long bytes = 0;
      for (PoolArenaMetric arena : pooled.metric().directArenas()) {
        bytes += arena.numActiveBytes(); // Netty's name for reserved bytes
      }
      return bytes;
    }
    if (!allocator.getClass().getName().equals(ADAPTIVE)) {
      return 0;
    }
    // if it is instrumented, it reports Cistern's memory too
    return Math.max(0, reportedBytes(allocator) - CisternMemoryMetrics.poolBytes(allocator, true));
  }

  private static long reportedBytes(AbstractByteBufAllocator allocator) {
    return allocator instanceof ByteBufAllocatorMetricProvider provider
        ? provider.metric().usedDirectMemory()
        : 0;
  }

  /**
   * Divides the memory among its users.
   *
   * @param countedBytes Netty's own count, which includes the pool; -1 if it does not count
   * @param poolBytes reserved bytes of Cistern's direct pool
   * @param pooledBytes reserved bytes of Netty's pooled and adaptive allocators
   * @param reportedBytes bytes that Netty's unpooled allocators report
   * @param isOfJvm whether the JVM counts Netty's chunks
   */
  static DirectMemory of(
      long countedBytes, long poolBytes, long pooledBytes, long reportedBytes, boolean isOfJvm) {
    // Netty's counter includes buffers without an allocator, which no allocator reports. Allocators
    // report buffers with a cleaner, which only the JVM counts.
    long unpooled = Math.max(countedBytes - poolBytes - pooledBytes, reportedBytes);
    long known = poolBytes + pooledBytes + unpooled;
    long inJvm;
    if (isOfJvm) {
      inJvm = known;
    } else {
      inJvm = countedBytes < 0 ? 0 : known - countedBytes;
    }
    return new DirectMemory(unpooled, inJvm, pooledBytes);
  }
}
