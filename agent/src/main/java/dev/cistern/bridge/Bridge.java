/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The agent's handle on one copy of Netty: commands and answers are JDK types, because the agent
 * lives in another class loader.
 *
 * <p>Commands: {@code selfTest} (null, or what failed), {@code mode} with {@code swap} or {@code
 * off}, {@code snapshot}, {@code counters}, {@code failure}, {@code leaks} and {@code live} (each
 * as bytes), {@code level}, {@code tick} (leaks found), {@code keeper} with the thread to wake when
 * native memory runs out, {@code exhausted} (how often it has).
 */
public final class Bridge implements BiFunction<String, @Nullable Object, @Nullable Object> {
  private final BridgeHook hook = new BridgeHook();

  /** Allocations of the self-test, by kind; not the host's. */
  private long selfTestDirect;

  private long selfTestHeap;

  private Bridge() {}

  /**
   * Opens the bridge of this class loader.
   *
   * @param poolName the copy's package prefix
   * @param numbers settings by name; what is missing gets its default
   */
  public static BiFunction<String, @Nullable Object, @Nullable Object> open(
      String poolName, Map<String, Long> numbers) {
    BridgeSettings.use(BridgeSettings.of(poolName, numbers));
    return new Bridge();
  }

  @Override
  public @Nullable Object apply(String command, @Nullable Object argument) {
    return switch (command) {
      case "selfTest" -> selfTest();
      case "mode" -> mode("swap".equals(argument));
      case "snapshot" ->
          new Object[] {Pools.DIRECT.snapshot().encode(), Pools.HEAP.snapshot().encode()};
      case "counters" -> counters();
      case "failure" -> hook.fatal();
      case "leaks" -> Leaks.report().encode();
      case "live" -> Leaks.live().encode();
      case "level" -> Leaks.level().label();
      case "keeper" -> keeper(argument);
      case "exhausted" -> Exhaustion.count();
      case "tick" -> tick();
      default -> throw new IllegalArgumentException("command: " + command);
    };
  }

  private @Nullable Object mode(boolean swap) {
    BridgeHook.live(swap ? hook : null);
    return null;
  }

  private static @Nullable Object keeper(@Nullable Object argument) {
    if (argument instanceof Thread thread) {
      Exhaustion.wake(thread);
    }
    return null;
  }

  /** The janitor's round: ages what is unused, turns collected buffers into leak records. */
  private static int tick() {
    Pools.DIRECT.engine().tick();
    Pools.HEAP.engine().tick();
    return Leaks.DETECTOR.tick();
  }

  private @Nullable String selfTest() {
    try {
      return new SelfTest(hook).run();
    } finally {
      selfTestDirect = allocations(Pools.DIRECT);
      selfTestHeap = allocations(Pools.HEAP);
    }
  }

  /** Served direct, served heap, fell back, failures. The hot path counts none of them. */
  private long[] counters() {
    return new long[] {
      allocations(Pools.DIRECT) - selfTestDirect,
      allocations(Pools.HEAP) - selfTestHeap,
      hook.failures(),
      hook.failures()
    };
  }

  private static long allocations(BridgePool pool) {
    long moves = pool.moves();
    PoolSnapshot snapshot = pool.snapshot();
    long sum = -moves;
    for (SizeGroup group : SizeGroup.values()) {
      sum += snapshot.allocations(group);
    }
    return Math.max(0, sum);
  }
}
