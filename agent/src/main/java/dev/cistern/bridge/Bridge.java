/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.StackDetail;
import dev.cistern.memory.NativeMemory;
import dev.cistern.netty.pool.NettyLeakDetector;
import dev.cistern.netty.pool.NettyPool;
import dev.cistern.netty.pool.NettyPoolSettings;
import dev.cistern.netty.pool.NettyPools;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import io.netty.buffer.CisternHook;
import io.netty.buffer.CisternView;
import io.netty.util.internal.CisternMemory;
import io.netty.util.internal.PlatformDependent;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The agent's handle on one copy of Netty: commands and answers are JDK types, because the agent
 * lives in another class loader.
 *
 * <p>Commands: {@code selfTest} (null, or what it threw), {@code mode} with whether our pool
 * serves, the percentage, and whether Netty's own buffers are sampled, {@code expect} with the
 * agent's thread, which is about to set a mode in which our pool serves, or with nothing if it no
 * longer is, {@code drained}, {@code snapshot}, {@code chunks}, {@code counters}, {@code failure}
 * (what an allocation threw since this was asked last, or null), {@code releaseFailure} (the same
 * of a release), {@code paused} (whether faults have ended the service until a mode is set), {@code
 * leaks} and {@code live} (each as bytes), {@code level}, {@code tick} (leaks found), {@code
 * keeper} with the thread to wake when native memory runs out, {@code exhausted} (how often it
 * has), {@code freeOne} (whether some unused direct memory was given back), {@code allocators}
 * (class and identity of the instances seen), {@code observed} (what these tell: {@link
 * ObservedAllocators}).
 */
public final class Bridge implements BiFunction<String, @Nullable Object, @Nullable Object> {
  private static final int ALL = 100;

  /** A request of the host waits no longer than about this for memory that the pool frees. */
  private static final long MAX_FREEING_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final BridgeHook hook = BridgeHook.INSTANCE;

  /** Held here, because Netty's class holds it weakly. */
  private final IntConsumer beforeReserve = Bridge::beforeReserve;

  /** Whether there are pools: a copy that is only observed has none, and gets none. */
  private volatile boolean hasPools;

  /** What the host's first allocations wait at, or null. The agent's thread only. */
  private @Nullable FirstBuffer firstBuffer;

  /** Allocations of the self-test, by kind; not the host's. */
  private long selfTestDirect;

  private long selfTestHeap;

  private Bridge() {}

  /**
   * Opens the bridge of this class loader.
   *
   * @param poolName the copy's package prefix
   * @param numbers settings by name; what is missing gets its default
   * @param records receives a record of each block of native memory
   * @param mappings the JVM's count of mapped blocks
   */
  public static BiFunction<String, @Nullable Object, @Nullable Object> open(
      String poolName, Map<String, Long> numbers, Set<Object[]> records, AtomicLong mappings) {
    NettyPoolSettings.recordIn(records);
    NativeMemory.countIn(mappings);
    BridgeSettings.use(BridgeSettings.of(poolName, numbers));
    CisternView.live(new HostView());
    return new Bridge();
  }

  @Override
  public @Nullable Object apply(String command, @Nullable Object argument) {
    return switch (command) {
      case "selfTest" -> selfTest();
      case "mode" -> mode(argument);
      case "expect" -> expect(argument);
      case "drained" -> isDrained();
      case "snapshot" -> snapshot();
      case "chunks" -> chunks();
      case "counters" -> counters();
      case "failure" -> hook.takeFailure();
      case "releaseFailure" -> takeReleaseFailure();
      case "paused" -> hook.isPaused();
      case "leaks" -> NettyLeakDetector.report(StackDetail.FRAMES).encode();
      case "leakSites" -> NettyLeakDetector.report(StackDetail.SITE).encode();
      case "live" -> live(StackDetail.FRAMES);
      case "liveSites" -> live(StackDetail.SITE);
      case "level" -> NettyLeakDetector.level().label();
      case "keeper" -> keeper(argument);
      case "allocators" -> Allocators.names();
      case "observed" -> ObservedAllocators.read();
      case "exhausted" -> DirectMemoryExhaustion.count();
      case "freeOne" -> hasPools && freesOne();
      case "tick" -> tick();
      default -> throw new IllegalArgumentException("command: " + command);
    };
  }

  private @Nullable Throwable takeReleaseFailure() {
    if (!hasPools) {
      return null;
    }
    Throwable failure = NettyPools.DIRECT_ENGINE.takeReleaseFailure();
    return failure != null ? failure : NettyPools.HEAP_ENGINE.takeReleaseFailure();
  }

  private @Nullable Object mode(@Nullable Object argument) {
    if (!(argument instanceof Object[] wanted)
        || !(wanted[0] instanceof Boolean swaps)
        || !(wanted[1] instanceof Integer percent)
        || !(wanted[2] instanceof Boolean observes)) {
      throw new IllegalArgumentException("mode: " + argument);
    }
    hook.resume();
    BridgeHook.live(swaps ? serving(percent) : null);
    Observation.turn(observes);
    openGate();
    return null;
  }

  /** The host's first allocations wait for the mode that is about to come. */
  private @Nullable Object expect(@Nullable Object argument) {
    long longestMillis = BridgeSettings.current().firstBufferMillis();
    if (!(argument instanceof Thread agentThread)) {
      openGate();
    } else if (firstBuffer == null && longestMillis > 0) {
      FirstBuffer expected = new FirstBuffer(agentThread, longestMillis);
      firstBuffer = expected;
      BridgeHook.gate(expected);
    }
    return null;
  }

  private void openGate() {
    FirstBuffer closed = firstBuffer;
    if (closed != null) {
      firstBuffer = null;
      closed.open();
    }
  }

  private CisternHook serving(int percent) {
    return percent < ALL ? PartialHook.of(hook, percent) : hook;
  }

  /** Whether no buffer of ours is out and no memory is reserved. */
  private boolean isDrained() {
    return !hasPools
        || (NettyPools.DIRECT.snapshot().reservedBytes() == 0
            && NettyPools.HEAP.snapshot().reservedBytes() == 0);
  }

  private Object[] snapshot() {
    return hasPools
        ? new Object[] {NettyPools.DIRECT.snapshot().encode(), NettyPools.HEAP.snapshot().encode()}
        : new Object[0];
  }

  private Object[] chunks() {
    return hasPools
        ? new Object[] {
          NettyPools.DIRECT.engine().chunkMap().encode(),
          NettyPools.HEAP.engine().chunkMap().encode()
        }
        : new Object[0];
  }

  private static byte[] live(StackDetail detail) {
    Observation.refresh();
    return NettyLeakDetector.live(detail).encode();
  }

  private static @Nullable Object keeper(@Nullable Object argument) {
    if (argument instanceof Thread thread) {
      DirectMemoryExhaustion.wake(thread);
    }
    return null;
  }

  /** Frees memory below Netty's own limit, if Netty counts. Other threads may take it at once. */
  private static void beforeReserve(int bytes) {
    long limit = PlatformDependent.maxDirectMemory();
    long startNanos = System.nanoTime();
    boolean frees = bytes <= limit;
    while (frees && PlatformDependent.usedDirectMemory() + bytes > limit) {
      frees = freesOne() && System.nanoTime() - startNanos < MAX_FREEING_NANOS;
    }
  }

  /** For a thread of the host that the JVM is about to refuse direct memory. */
  private static boolean freesOne() {
    return NettyPools.DIRECT_ENGINE.tryFreeOne();
  }

  /** Runs a maintenance round: frees unused memory, turns collected buffers into leak records. */
  private int tick() {
    if (hasPools) {
      NettyPools.DIRECT.engine().tick();
      NettyPools.HEAP.engine().tick();
    }
    Observation.refresh();
    Allocators.tick();
    return NettyLeakDetector.DETECTOR.tick();
  }

  private @Nullable Throwable selfTest() {
    long direct;
    long heap;
    try {
      direct = counted(NettyPools.DIRECT);
      heap = counted(NettyPools.HEAP);
    } catch (LinkageError failed) { // now and for ever: nobody may ask these classes again
      Throwable cause = failed.getCause();
      return new IllegalStateException(
          "the pools cannot be made: " + (cause == null ? failed : cause), cause);
    }
    hasPools = true;
    CisternMemory.beforeReserve(beforeReserve);
    try {
      Throwable failure = new SelfTest().run();
      while (freesOne()) {
        // loads the classes that a thread of the host would have to load otherwise
      }
      return failure;
    } finally {
      selfTestDirect += allocations(NettyPools.DIRECT) - direct;
      selfTestHeap += allocations(NettyPools.HEAP) - heap;
    }
  }

  /**
   * Served direct, served heap, left to Netty for lack of memory, faults. The hot path counts none
   * of them.
   */
  private long[] counters() {
    if (!hasPools) {
      return new long[] {0, 0, hook.fallbacks(), hook.failures()};
    }
    long releases =
        NettyPools.DIRECT_ENGINE.releaseFailures() + NettyPools.HEAP_ENGINE.releaseFailures();
    return new long[] {
      allocations(NettyPools.DIRECT) - selfTestDirect,
      allocations(NettyPools.HEAP) - selfTestHeap,
      hook.fallbacks(),
      hook.failures() + releases
    };
  }

  /** Allocations so far; none of a pool that the self-test is to make. */
  private long counted(NettyPool pool) {
    return hasPools ? allocations(pool) : 0;
  }

  private static long allocations(NettyPool pool) {
    long moves = pool.moves();
    PoolSnapshot snapshot = pool.snapshot();
    long sum = -moves;
    for (SizeGroup group : SizeGroup.values()) {
      sum += snapshot.allocations(group);
    }
    return Math.max(0, sum);
  }
}
