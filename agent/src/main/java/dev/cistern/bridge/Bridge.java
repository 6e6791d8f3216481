/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.bridge.api.BridgeCounters;
import dev.cistern.bridge.api.BridgeOptions;
import dev.cistern.bridge.api.NettyBridge;
import dev.cistern.bridge.channel.ChannelWatch;
import dev.cistern.leak.WatchFailures;
import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.memory.NativeMemory;
import dev.cistern.netty.pool.LeakLevel;
import dev.cistern.netty.pool.NettyLeakDetector;
import dev.cistern.netty.pool.NettyPool;
import dev.cistern.netty.pool.NettyPoolSettings;
import dev.cistern.netty.pool.NettyPools;
import dev.cistern.stats.AllocatorInfo;
import dev.cistern.stats.ChannelReport;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolSnapshot;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.CisternHook;
import io.netty.buffer.CisternMemoryMetrics;
import io.netty.util.internal.CisternMemory;
import io.netty.util.internal.PlatformDependent;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The bridge of one copy of Netty. */
public final class Bridge implements NettyBridge {
  private static final int ALL = 100;

  /** Approximate limit of the time that a request of the host waits while the pool frees memory. */
  private static final long MAX_FREEING_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final BridgeHook hook = BridgeHook.INSTANCE;
  private final BridgeHooks poolHooks;
  private final long firstBufferMillis;

  /** The channels of this copy; null if it lacks Netty's transport. */
  private final @Nullable ChannelWatch channels;

  /** Whether holders of buffers can be observed. */
  private final boolean hasHolders;

  /**
   * The action that frees memory. Referenced here, because the class in Netty's package has only a
   * weak reference.
   */
  private final IntConsumer beforeReserve = Bridge::beforeReserve;

  /** Whether there are pools. A copy that is only observed has none. */
  private volatile boolean hasPools;

  /** Gate of the host's first allocations, or null. The agent's thread only. */
  private @Nullable FirstAllocationGate firstGate;

  /** Number of allocations of self-tests, which do not count as the host's. */
  private long selfTestAllocations;

  /** The service of instances of Netty's pooled and adaptive allocators. */
  private volatile Service service = new Service(AllocatorInfo.BYPASSED, 0);

  /** A service, and the time of its start. */
  record Service(String label, long sinceMillis) {}

  private Bridge(BridgeHooks poolHooks, BridgeOptions options) {
    this.poolHooks = poolHooks;
    this.firstBufferMillis = options.settings().firstBufferMillis();
    this.channels = poolHooks.channels();
    this.hasHolders = options.hasHolders();
  }

  /** Opens the bridge of this class loader. */
  public static NettyBridge open(BridgeOptions options) {
    KnownAllocators.tick(); // initialized here and not by a thread of the host
    BridgeHooks hooks = new BridgeHooks(options);
    NativeMemory.countIn(options.mappings());
    NettyPoolSettings.use(poolSettings(options, hooks));
    return new Bridge(hooks, options);
  }

  static NettyPoolSettings poolSettings(BridgeOptions options, BridgeHooks hooks) {
    BridgeOptions.Settings settings = options.settings();
    return new NettyPoolSettings(
        options.poolName(),
        settings.arenas(),
        settings.chunkBytes(),
        settings.decayMillis(),
        settings.uninitializedArrays(),
        false,
        settings.sampleIntervalBytes(),
        LeakLevel.valueOf(settings.leakLevel().toUpperCase(Locale.ROOT)),
        settings.leakSamplingInterval(),
        NettyPoolSettings.LeakLimits.DEFAULT,
        settings.siteRules(),
        options.resetsCount(),
        options.records(),
        hooks);
  }

  @Override
  public @Nullable Throwable takeFailure() {
    return hook.takeFailure();
  }

  @Override
  public @Nullable Throwable takeReleaseFailure() {
    if (!hasPools) {
      return null;
    }
    Throwable failure = NettyPools.DIRECT_ENGINE.takeReleaseFailure();
    return failure != null ? failure : NettyPools.HEAP_ENGINE.takeReleaseFailure();
  }

  @Override
  public boolean isPaused() {
    return hook.isPaused();
  }

  @Override
  public void setMode(int percent, boolean observes) {
    if (percent > 0 || observes) {
      int unused = NettyLeakDetector.DETECTOR.watched(); // initialised here and not by the host
    }
    hook.resume();
    if (percent == 0 || percent == ALL) {
      CisternHook.live(percent == 0 ? null : hook);
    } else {
      CisternHook.live(PartialHook.of(hook, percent));
    }
    Observation.turn(observes);
    String next =
        percent > 0
            ? AllocatorInfo.SERVED
            : observes ? AllocatorInfo.OBSERVED : AllocatorInfo.BYPASSED;
    if (!next.equals(service.label)) {
      service = new Service(next, System.currentTimeMillis());
    }
    boolean isOff = next.equals(AllocatorInfo.BYPASSED);
    if (hasHolders) {
      HolderObserver.turn(!isOff);
    }
    if (channels != null) {
      channels.turn(!isOff);
    }
    if (isOff) {
      CisternHook.listen(null);
    } else {
      listen();
    }
    FirstAllocationGate closed = firstGate;
    if (closed != null) {
      firstGate = null;
      closed.open();
    }
  }

  @Override
  public void holdFirstAllocations(Thread agentThread) {
    if (firstGate == null && firstBufferMillis > 0) {
      FirstAllocationGate expected = new FirstAllocationGate(agentThread, firstBufferMillis);
      firstGate = expected;
      CisternHook.gate(expected);
      listen();
    }
  }

  private static void listen() {
    CisternHook.listen(KnownAllocators::created);
    CisternHook.early(KnownAllocators::createdBy);
  }

  @Override
  public boolean isDrained() {
    return pools().stream().allMatch(pool -> pool.reservedBytes() == 0);
  }

  @Override
  public List<PoolSnapshot> pools() {
    return hasPools ? List.of(NettyPools.DIRECT.snapshot(), NettyPools.HEAP.snapshot()) : List.of();
  }

  @Override
  public List<ChunkMap> chunkMaps() {
    return hasPools
        ? List.of(NettyPools.DIRECT_ENGINE.chunkMap(), NettyPools.HEAP_ENGINE.chunkMap())
        : List.of();
  }

  @Override
  public LeakReport leaks(StackDetail detail) {
    return NettyLeakDetector.report(detail);
  }

  @Override
  public LiveReport live(StackDetail detail) {
    Observation.refresh();
    return NettyLeakDetector.live(detail);
  }

  @Override
  public List<LifetimeReport> lifetimes() {
    return NettyLeakDetector.lifetimes();
  }

  @Override
  public AllocationReport allocations(StackDetail detail) {
    return NettyLeakDetector.allocations(detail);
  }

  @Override
  public void name(Object allocator, String name) {
    if (allocator instanceof AbstractByteBufAllocator instance) {
      KnownAllocators.name(instance, name);
    }
  }

  @Override
  public NettyReport allocators(boolean withStatistics) {
    return new NettyReport(
        withStatistics ? ObservedAllocators.read() : List.of(),
        KnownAllocators.dropped(),
        KnownAllocators.inventory(service),
        withStatistics ? directLimit() : null,
        directMemory(),
        channels == null ? ChannelReport.NONE : channels.report());
  }

  /** Returns the native memory of this copy; none if its Netty lacks a member that this reads. */
  private NettyReport.DirectMemory directMemory() {
    try {
      return HostDirectMemory.read(hasPools ? NettyPools.DIRECT_ENGINE.reservedBytes() : 0);
    } catch (LinkageError | RuntimeException unknown) {
      return NettyReport.DirectMemory.NONE;
    }
  }

  /** Returns the limit that this copy of Netty counts against; null if it counts nothing. */
  private static NettyReport.@Nullable Limit directLimit() {
    long used = PlatformDependent.usedDirectMemory();
    return used < 0 ? null : new NettyReport.Limit(PlatformDependent.maxDirectMemory(), used);
  }

  @Override
  public void wakeOnExhaustion(Thread agentThread) {
    poolHooks.wakeOnExhaustion(agentThread);
  }

  @Override
  public long exhaustions() {
    return poolHooks.exhaustions();
  }

  /** Frees memory of the pool until the request is within Netty's limit. */
  private static void beforeReserve(int bytes) {
    long limit = PlatformDependent.maxDirectMemory();
    long startNanos = System.nanoTime();
    boolean frees = bytes <= limit;
    while (frees && PlatformDependent.usedDirectMemory() + bytes > limit) {
      frees =
          NettyPools.DIRECT_ENGINE.tryFreeOne()
              && System.nanoTime() - startNanos < MAX_FREEING_NANOS;
    }
  }

  @Override
  public boolean freeOne() {
    return hasPools && NettyPools.DIRECT_ENGINE.tryFreeOne();
  }

  @Override
  public int tick() {
    if (hasPools) {
      NettyPools.DIRECT_ENGINE.tick();
      NettyPools.HEAP_ENGINE.tick();
    }
    Observation.tick();
    KnownAllocators.tick();
    pollChannels();
    return NettyLeakDetector.DETECTOR.tick();
  }

  private void pollChannels() {
    try {
      if (channels != null) {
        channels.poll();
      }
    } catch (RuntimeException | LinkageError failure) { // leaks are still found
      WatchFailures.add(failure);
    }
  }

  @Override
  public @Nullable Throwable selfTest() {
    long before;
    try {
      int unused = NettyLeakDetector.DETECTOR.watched(); // initialised here and not by the host
      long allocations = allocations();
      before = hasPools ? allocations : 0;
    } catch (LinkageError failed) { // the JVM cannot initialize these classes again
      Throwable cause = failed.getCause();
      return new IllegalStateException(
          "the pools cannot be made: " + (cause == null ? failed : cause), cause);
    }
    if (!hasPools) {
      CisternMemoryMetrics.live(new HostAllocatorMetrics());
      hasPools = true;
    }
    CisternMemory.beforeReserve(beforeReserve);
    try {
      Throwable failure = new SelfTest().run();
      while (freeOne()) {
        // loads classes that a thread of the host would otherwise load
      }
      return failure;
    } finally {
      selfTestAllocations += allocations() - before;
    }
  }

  @Override
  public PoolsReport report() {
    if (!hasPools) {
      return new PoolsReport(List.of(), new BridgeCounters(0, hook.fallbacks(), hook.failures()));
    }
    long directMoves = NettyPools.DIRECT.moves();
    long heapMoves = NettyPools.HEAP.moves();
    List<PoolSnapshot> pools = pools();
    long served =
        allocations(pools.get(0), directMoves)
            + allocations(pools.get(1), heapMoves)
            - selfTestAllocations;
    long failures =
        hook.failures()
            + NettyPools.DIRECT_ENGINE.releaseFailures()
            + NettyPools.HEAP_ENGINE.releaseFailures();
    return new PoolsReport(pools, new BridgeCounters(served, hook.fallbacks(), failures));
  }

  @Override
  public long fallbacks(boolean isDirect, boolean isFault) {
    return hook.fallbacks(isDirect, isFault);
  }

  private static long allocations() {
    return allocations(NettyPools.DIRECT) + allocations(NettyPools.HEAP);
  }

  private static long allocations(NettyPool pool) {
    long moves = pool.moves();
    return allocations(pool.snapshot(), moves);
  }

  private static long allocations(PoolSnapshot pool, long movesBefore) {
    return Math.max(0, pool.allocations() - movesBefore);
  }
}
