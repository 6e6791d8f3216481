/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One copy of Netty in this JVM: a line of the inventory. It holds the host's classes weakly.
 *
 * <p>Written by the agent's thread only; read by reports.
 */
public final class NettyCopy {
  private static final String WAITS = "waits for the host's first buffer";

  private static final String WAITS_FOR_MEMORY = "waits, since its host is short of memory";
  private static final int MOST_MEMORY_WAITS = 100;

  /** So many self-tests in a row fail before the copy is left to Netty. */
  private static final int MAX_FAILED_TESTS = 3;

  private static final long TEST_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long FIRST_PAUSE_SECONDS = 10;

  /** A pause is twice as long as the one before, up to 640 s. */
  private static final int MAX_DOUBLINGS = 6;

  /** So many faults of a copy are logged. */
  private static final int MAX_LOGGED = 5;

  private final String prefix;
  private final String poolName;
  private final List<String> loaderNames;
  private final WeakReference<ClassLoader> loader;
  private volatile String version = "";
  private volatile CopyState state = CopyState.FOUND;
  private volatile Mode mode = Mode.OFF;
  private volatile String reason = "";

  /** The allocator classes that were sighted, in that order. */
  private final Set<String> allocators = new LinkedHashSet<>();

  private Mode wanted = Mode.OFF;

  /** What is tried for: what was wanted, or below that after a failure. */
  private Mode aim = Mode.OFF;

  /** One text for each allocator class of another library that bypasses the woven methods. */
  private final List<String> bypasses = new CopyOnWriteArrayList<>();

  private final AtomicLong failures = new AtomicLong();

  private boolean isInstalled;
  private int memoryWaits;
  private volatile boolean isAwake;
  private volatile boolean hasFallenBack;

  /** Whether the self-test has passed since the last failure. */
  private boolean isTested;

  /** Self-tests that have failed since one passed. */
  private int failedTests;

  /** When the next self-test may run, as {@link System#nanoTime}. */
  private long nextTestNanos = System.nanoTime();

  /** Pauses since a mode was asked for. */
  private int pauses;

  /** The reason that a pause or a failed self-test gives, or nothing. */
  private String pauseReason = "";

  private int logged;

  /** Whether classes of the copy are woven. */
  private boolean isWoven;

  private boolean weavesLater;

  private boolean hasNewLeaks;

  /** Ticks that the copy has been off with nothing of ours in use. */
  private int idleTicks;

  /** Why its own buffers cannot be observed, or null. */
  private volatile @Nullable String observationRefusal;

  /** The handle lives as long as the host's classes do, which hold it. */
  private volatile WeakReference<BiFunction<String, Object, Object>> bridge =
      new WeakReference<>(null);

  /** A buffer class of the host: initialised means that the host has made a buffer. */
  private WeakReference<Class<?>> bufferClass = new WeakReference<>(null);

  /** Times that native memory had run out when that was last asked. */
  private long exhausted;

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
    String name = loader.getName();
    if (name != null) {
      names.add(name);
    }
    return names;
  }

  /**
   * The name of the copy's pool: its package prefix with dots, with a number from the second on.
   */
  public String poolName() {
    return poolName;
  }

  /** The package prefix, as {@code io/netty}. */
  String prefix() {
    return prefix;
  }

  /** The package prefix, as {@code io.netty}. */
  String dottedPrefix() {
    return prefix.replace('/', '.');
  }

  /** The loader's class and identity. */
  public String loaderName() {
    return loaderNames.get(0);
  }

  /** Whether the pattern means this copy. */
  public boolean isMeantBy(CopyPattern pattern) {
    return pattern.matches(dottedPrefix(), loaderNames);
  }

  @Nullable ClassLoader loader() {
    return loader.get();
  }

  /** Netty's version as its own properties tell it; empty where it is not known. */
  public String version() {
    return version;
  }

  void version(String found) {
    version = found;
  }

  /** Why its own buffers cannot be observed, or null. */
  public @Nullable String observationRefusal() {
    return observationRefusal;
  }

  void observationRefusal(@Nullable String why) {
    observationRefusal = why;
  }

  /** Where the copy stands. */
  public CopyState state() {
    return state;
  }

  /** The mode in force. */
  public Mode mode() {
    return mode;
  }

  /** Why it stands there; empty where that needs no words. */
  public String reason() {
    return reason;
  }

  /** Returns one text for each allocator class whose buffers are neither served nor observed. */
  public List<String> bypasses() {
    return bypasses;
  }

  void bypassed(String how) {
    bypasses.add(how);
  }

  /** Whether something failed on the way to the mode that was wanted last. */
  public boolean hasFallenBack() {
    return hasFallenBack;
  }

  // ---- the agent's thread only ----

  /** The allocator class by which the copy was found. */
  String allocator() {
    return allocators.iterator().next();
  }

  /** The allocator classes that the host has loaded. */
  Set<String> allocators() {
    return allocators;
  }

  void sawAllocator(String className) {
    allocators.add(className.replace('/', '.'));
  }

  /** A mode is wanted, for a reason that may be empty; what failed before may be tried again. */
  void want(Mode newMode, String why) {
    wanted = newMode;
    if (state != CopyState.REFUSED && !aim.equals(newMode)) {
      aim = newMode;
      hasFallenBack = false;
      reason = why;
      pauses = 0;
      nextTestNanos = System.nanoTime();
    }
  }

  /** What was wanted last. */
  Mode wanted() {
    return wanted;
  }

  Mode aim() {
    return aim;
  }

  boolean isAtAim() {
    return aim.equals(mode) && (state == CopyState.SETTLED || !isInstalled);
  }

  /** Whether hook and bridge are there, or nothing will come of it. */
  boolean isInstalled() {
    return isInstalled;
  }

  /** Whether the host has made a buffer: before that nothing may ask Netty's own classes. */
  public boolean isAwake() {
    return isAwake;
  }

  void awake() {
    isAwake = true;
  }

  /** Counts a fault that was kept from the host; called by any thread. */
  public void failed() {
    failures.incrementAndGet();
  }

  /** Faults of the agent on the way into a mode, and of reports; none of the bridge's. */
  public long failures() {
    return failures.get();
  }

  /** What was aimed at cannot be: the next lower is. */
  void fallBack(String why) {
    aim = aim.fallback();
    hasFallenBack = true;
    isTested = false;
    failedTests = 0;
    reason = why;
  }

  /** Nothing can be done for this copy. */
  void refuse(String why) {
    aim = Mode.OFF;
    mode = Mode.OFF;
    reason = why;
    hasFallenBack = true;
    state = CopyState.REFUSED;
    failed();
  }

  void waits() {
    reason = hasFallenBack ? reason : WAITS;
    state = CopyState.WAITING;
  }

  /** Its host is short of memory; false where that has gone on for too long. */
  boolean waitsForMemory() {
    reason = WAITS_FOR_MEMORY;
    state = CopyState.WAITING;
    return ++memoryWaits <= MOST_MEMORY_WAITS;
  }

  /**
   * Netty serves for a while, after faults; then the self-test decides.
   *
   * @return how many seconds
   */
  long pause(String why) {
    long seconds = FIRST_PAUSE_SECONDS << Math.min(pauses, MAX_DOUBLINGS);
    pauses++;
    nextTestNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    isTested = false;
    pauseReason = "served by Netty for " + seconds + " s after faults: " + why;
    reason = pauseReason;
    state = CopyState.WAITING;
    return seconds;
  }

  boolean isTestDue() {
    return System.nanoTime() - nextTestNanos >= 0;
  }

  /** The self-test has failed; whether it is to run once more. */
  boolean testsAgain(String why) {
    failed();
    failedTests++;
    nextTestNanos = System.nanoTime() + TEST_AGAIN_NANOS;
    pauseReason = "its self-test failed and runs again: " + why;
    reason = pauseReason;
    hasFallenBack = true; // until it passes: an operator who has just asked for the mode is told
    state = CopyState.WAITING;
    return failedTests < MAX_FAILED_TESTS;
  }

  /** Whether another fault of this copy is to be logged: the log must not fill up. */
  boolean takeLogEntry() {
    return ++logged <= MAX_LOGGED;
  }

  /** The aim is reached. */
  void settle() {
    if (reason.equals(WAITS) || reason.equals(WAITS_FOR_MEMORY) || reason.equals(pauseReason)) {
      reason = "";
    }
    mode = aim;
    idleTicks = 0;
    state = state == CopyState.REFUSED ? state : CopyState.SETTLED;
  }

  boolean isTested() {
    return isTested;
  }

  void passedTest() {
    isTested = true;
    hasFallenBack = false;
    failedTests = 0;
    memoryWaits = 0;
  }

  /** Whether an allocator of the copy is loaded that its host has not initialised yet. */
  boolean weavesLater() {
    return weavesLater;
  }

  void weavesLater(boolean later) {
    weavesLater = later;
  }

  boolean isWoven() {
    return isWoven;
  }

  void woven() {
    isWoven = true;
  }

  /** Its classes have their own code again, or what is in the way of that. */
  void unwoven(String how) {
    isWoven = false;
    weavesLater = false;
    reason = reason.isEmpty() ? how : reason + "; " + how;
  }

  /** Counts a tick in which nothing of ours was in use, or begins anew; how many in a row. */
  int idleTicks(boolean isIdle) {
    idleTicks = isIdle ? idleTicks + 1 : 0;
    return idleTicks;
  }

  /** The handle on its bridge, or null. Not to be kept: it holds the host's classes. */
  public @Nullable BridgeHandle bridge() {
    BiFunction<String, Object, Object> opened = bridge.get();
    return opened == null ? null : new BridgeHandle(opened);
  }

  void bridge(BiFunction<String, Object, Object> opened, Class<?> buffers) {
    isInstalled = true;
    bridge = new WeakReference<>(opened);
    bufferClass = new WeakReference<>(buffers);
  }

  /** Takes down how many leaks a round has found. */
  void found(int leaks) {
    hasNewLeaks |= leaks > 0;
  }

  /** Whether leaks were found since this was asked last. */
  boolean takeNewLeaks() {
    boolean news = hasNewLeaks;
    hasNewLeaks = false;
    return news;
  }

  /** Takes down how often native memory has run out; whether that is more than before. */
  boolean sawExhausted(long times) {
    boolean isMore = times > exhausted;
    exhausted = times;
    return isMore;
  }

  @Nullable Class<?> bufferClass() {
    return bufferClass.get();
  }

  @Override
  public String toString() {
    return version.isEmpty() ? poolName : poolName + ' ' + version;
  }
}
