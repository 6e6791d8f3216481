/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import dev.cistern.agent.Log;
import dev.cistern.agent.config.Mode;
import dev.cistern.agent.weave.BufferNames;
import dev.cistern.agent.weave.Discovery;
import dev.cistern.memory.MemoryWay;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes a prepared copy live and watches over it.
 *
 * <p>A copy goes live only after the host has made a buffer by itself. Until then the self-test
 * would initialise Netty's classes from the agent's thread, while the application initialises the
 * same ones from its own in another order: two threads that wait for each other for ever.
 */
final class CopyServer {
  private final Instrumentation instrumentation;
  private final Discovery discovery;
  private final DirectMemoryReclaim reclaim;

  private static final Path DEVICE = Path.of("/dev/zero");

  /** Ways of allocating memory that the log explains already. The agent's thread only. */
  private final Set<MemoryWay> explained = EnumSet.noneOf(MemoryWay.class);

  /** So long a copy is off with nothing in use before its classes get their own code back. */
  private static final int IDLE_TICKS = 10;

  /** Opens the endpoint if need be, and says where it is. */
  private final Supplier<String> endpoint;

  CopyServer(
      Instrumentation instrumentation,
      Discovery discovery,
      DirectMemoryReclaim reclaim,
      Supplier<String> endpoint) {
    this.instrumentation = instrumentation;
    this.discovery = discovery;
    this.reclaim = reclaim;
    this.endpoint = endpoint;
  }

  /** Brings a copy to its aim, or below it; whether it waits for its host. */
  boolean settle(NettyCopy copy, ClassLoader loader) {
    while (!copy.isAtAim()) {
      Mode aim = copy.aim();
      try {
        if (!reach(copy, loader, aim)) {
          return true;
        }
      } catch (Throwable failure) {
        if (isJvmEnding(loader)) {
          return false;
        }
        if (aim.equals(Mode.OFF)) {
          refuse(copy, failure);
          return false;
        } else {
          copy.failed();
          fallBack(copy, failure);
        }
      }
    }
    return false;
  }

  /** Whether the copy is where it was to come, and does not wait. */
  private boolean reach(NettyCopy copy, ClassLoader loader, Mode aim)
      throws RefusedException, ReflectiveOperationException {
    BridgeHandle bridge = copy.bridge();
    if (bridge == null) {
      throw new RefusedException("its classes are gone");
    }
    if (!aim.equals(Mode.OFF)) {
      if (!hasMadeBuffer(copy)) {
        awaitBuffer(copy, loader, bridge, aim);
        return false;
      }
      copy.awake();
      if (aim.swaps()) {
        if (!passesTest(copy, bridge)) {
          return false;
        }
        joinSearchForMemory(copy, loader);
      }
      bridge.wake(Thread.currentThread());
    }
    boolean observes = observes(copy, aim);
    if (!aim.equals(Mode.OFF)) {
      weaveLoaded(copy, loader, observes); // first: so that no sample misses its end
    }
    bridge.mode(aim, observes);
    Mode before = copy.mode();
    copy.settle();
    tell(copy, before);
    if (aim.equals(Mode.OFF) && copy.isWoven() && !copy.isAwake()) {
      unweave(copy, loader); // nothing has been served, and nobody ticks it
    }
    return true;
  }

  /** Lets the host's requests that would be refused have the pool's unused memory. */
  private void joinSearchForMemory(NettyCopy copy, ClassLoader loader)
      throws ReflectiveOperationException {
    reclaim.install();
    Throwable failure = discovery.weave(instrumentation, CopyInstaller.platform(copy, loader));
    if (failure != null) {
      Log.line(
          "cannot join the search of "
              + copy
              + " for direct memory: "
              + failure
              + "; its pool gives back unused memory after some seconds only");
    }
  }

  private static boolean isServedWhole(Mode aim) {
    return aim.swaps() && !aim.observes();
  }

  /** Where our pool is to serve all, it serves from the first buffer on. */
  private void awaitBuffer(NettyCopy copy, ClassLoader loader, BridgeHandle bridge, Mode aim)
      throws RefusedException, ReflectiveOperationException {
    if (!isServedWhole(aim)) {
      bridge.expect(null);
    } else {
      if (!copy.isWoven() || copy.weavesLater()) {
        weaveLoaded(copy, loader, false);
      }
      bridge.expect(Thread.currentThread());
    }
    copy.waits();
  }

  /** Whether samples are taken; a part that is swapped is served also where they cannot be. */
  private static boolean observes(NettyCopy copy, Mode aim) throws RefusedException {
    String refusal = copy.observationRefusal();
    if (refusal != null && aim.equals(Mode.OBSERVE)) {
      throw new RefusedException("cannot be observed: " + refusal);
    }
    return aim.observes() && refusal == null;
  }

  private static boolean hasMadeBuffer(NettyCopy copy) throws ReflectiveOperationException {
    Class<?> buffers = copy.bufferClass();
    return buffers != null && JdkModules.isInitialized(buffers);
  }

  /** False where the test is to run later: after faults, and where the host is short of memory. */
  private static boolean passesTest(NettyCopy copy, BridgeHandle bridge) throws RefusedException {
    if (copy.isTested()) {
      return true;
    }
    if (!copy.isTestDue()) {
      return false;
    }
    Throwable failure = bridge.selfTest();
    if (failure == null) {
      copy.passedTest();
      return true;
    }
    if (failure instanceof OutOfMemoryError && copy.waitsForMemory()) {
      return false;
    }
    if (copy.testsAgain(failure.toString())) {
      return false;
    }
    throw new RefusedException("self-test: " + failure, failure);
  }

  private void tell(NettyCopy copy, Mode before) {
    Mode now = copy.mode();
    if (!copy.reason().isEmpty()) {
      return; // said already
    }
    if (now.swaps()) {
      Log.line("serves " + copy + " (" + now + memoryWay(copy) + "), " + endpoint.get());
    } else if (now.observes()) {
      Log.line("observes " + copy + ", " + endpoint.get());
    } else if (!before.equals(Mode.OFF)) {
      Log.line("leaves " + copy + " to itself (off); its buffers that are out stay valid");
    }
  }

  /** Returns how the copy's pool allocates native memory, and logs why it is not mapped. */
  private String memoryWay(NettyCopy copy) {
    BridgeHandle bridge = copy.bridge();
    MemoryWay way = bridge == null ? null : bridge.memoryWay();
    if (way == null) {
      return "";
    }
    if (!way.isMapped() && explained.add(way)) {
      Log.line(
          way == MemoryWay.HOST
              ? "cannot map native memory for "
                  + copy
                  + ": its account of direct memory is not accessible; Netty allocates the"
                  + " chunks, and freed ones may stay with the process"
              : "cannot map native memory: " + mappingRefusal() + "; " + consequence(way));
    }
    return ", memory by " + way.label();
  }

  private static String mappingRefusal() {
    return Files.isReadable(DEVICE)
        ? "the system or this JDK does not permit to map " + DEVICE
        : DEVICE + " is missing or not readable";
  }

  private static String consequence(MemoryWay way) {
    return way == MemoryWay.MAPPED_BY_MALLOC
        ? "malloc allocates chunks: freed ones return to the system, but each takes more than 32"
            + " MiB of address space"
        : "malloc allocates chunks, and freed ones may stay with the process";
  }

  /** Another class of a copy has been loaded that may have to be woven, or initialised since. */
  void weaveNews(NettyCopy copy, ClassLoader loader) {
    boolean waits = copy.state() == CopyState.WAITING && copy.isWoven();
    if (copy.mode().equals(Mode.OFF) && !waits) {
      return;
    }
    try {
      weaveLoaded(copy, loader, observes(copy, copy.mode()));
    } catch (Throwable failure) {
      if (!isJvmEnding(loader)) {
        copy.failed();
        fallBack(copy, failure);
      }
    }
  }

  /**
   * Weaves those classes of the copy that the host has initialised; none before, since the JVM may
   * find it invalid then. An instance cannot come earlier. As long as one is not initialised, this
   * runs once a second: it takes the same time however many classes the host has.
   */
  private void weaveLoaded(NettyCopy copy, ClassLoader loader, boolean observes)
      throws RefusedException, ReflectiveOperationException {
    copy.woven();
    boolean later = false;
    if ("weave".equals(System.getProperty("cistern.test.fault"))) {
      throw new RefusedException("weaving: injected fault");
    }
    for (String name : copy.allocators()) {
      Class<?> allocator = loaded(name, loader);
      if (allocator == null) {
        continue;
      }
      if (!JdkModules.isInitialized(allocator)) {
        later = true;
      } else {
        if (observes) {
          weave(buffersOf(allocator, loader));
        }
        weave(allocator);
      }
    }
    copy.weavesLater(later);
  }

  private Class<?>[] initiatedClasses(ClassLoader loader) {
    Class<?>[] found = instrumentation.getInitiatedClasses(loader);
    return found == null ? new Class<?>[0] : found; // see isJvmEnding
  }

  /**
   * Whether this JVM has begun to end. It returns null then, against its contract, and refuses to
   * weave: none of that is a fault of the copy.
   */
  private boolean isJvmEnding(ClassLoader loader) {
    return instrumentation.getInitiatedClasses(loader) == null;
  }

  /** A class that was sighted; null where the loader failed to define it. */
  private static @Nullable Class<?> loaded(String name, ClassLoader loader) {
    try {
      Class<?> found = Class.forName(name, false, loader);
      return found.getClassLoader() == loader ? found : null;
    } catch (ClassNotFoundException | LinkageError broken) {
      return null;
    }
  }

  /** Loaded, not initialised: else it might come later than the first sample. */
  private static Class<?> buffersOf(Class<?> allocator, ClassLoader loader)
      throws RefusedException {
    String name = BufferNames.ofAllocator(allocator.getName().replace('.', '/'));
    try {
      return Class.forName(name.replace('/', '.'), false, loader);
    } catch (ClassNotFoundException | LinkageError missing) {
      throw new RefusedException(missing.toString());
    }
  }

  private void weave(Class<?> type) throws RefusedException {
    if (discovery.isWoven(type)) {
      return;
    }
    // has it linked first: a class that the host links at that moment may be found invalid
    Object unused = type.getDeclaredConstructors();
    Throwable failure = discovery.weave(instrumentation, type);
    if (failure != null) {
      throw new RefusedException("weaving " + type.getName() + ": " + failure, failure);
    }
  }

  /** Gives the copy's classes back their own code. */
  private void unweave(NettyCopy copy, ClassLoader loader) {
    String outcome = "nothing of ours is left in its classes";
    for (Class<?> initiated : initiatedClasses(loader)) {
      if (initiated.getClassLoader() == loader
          && initiated.getName().startsWith(copy.dottedPrefix() + '.')) {
        String failure = discovery.unweave(instrumentation, initiated);
        if (failure != null) {
          outcome = initiated.getName() + " keeps our code, which does nothing: " + failure;
        }
      }
    }
    copy.unwoven(outcome);
  }

  /**
   * Runs a maintenance round; returns whether native memory has run out since the last one. A copy
   * that is off is ticked, too, until none of our buffers is in use, and then gets its own code
   * back.
   */
  boolean tick(NettyCopy copy, ClassLoader loader) {
    if ("tick".equals(System.getProperty("cistern.test.fault"))) {
      throw new AssertionError("injected fault");
    }
    BridgeHandle bridge = copy.bridge();
    if (bridge == null) {
      return false;
    }
    Throwable failure = bridge.failure();
    if (bridge.isPaused() && copy.state() == CopyState.SETTLED) {
      pause(copy, failure);
    } else if (failure != null && copy.takeLogEntry()) {
      Log.failure(copy + ": a fault of Cistern's; Netty served the allocation", failure);
    }
    Throwable ofRelease = bridge.releaseFailure();
    if (ofRelease != null && !(ofRelease instanceof VirtualMachineError) && copy.takeLogEntry()) {
      Log.failure(copy + ": a release failed; the agent's thread finished it", ofRelease);
    }
    copy.found(bridge.tick());
    boolean isIdle = copy.mode().equals(Mode.OFF) && copy.isWoven() && bridge.isDrained();
    if (copy.idleTicks(isIdle) >= IDLE_TICKS) {
      unweave(copy, loader);
    }
    return copy.sawExhausted(bridge.exhausted());
  }

  private static void pause(NettyCopy copy, @Nullable Throwable failure) {
    String why = failure == null ? "logged before" : failure.toString();
    long seconds = copy.pause(why);
    if (copy.takeLogEntry()) {
      String text = "leaves " + copy + " to Netty for " + seconds + " s after faults: " + why;
      say(text, failure);
    }
  }

  /** After a failure at any time: the mode below is tried. */
  private static void fallBack(NettyCopy copy, Throwable failure) {
    String why = reason(failure);
    boolean isNews = !copy.reason().equals(why);
    copy.fallBack(why);
    if (isNews) {
      say("leaves " + copy + " on its own allocator: " + why, thrown(failure));
    }
  }

  static void refuse(NettyCopy copy, Throwable failure) {
    String why = reason(failure);
    copy.refuse(why);
    say("leaves " + copy + " on its own allocator: " + why, thrown(failure));
  }

  private static void say(String text, @Nullable Throwable failure) {
    if (failure == null) {
      Log.line(text);
    } else {
      Log.failure(text, failure);
    }
  }

  /** Returns the fault behind a failure; null for a refusal, which is none. */
  private static @Nullable Throwable thrown(Throwable failure) {
    return failure instanceof RefusedException ? failure.getCause() : failure;
  }

  /** Returns a refusal's message, otherwise the innermost cause, which is the most specific. */
  static String reason(Throwable failure) {
    return failure instanceof RefusedException
        ? String.valueOf(failure.getMessage())
        : innermost(failure).toString();
  }

  /** What the innermost cause says. */
  static String words(Throwable failure) {
    return String.valueOf(innermost(failure).getMessage());
  }

  private static Throwable innermost(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
