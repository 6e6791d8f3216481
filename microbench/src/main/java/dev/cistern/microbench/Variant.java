/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.netty.CisternAllocator;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * An allocator with its settings and those of its JVM, which a case measures.
 *
 * <p>The "best" settings of Netty are {@code useCacheForAllThreads}, adaptive magazines for all
 * threads, and JVM arguments. Without these arguments, Netty clears each new chunk (JDK 17) or
 * accesses memory without {@code Unsafe} (JDK 25). On event-loop threads, both allocators have
 * their thread caches at their defaults, too.
 */
public enum Variant {
  /** Cistern's library, called directly, at its defaults. */
  LIBRARY("library", Side.OURS, Leaks.OFF),
  /** The same without live profile and leak detection. */
  LIBRARY_UNWATCHED("library, no leak detection", Side.OURS, Leaks.OFF),
  /** The pool without a buffer. */
  ENGINE("engine", Side.OURS, Leaks.OFF),
  /** Cistern's pool under Netty's pooled allocator, through the agent; no leak detection. */
  BRIDGE("bridge", Side.OURS, Leaks.OFF),
  /** The same with the agent's leak detection at its default. */
  BRIDGE_SAMPLED("bridge + our leak detection", Side.OURS, Leaks.OFF),
  /** The same, with Netty's own leak detector at its default, too. */
  BRIDGE_DEFAULTS("bridge + both leak detections", Side.OURS, Leaks.DEFAULT),
  /**
   * {@code CisternAllocator}, Cistern's allocator for Netty, without the agent; no leak detection.
   */
  NETTY_ALLOCATOR("CisternAllocator", Side.OURS, Leaks.OFF),
  /** The same with its live profile and leak detection at their defaults. */
  NETTY_ALLOCATOR_SAMPLED("CisternAllocator + our leak detection", Side.OURS, Leaks.OFF),
  /** Cistern's library without thread caches. */
  LIBRARY_UNCACHED("library, no caches", Side.OURS, Leaks.OFF),
  /** Cistern's library without bounds and reference count checks. */
  LIBRARY_UNCHECKED("library, no checks", Side.OURS, Leaks.OFF),
  /** An application on Netty with the agent, both at their defaults. */
  AGENT("with the agent", Side.OURS, Leaks.DEFAULT),

  /** Netty's pooled allocator at its defaults. */
  POOLED("pooled", Side.PEER, Leaks.OFF),
  /** Netty's pooled allocator at its best. */
  POOLED_BEST("pooled, best", Side.PEER, Leaks.OFF),
  /** Netty's adaptive allocator at its defaults. */
  ADAPTIVE("adaptive", Side.PEER, Leaks.OFF),
  /** Netty's adaptive allocator at its best. */
  ADAPTIVE_BEST("adaptive, best", Side.PEER, Leaks.OFF),
  /** Netty's pooled allocator without thread caches. */
  POOLED_UNCACHED("pooled, no caches", Side.PEER, Leaks.OFF),
  /** Netty's pooled allocator at its best, its leak detector at its default, simple. */
  POOLED_LEAKS("pooled, best + leak detection", Side.PEER, Leaks.DEFAULT),
  /** Netty's adaptive allocator at its best, its leak detector at its default, simple. */
  ADAPTIVE_LEAKS("adaptive, best + leak detection", Side.PEER, Leaks.DEFAULT),
  /** An application on Netty at its defaults. */
  BARE("bare", Side.PEER, Leaks.DEFAULT),

  /** Cistern's library with memory that is freed at once, without quarantine. */
  LIBRARY_RESTLESS("library, no quarantine", Side.OURS, Leaks.OFF),

  /** Cistern's library with arrays that are not filled with zeros. */
  LIBRARY_OPENED("library, uninitialized arrays", Side.OURS, Leaks.OFF),

  /** Netty's operations, with its best settings. */
  NETTY("Netty", Side.PEER, Leaks.OFF),
  /** The same without bounds and reference count checks. */
  NETTY_UNCHECKED("Netty, no checks", Side.PEER, Leaks.OFF),
  /** The same without {@code Unsafe}. */
  NETTY_NO_UNSAFE("Netty, no Unsafe", Side.PEER, Leaks.OFF),
  /** Netty with direct memory that has a cleaner, even if the JVM allows memory without one. */
  NETTY_CLEANER("Netty, with cleaner", Side.PEER, Leaks.OFF),
  /** Netty's older list for decoders, {@code RecyclableArrayList}. */
  NETTY_ARRAY_LIST("Netty, RecyclableArrayList", Side.PEER, Leaks.OFF),
  /** The counterpart in the JDK. */
  JDK("JDK", Side.PEER, Leaks.OFF),

  /** The minimum work of a pooled buffer, as a lower bound. */
  FLOOR("floor", Side.BASELINE, Leaks.OFF),
  /** No allocator. */
  NOTHING("nothing", Side.BASELINE, Leaks.OFF);

  /** The side of a ratio. */
  enum Side {
    OURS,
    PEER,
    BASELINE
  }

  /** The mode of Netty's leak detector. */
  private enum Leaks {
    OFF,
    DEFAULT
  }

  /**
   * The JVM argument for the agent. Its path is relative to the repository. The endpoint is off
   * because it is not measured.
   */
  private static final String WITH_AGENT = "-javaagent:agent/target/cistern-agent.jar=listen=none";

  private static final int FIRST_JDK_THAT_WARNS_OF_UNSAFE = 24;

  private final String label;
  private final Side side;
  private final Leaks leaks;

  Variant(String label, Side side, Leaks leaks) {
    this.label = label;
    this.side = side;
    this.leaks = leaks;
  }

  /** Returns the name in tables. */
  String label() {
    return label;
  }

  /** Returns the side of a ratio. */
  Side side() {
    return side;
  }

  /** Returns whether the variant needs the agent in its JVM. */
  public boolean bridged() {
    return this == BRIDGE || this == BRIDGE_SAMPLED || this == BRIDGE_DEFAULTS || this == AGENT;
  }

  /** Returns whether the variant is the one that leak detection is compared with. */
  boolean isWithoutDetection() {
    return this == BRIDGE || this == LIBRARY_UNWATCHED;
  }

  /** Returns the suffix of the benchmark methods, if each side has separate methods. */
  String methodSuffix() {
    return switch (this) {
      case JDK -> "Jdk";
      case NETTY_ARRAY_LIST -> "NettyArrayList";
      default -> side == Side.OURS ? "Ours" : "Netty";
    };
  }

  private boolean netty() {
    return (side == Side.PEER && this != JDK) || bridged() || isNettyAllocator();
  }

  private boolean isNettyAllocator() {
    return this == NETTY_ALLOCATOR || this == NETTY_ALLOCATOR_SAMPLED;
  }

  private boolean best() {
    return this == POOLED_BEST
        || this == ADAPTIVE_BEST
        || this == POOLED_LEAKS
        || this == ADAPTIVE_LEAKS
        || this == NETTY
        || this == NETTY_UNCHECKED
        || this == NETTY_CLEANER
        || this == NETTY_ARRAY_LIST;
  }

  /** Returns the arguments of the variant's JVM, in addition to the common ones. */
  List<String> jvmArguments(int jdk) {
    List<String> arguments = new ArrayList<>();
    if (netty() && leaks == Leaks.OFF) {
      arguments.add("-Dio.netty.leakDetection.level=disabled");
    }
    if (this == LIBRARY_UNWATCHED || this == NETTY_ALLOCATOR) {
      arguments.add("-Dcistern.sampleIntervalBytes=0");
      arguments.add("-Dcistern.leakDetection.level=disabled");
    }
    if (this == LIBRARY_UNCHECKED) {
      arguments.add("-Dcistern.buffer.checkBounds=false");
      arguments.add("-Dcistern.buffer.checkAccessible=false");
    }
    if (this == LIBRARY_OPENED) {
      arguments.add("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
      arguments.add("-Dcistern.memory.uninitializedArrays=true");
    }
    if (this == LIBRARY_RESTLESS) {
      arguments.add("-Dcistern.memory.quarantineBytes=0");
    }
    if (this == NETTY_UNCHECKED) {
      arguments.add("-Dio.netty.buffer.checkBounds=false");
      arguments.add("-Dio.netty.buffer.checkAccessible=false");
    }
    if (this == NETTY_CLEANER) {
      arguments.add("-Dio.netty.maxDirectMemory=0");
    }
    if (this == NETTY_NO_UNSAFE) {
      arguments.add("-Dio.netty.noUnsafe=true");
    }
    if (best()) {
      arguments.add("-Dio.netty.allocator.useCacheForAllThreads=true");
      arguments.add("-Dio.netty.tryReflectionSetAccessible=true");
      arguments.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
      arguments.add("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
      if (jdk >= FIRST_JDK_THAT_WARNS_OF_UNSAFE) {
        arguments.add("--sun-misc-unsafe-memory-access=allow");
      }
    }
    if (bridged()) {
      arguments.add(this == BRIDGE ? WITH_AGENT + ",sampleIntervalBytes=0" : WITH_AGENT);
    }
    return arguments;
  }

  /** Creates the subject in the JVM that runs the benchmark. */
  Subject subject() {
    return switch (this) {
      case LIBRARY, LIBRARY_UNWATCHED -> LibrarySubject.of(new PooledByteBufAllocator(true));
      case LIBRARY_UNCACHED -> LibrarySubject.of(uncachedLibrary());
      case ENGINE -> EngineSubject.create();
      case BRIDGE, BRIDGE_SAMPLED, BRIDGE_DEFAULTS -> NettySubject.of(BridgeReady.allocator());
      case NETTY_ALLOCATOR, NETTY_ALLOCATOR_SAMPLED -> NettySubject.of(CisternAllocator.DEFAULT);
      case POOLED, POOLED_BEST, POOLED_LEAKS ->
          NettySubject.of(new io.netty.buffer.PooledByteBufAllocator(true));
      case AGENT, BARE -> NettySubject.of(ByteBufAllocator.DEFAULT);
      case POOLED_UNCACHED -> NettySubject.of(uncachedNetty());
      case ADAPTIVE -> NettySubject.of(new AdaptiveByteBufAllocator(true));
      case ADAPTIVE_BEST, ADAPTIVE_LEAKS ->
          NettySubject.of(new AdaptiveByteBufAllocator(true, true));
      case FLOOR -> FloorSubject.create();
      case NOTHING -> NothingSubject.create();
      case LIBRARY_UNCHECKED,
          LIBRARY_RESTLESS,
          LIBRARY_OPENED,
          NETTY,
          NETTY_UNCHECKED,
          NETTY_NO_UNSAFE,
          NETTY_CLEANER,
          NETTY_ARRAY_LIST,
          JDK ->
          throw new IllegalStateException(this + " is not an allocator");
    };
  }

  private static PooledByteBufAllocator uncachedLibrary() {
    return new PooledByteBufAllocator(
        true,
        PooledByteBufAllocator.defaultNumHeapArena(),
        PooledByteBufAllocator.defaultNumDirectArena(),
        PooledByteBufAllocator.defaultPageSize(),
        PooledByteBufAllocator.defaultMaxOrder(),
        0,
        0,
        false);
  }

  private static io.netty.buffer.PooledByteBufAllocator uncachedNetty() {
    return new io.netty.buffer.PooledByteBufAllocator(
        true,
        io.netty.buffer.PooledByteBufAllocator.defaultNumHeapArena(),
        io.netty.buffer.PooledByteBufAllocator.defaultNumDirectArena(),
        io.netty.buffer.PooledByteBufAllocator.defaultPageSize(),
        io.netty.buffer.PooledByteBufAllocator.defaultMaxOrder(),
        0,
        0,
        false);
  }
}
