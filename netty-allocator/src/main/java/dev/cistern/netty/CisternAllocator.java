/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty;

import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.netty.pool.NettyDirectMemory;
import dev.cistern.netty.pool.NettyLeakDetector;
import dev.cistern.netty.pool.NettyPoolSettings;
import dev.cistern.netty.pool.NettyPools;
import dev.cistern.pool.AllocatorDiagnostics;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.PoolSnapshot;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;

/**
 * An allocator of Netty that serves from Cistern's pools.
 *
 * <pre>{@code
 * bootstrap.childOption(ChannelOption.ALLOCATOR, CisternAllocator.DEFAULT);
 * }</pre>
 *
 * <p>It works with Netty 4.1 from 4.1.100, and with Netty 4.2. Direct memory counts in the accounts
 * in which Netty's own chunks count, and the same limits hold: {@code -XX:MaxDirectMemorySize} and
 * {@code -Dio.netty.maxDirectMemory}.
 *
 * <p>Retained slices and duplicates share the reference count of their buffer, as those of Netty's
 * adaptive allocator do.
 *
 * <p>Each setting has a system property, which is read when this class is initialized:
 *
 * <ul>
 *   <li>{@code cistern.netty.preferDirect}: whether {@link #buffer()} allocates direct buffers;
 *       default {@code true}
 *   <li>{@code cistern.netty.arenas}: arenas of each kind of memory; default 0: by the number of
 *       processors and the limits of memory
 *   <li>{@code cistern.netty.chunkBytes}: bytes of a chunk, a power of two from 1 MiB to 64 MiB;
 *       default 4 MiB
 *   <li>{@code cistern.netty.decayMillis}: time after which unused memory is freed; default 10,000
 *   <li>{@code cistern.sampleIntervalBytes}, {@code cistern.leakDetection.level}, {@code
 *       samplingInterval}, {@code targetRecords}, {@code maxWatched}, {@code burstNanos} and {@code
 *       quarantineBytes}: the leak detector, as for the library's own buffers. Netty's level
 *       applies if it is advanced or paranoid and not lower than this one.
 * </ul>
 *
 * <p>The figures of the pools are available without the agent: {@link #metric()} has Netty's own,
 * and the exporter's {@code AllocatorSource} takes this allocator. This class is thread-safe.
 *
 * <p>{@code pools}, {@code chunks}, {@code leaks} and {@code live} are for the exporter. Their
 * types are not exported and can change in any release.
 */
public final class CisternAllocator extends AbstractByteBufAllocator
    implements ByteBufAllocatorMetricProvider, AllocatorDiagnostics {
  /** The allocator. All allocators of a class loader share its pools. */
  public static final CisternAllocator DEFAULT = new CisternAllocator();

  private final CisternAllocatorMetric metric = new CisternAllocatorMetric();

  /** The allocator that {@link ByteBuf#alloc()} of the buffers returns. */
  private final AbstractByteBufAllocator ofBuffers;

  private CisternAllocator() {
    super(ProcessSettings.preferDirect());
    NettyPoolSettings.use(ProcessSettings.pool());
    ofBuffers = this;
  }

  private CisternAllocator(AbstractByteBufAllocator ofBuffers) {
    super(ProcessSettings.preferDirect());
    this.ofBuffers = ofBuffers;
  }

  /**
   * The allocator for Vert.x. Created on demand, because it creates Netty's pooled allocator, which
   * reads settings and logs.
   */
  private static final class ForVertx {
    static final CisternAllocator ALLOCATOR = new CisternAllocator(PooledByteBufAllocator.DEFAULT);
  }

  /**
   * Returns an allocator of the same pools for Vert.x. {@link ByteBuf#alloc()} of its buffers
   * returns Netty's {@link PooledByteBufAllocator#DEFAULT}, because Vert.x releases the buffers
   * that it receives only if that method returns an allocator of Netty's pooled class. In return,
   * Netty's allocator serves a buffer that is allocated through {@code alloc()} of another buffer.
   *
   * @return always the same allocator
   */
  public static CisternAllocator forVertx() {
    return ForVertx.ALLOCATOR;
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return NettyPools.heap(ofBuffers, initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return NettyPools.direct(ofBuffers, initialCapacity, maxCapacity);
  }

  /** Returns true: direct buffers are pooled. */
  @Override
  public boolean isDirectBufferPooled() {
    return true;
  }

  /** Returns the memory of the pools. Each call of a method of the metric reads the pools. */
  @Override
  public ByteBufAllocatorMetric metric() {
    return metric;
  }

  /**
   * Frees the memory that the calling thread caches.
   *
   * @return whether the thread had a cache
   */
  public boolean trimCurrentThreadCache() {
    boolean direct = NettyPools.DIRECT_ENGINE.trimCurrentThreadCache();
    boolean heap = NettyPools.HEAP_ENGINE.trimCurrentThreadCache();
    return direct || heap;
  }

  /**
   * Frees the memory of released buffers, and stops keeping memory. The threads of this module end
   * after the last buffer is released, within half a minute. Then the class loader can be collected
   * if no other code refers to it.
   *
   * <p>Call it when an application is undeployed, after its event loops have ended. Buffers in use
   * stay valid. Allocation still works, but unused memory is freed at once. A second call does
   * nothing.
   */
  public void shutdown() {
    NettyPools.DIRECT_ENGINE.close();
    NettyPools.HEAP_ENGINE.close();
  }

  /**
   * Returns the statistics of both pools. For the exporter, not for callers: its type is not
   * exported.
   */
  @Override
  public List<PoolSnapshot> pools() {
    return List.of(NettyPools.DIRECT.snapshot(), NettyPools.HEAP.snapshot());
  }

  /**
   * Returns whether the JVM counts this memory. If so, the exporter does not count it again as
   * other direct buffers.
   */
  @Override
  public boolean isInJvmAccount() {
    return NettyDirectMemory.INSTANCE.isInJvmAccount();
  }

  /**
   * Returns the use of the chunks of both pools. For the exporter, not for callers: its type is not
   * exported.
   */
  @Override
  public List<ChunkMap> chunks() {
    return List.of(NettyPools.DIRECT_ENGINE.chunkMap(), NettyPools.HEAP_ENGINE.chunkMap());
  }

  /**
   * Returns the leaks found so far. For the exporter, not for callers: its type is not exported.
   */
  @Override
  public LeakReport leaks(StackDetail detail) {
    return NettyLeakDetector.reportWithoutFailures(detail); // the exporter's pool library has them
  }

  /** Returns the live profile. For the exporter, not for callers: its type is not exported. */
  @Override
  public LiveReport live(StackDetail detail) {
    return NettyLeakDetector.live(detail);
  }

  /** Returns the lifetimes. For the exporter, not for callers: its type is not exported. */
  @Override
  public List<LifetimeReport> lifetimes() {
    return NettyLeakDetector.lifetimes();
  }

  /** Returns the allocation profile. For the exporter, not for callers. */
  @Override
  public AllocationReport allocations(StackDetail detail) {
    return NettyLeakDetector.allocations(detail);
  }

  @Override
  public String toString() {
    return "CisternAllocator(preferDirect: " + ProcessSettings.preferDirect() + ')';
  }
}
