/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;
import dev.cistern.bridge.api.NettyBridge;
import dev.cistern.stats.AllocatorInfo;
import dev.cistern.stats.NettyReport;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One copy of Netty in this JVM. It holds the host's classes weakly.
 *
 * <p>The agent's thread writes, any thread reads.
 */
public final class NettyCopy {
  /** Classes of Netty with an allocator in the field {@code DEFAULT}. */
  private static final List<String> STATIC_INSTANCES =
      List.of("PooledByteBufAllocator", "UnpooledByteBufAllocator", "ByteBufAllocator");

  /** Number of faults of a copy that are logged. */
  private static final int MAX_LOGGED = 5;

  /**
   * Number of idle ticks, each a second, after which the code of a copy that is off is restored.
   */
  private static final int IDLE_TICKS = 10;

  private final String prefix;
  private final String poolName;
  private final List<String> loaderNames;
  private final WeakReference<ClassLoader> loader;
  private final AtomicLong failures = new AtomicLong();

  /** The allocators of other libraries that take memory from the arenas directly, by class. */
  private final Map<String, AllocatorInfo> foreign = new ConcurrentHashMap<>();

  private volatile String version = NettyVersion.UNKNOWN;
  private volatile Status status =
      new Status(
          NettyCopyState.FOUND, Mode.OFF, "", ModeSource.SETTINGS, System.currentTimeMillis());
  private volatile Mode requestedMode = Mode.OFF;
  private volatile Mode targetMode = Mode.OFF;
  private volatile boolean hasAllocated;

  /** The reason why Netty's own buffers cannot be observed, or null. */
  private volatile @Nullable String observationRefusal;

  private volatile WeakReference<@Nullable NettyBridge> bridge = new WeakReference<>(null);

  // ---- the agent's thread only

  /** The allocator classes that were discovered, in that order. */
  private final Set<String> allocators = new LinkedHashSet<>();

  private final BackOff backOff = new BackOff();
  private final FallbackRate fallbackRate = new FallbackRate();
  private String requestReason = "";
  private ModeSource requestSource = ModeSource.SETTINGS;
  private String loweredReason = "";
  private String backOffReason = "";
  private Mode awaitedMode = Mode.OFF;

  /** Classes with an allocator in a static field that the bridge has no name for yet. */
  private final Set<String> unnamed = new LinkedHashSet<>(STATIC_INSTANCES);

  /** Whether the self-test has passed since the last fault. */
  private boolean isTested;

  /** Whether an allocator class is not instrumented, because its host has not initialized it. */
  private boolean hasPendingClasses;

  /** Classes that can show the holders of buffers, as {@code io/netty/buffer/CompositeByteBuf}. */
  private List<String> holdingClasses = List.of();

  private int idleTicks;
  private int logged;
  private long exhaustions;

  /** Values that a reader must see in one consistent state. */
  private record Status(
      NettyCopyState state, Mode mode, String reason, ModeSource source, long sinceMillis) {}

  NettyCopy(String prefix, String poolName, ClassLoader loader) {
    this.prefix = prefix;
    this.poolName = poolName;
    this.loader = new WeakReference<>(loader);
    this.loaderNames = Collections.unmodifiableList(namesOf(loader));
  }

  private static List<String> namesOf(ClassLoader loader) {
    List<String> names = new ArrayList<>();
    String type = loader.getClass().getName();
    names.add(type + '@' + Integer.toHexString(System.identityHashCode(loader)));
    names.add(type);
    try {
      String name = loader.getName();
      if (name != null) {
        names.add(name);
      }
    } catch (Throwable unnamed) {
      // a loader of the host may throw anything
    }
    return names;
  }

  /**
   * Returns the pool's name: the package prefix with dots, with a number if another copy has that
   * name.
   */
  public String poolName() {
    return poolName;
  }

  /** Returns the package prefix, as {@code io/netty}. */
  String prefix() {
    return prefix;
  }

  /** Returns the package prefix, as {@code io.netty}. */
  String dottedPrefix() {
    return prefix.replace('/', '.');
  }

  /** Returns the loader's class and identity. */
  public String loaderName() {
    return loaderNames.get(0);
  }

  /** Returns whether the pattern includes this copy. */
  public boolean matches(CopyPattern pattern) {
    return pattern.matches(dottedPrefix(), loaderNames);
  }

  /** Returns the loader; null if the host has released it. */
  @Nullable ClassLoader loader() {
    return loader.get();
  }

  /** Returns Netty's version from its properties file, or {@code unknown}. */
  public String version() {
    return version;
  }

  void version(String found) {
    version = found;
  }

  /** Returns why Netty's own buffers cannot be observed, or null. */
  public @Nullable String observationRefusal() {
    return observationRefusal;
  }

  void observationRefusal(@Nullable String why) {
    observationRefusal = why;
  }

  /** Returns the classes that can show the holders of buffers; known after the check. */
  List<String> holdingClasses() {
    return holdingClasses;
  }

  void holdingClasses(List<String> names) {
    holdingClasses = names;
  }

  /** Returns the life-cycle state. */
  public NettyCopyState state() {
    return status.state;
  }

  /** Returns the mode in force. */
  public Mode mode() {
    return status.mode;
  }

  /** Returns why it is in this mode; empty if that needs no explanation. */
  public String reason() {
    return status.reason;
  }

  /** Returns what has set the mode. */
  public ModeSource modeSource() {
    return status.source;
  }

  /** Returns since when the mode is in force, in milliseconds since the epoch. */
  public long modeSinceMillis() {
    return status.sinceMillis;
  }

  /** Returns whether it has not reached the requested mode because of a failure. */
  public boolean isBelowRequest() {
    return !targetMode.equals(requestedMode) || status.state == NettyCopyState.BACKED_OFF;
  }

  /** Returns whether Netty's own buffers are sampled in this mode, all or another library's. */
  public boolean observes(Mode mode) {
    return mode.observes()
        || (mode.swaps()
            && foreign.values().stream()
                .anyMatch(each -> each.service().equals(AllocatorInfo.OBSERVED)));
  }

  /** Returns whether the class is an allocator of another library. */
  boolean isForeign(String type) {
    return foreign.containsKey(type);
  }

  /** Returns the allocators that were seen: instances, and classes without an instance. */
  public NettyReport allocators(NettyBridge of) {
    Mode mode = mode();
    NettyReport seen = of.allocators(observes(mode));
    if (foreign.isEmpty() || mode.equals(Mode.OFF)) {
      return seen;
    }
    List<AllocatorInfo> all = new ArrayList<>();
    Map<String, AllocatorInfo> unseen = new TreeMap<>(foreign);
    for (AllocatorInfo each : seen.inventory()) {
      AllocatorInfo type = foreign.get(each.type());
      unseen.remove(each.type());
      all.add(type == null ? each : each.with(type.service(), type.sinceMillis(), type.reason()));
    }
    all.addAll(unseen.values());
    return seen.withInventory(all);
  }

  /** Returns whether the host has allocated a buffer. Netty's classes must not be used before. */
  public boolean hasAllocated() {
    return hasAllocated;
  }

  void hasAllocated(boolean now) {
    hasAllocated = now;
  }

  /** Counts a fault of the agent that the host did not see. Any thread may call it. */
  public void failed() {
    failures.incrementAndGet();
  }

  /** Returns the number of faults of the agent with this copy, without those of the bridge. */
  public long failures() {
    return failures.get();
  }

  /** Returns the bridge, or null. The caller must not keep it: it holds the host's classes. */
  public @Nullable NettyBridge bridge() {
    return bridge.get();
  }

  void bridge(NettyBridge opened) {
    bridge = new WeakReference<>(opened);
  }

  void dropBridge() {
    isTested = false; // the pools of another bridge are not tested
    unnamed.addAll(STATIC_INSTANCES);
    bridge = new WeakReference<>(null);
  }

  // ---- the agent's thread only

  /** Returns the names of the allocator classes to instrument, Netty's first. */
  Set<String> allocators() {
    return allocators;
  }

  void addAllocator(String className) {
    allocators.add(className.replace('/', '.'));
    hasPendingClasses = true;
  }

  /**
   * Adds an allocator of another library, or replaces it. One to observe is instrumented later.
   *
   * @return whether its service is new
   */
  boolean addForeign(String type, String service, String reason) {
    AllocatorInfo known = foreign.get(type);
    if (known != null && known.service().equals(service)) {
      return false;
    }
    String name = type.substring(type.lastIndexOf('.') + 1);
    foreign.put(
        type,
        new AllocatorInfo(
            name, type, AllocatorInfo.UNKNOWN, service, System.currentTimeMillis(), reason));
    if (service.equals(AllocatorInfo.OBSERVED)) {
      addAllocator(type);
    } else {
      allocators.remove(type);
    }
    return true;
  }

  /** Requests a mode. Modes that failed before are tried again. */
  void requestMode(ModePolicy.Decision decision) {
    requestedMode = decision.mode();
    if (status.state != NettyCopyState.REFUSED) {
      targetMode = requestedMode;
      requestReason = decision.reason();
      requestSource = decision.source();
      loweredReason = "";
      backOff.reset();
      setStatus(status.state, status.mode, reasonOf(status.state));
    }
  }

  Mode requestedMode() {
    return requestedMode;
  }

  /** Returns the mode to reach: the requested one, or a lower one after a failure. */
  Mode targetMode() {
    return targetMode;
  }

  /** Lowers the target mode after it has failed, by one or to off. */
  void lowerTarget(String reason, boolean toOff) {
    targetMode = toOff ? Mode.OFF : targetMode.fallback();
    loweredReason = reason;
    isTested = false;
  }

  /** Enters a state, with a mode in force. */
  void enter(NettyCopyState state, Mode mode) {
    if (state == NettyCopyState.WAITING) {
      awaitedMode = targetMode;
    }
    if (state != status.state) {
      idleTicks = 0;
    }
    setStatus(state, mode, reasonOf(state));
  }

  private void setStatus(NettyCopyState state, Mode mode, String reason) {
    Status before = status;
    long since = mode.equals(before.mode) ? before.sinceMillis : System.currentTimeMillis();
    status = new Status(state, mode, reason, sourceOf(state), since);
  }

  private ModeSource sourceOf(NettyCopyState state) {
    if (state == NettyCopyState.BACKED_OFF) {
      return ModeSource.BACK_OFF;
    }
    return loweredReason.isEmpty() ? requestSource : ModeSource.FAILURE;
  }

  private String reasonOf(NettyCopyState state) {
    if (state == NettyCopyState.BACKED_OFF) {
      return backOffReason;
    }
    String reason = loweredReason.isEmpty() ? requestReason : loweredReason;
    boolean isWaiting = state == NettyCopyState.WAITING && reason.isEmpty();
    return isWaiting ? "waits for the host's first buffer" : reason;
  }

  /** Appends to the reason of the present state. */
  void addReason(String text) {
    Status now = status;
    String reason = now.reason.isEmpty() ? text : now.reason + "; " + text;
    setStatus(now.state, now.mode, reason);
  }

  /** Returns the mode that takes effect after the host's first allocation. */
  Mode awaitedMode() {
    return awaitedMode;
  }

  BackOff backOff() {
    return backOff;
  }

  FallbackRate fallbackRate() {
    return fallbackRate;
  }

  /** Sets the reason of the next back-off. */
  void backOffReason(String reason) {
    backOffReason = reason;
  }

  /**
   * Returns the names of classes with an allocator to name. The caller removes those that it has
   * named.
   */
  Set<String> unnamed() {
    return unnamed;
  }

  boolean isTested() {
    return isTested;
  }

  void isTested(boolean now) {
    isTested = now;
  }

  boolean hasPendingClasses() {
    return hasPendingClasses;
  }

  void hasPendingClasses(boolean now) {
    hasPendingClasses = now;
  }

  /**
   * Returns whether to log another fault of this copy, and counts it. The limit keeps the log from
   * filling up.
   */
  boolean takeLogEntry() {
    return ++logged <= MAX_LOGGED;
  }

  /** Counts a tick in which no buffer of the pool was in use; otherwise resets the count. */
  void countIdle(boolean isDrained) {
    idleTicks = isDrained ? idleTicks + 1 : 0;
  }

  boolean isIdle() {
    return idleTicks >= IDLE_TICKS;
  }

  /** Stores the number of exhaustions. Returns whether it has grown. */
  boolean hasMoreExhaustions(long total) {
    boolean isMore = total > exhaustions;
    exhaustions = total;
    return isMore;
  }

  @Override
  public String toString() {
    return poolName + ' ' + version;
  }
}
