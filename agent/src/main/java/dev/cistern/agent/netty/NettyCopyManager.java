/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;
import dev.cistern.agent.log.Log;
import dev.cistern.agent.weave.AllocatorTransformer;
import dev.cistern.agent.weave.DiscoveredAllocator;
import dev.cistern.agent.weave.DiscoveryListener;
import dev.cistern.agent.weave.NettyNames;
import dev.cistern.bridge.api.NettyBridge;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.util.internal.DaemonThreads;
import java.lang.instrument.Instrumentation;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The agent's thread: keeps the list of Netty copies, moves them to their modes, and is the
 * maintenance thread of their pools.
 */
public final class NettyCopyManager implements DiscoveryListener, Runnable {
  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Wait without a copy of Netty. Shorter than the five seconds that a command waits for the
   * agent's bean after it has opened JMX.
   */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(4);

  private static final long FIRST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Number of failed rounds that are logged. */
  private static final int MAX_LOGGED = 5;

  /**
   * Interval of fetches for some seconds after a command, because commands often arrive in groups.
   */
  private static final long FAST_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long FAST_POLLS_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long CHANGE_SECONDS = 30;

  private static final String LIMITED =
      "the mode is above the one of the settings, which stays the limit (controlRaises: false)";

  private final Instrumentation instrumentation;
  private final AgentListener listener;
  private final CommandSource commands;
  private final AllocatorTransformer transformer;
  private final NettyCopyMachine machine;
  private final CopyMemory memory = new CopyMemory();
  private final ModePolicy policy;
  private final BypassCheck bypasses = new BypassCheck();
  private final DirectMemoryReclaim reclaim;
  private final Thread thread;

  /** Changed by the agent's thread only. */
  private final List<NettyCopy> copies;

  /** Whether the agent is to leave this JVM as soon as it can. */
  private volatile boolean isDetaching;

  private volatile boolean isDetached;

  /** Text that describes the memory that delays the detachment; empty if there is none. */
  private volatile String detachObstacle = "";

  private final Queue<Change> changes = new ConcurrentLinkedQueue<>();

  // ---- the agent's thread only

  /**
   * All names ever used. A new copy must not reuse the name of a collected one, because counters
   * would run backwards.
   */
  private final Set<String> poolNames = new HashSet<>();

  /** Number of copies found so far. */
  private int found;

  private long failedRounds;
  private long lastTick = System.nanoTime();

  /** The first tick since which a detaching agent's pools have no memory; 0 if they have some. */
  private long drainedTick;

  private long lastCommand = System.nanoTime() - FAST_POLLS_NANOS;

  private record Change(ModeCommand command, CompletableFuture<Boolean> done) {}

  /**
   * Prepares the agent's thread without starting it.
   *
   * @param jar returns the bytes of an entry of the agent's jar by its name
   * @param commands polled once a second, and before a new copy gets its mode
   * @param copies receives the copies in the order in which they are found; safe for other threads
   */
  public NettyCopyManager(
      AgentConfig config,
      Instrumentation instrumentation,
      Function<String, byte @Nullable []> jar,
      List<NettyCopy> copies,
      CommandSource commands,
      AgentListener listener) {
    this.copies = copies;
    this.commands = commands;
    this.instrumentation = instrumentation;
    this.listener = listener;
    this.policy = new ModePolicy(config);
    this.transformer = new AllocatorTransformer(this);
    this.reclaim = new DirectMemoryReclaim(instrumentation, copies);
    NettyCopyActivator activator =
        new NettyCopyActivator(
            instrumentation,
            transformer,
            new BridgeInstaller(instrumentation, jar, config.bridgeSettings(), memory),
            reclaim);
    this.machine = new NettyCopyMachine(activator, new TransitionLog(listener));
    this.thread = DaemonThreads.create("cistern-agent", this);
  }

  /** Starts to inspect each class that is loaded, and starts the thread. */
  public void start() {
    transformer.rehearse();
    instrumentation.addTransformer(transformer, true);
    try {
      thread.start();
    } catch (Throwable noThread) {
      boolean unused = instrumentation.removeTransformer(transformer);
      throw noThread;
    }
  }

  @Override
  public void onDiscovery() {
    LockSupport.unpark(thread);
  }

  /**
   * Runs rounds until the agent is detached or the JVM ends. The next round retries failed work.
   */
  @Override
  public void run() {
    boolean isScanned = false;
    for (long wait = FIRST_WAIT_NANOS; !isDetached; ) {
      try {
        boolean unused =
            Thread.interrupted(); // some hosts interrupt all threads, and parking would spin
        if (!isScanned) {
          poll(); // a file from before the start is older than any command since then
          transformer.scan(instrumentation);
          isScanned = true;
        }
        boolean isNew = addDiscovered();
        applyChanges();
        boolean isWaiting = advanceAll();
        boolean isPolledFast = System.nanoTime() - lastCommand < FAST_POLLS_NANOS;
        if (isPolledFast) {
          poll();
        }
        tick();
        if (isDetaching) {
          detachNow();
        }
        wait = isNew ? FIRST_WAIT_NANOS : Math.min(wait + wait / 16 + 1, TICK_NANOS);
        long untilTick = Math.max(1, lastTick + TICK_NANOS - System.nanoTime());
        park(isPolledFast ? FAST_POLL_NANOS : Math.min(untilTick, isWaiting ? wait : TICK_NANOS));
      } catch (Throwable failure) {
        survive(failure);
        LockSupport.parkNanos(this, TICK_NANOS);
      }
    }
    refuseChanges();
  }

  private void survive(Throwable failure) {
    try {
      listener.onThreadFailure();
      if (++failedRounds <= MAX_LOGGED) {
        Log.failure("agent thread failed and will retry: " + failure, failure);
      }
    } catch (Throwable alsoFailed) {
      // Most likely there is no memory, and nothing can be logged.
    }
  }

  /**
   * Parks the thread. Without a copy of Netty, it wakes only for discoveries, and to register with
   * JMX.
   */
  private void park(long nanos) {
    if (isDetached) {
      return;
    }
    LockSupport.parkNanos(this, copies.isEmpty() && memory.isEmpty() ? IDLE_NANOS : nanos);
  }

  /** Adds the discovered allocator classes. Returns whether there is a new one. */
  private boolean addDiscovered() {
    boolean isNew = false;
    for (DiscoveredAllocator next = transformer.take(); next != null; next = next.next()) {
      ClassLoader loader = next.loader();
      try {
        if (!next.isNettys()) {
          bypasses.add(next);
        } else if (loader != null) {
          // defines the class: the JVM reports it before it is defined
          Class<?> unused = HostClasses.find(next.className().replace('/', '.'), loader);
          add(next, loader);
          isNew = true;
        }
      } catch (Throwable failure) {
        survive(failure); // continue with the remaining allocators
      }
    }
    return isNew;
  }

  private void add(DiscoveredAllocator discovered, ClassLoader loader) {
    String className = discovered.className();
    NettyCopy known = find(loader, discovered.prefix());
    if (known != null) {
      known.addAllocator(className);
      return;
    }
    if (NettyNames.isOfLibrary(className, new LoaderFiles(loader))) {
      return; // Cistern's library reports its pools itself
    }
    found++;
    NettyCopy copy = new NettyCopy(discovered.prefix(), poolName(discovered.prefix()), loader);
    copy.addAllocator(className);
    copy.version(version(copy, className, loader));
    poll();
    copies.add(copy);
    copy.requestMode(policy.of(copy));
  }

  private static String version(NettyCopy copy, String className, ClassLoader loader) {
    try {
      Class<?> allocator = Class.forName(className.replace('/', '.'), false, loader);
      return NettyVersion.of(allocator, copy.dottedPrefix());
    } catch (Throwable unknown) {
      return NettyVersion.UNKNOWN; // a defect of the class is reported when it is needed
    }
  }

  private String poolName(String prefix) {
    String name = prefix.replace('/', '.');
    return poolNames.add(name) ? name : name + '#' + found;
  }

  private @Nullable NettyCopy find(ClassLoader loader, String prefix) {
    for (NettyCopy copy : copies) {
      if (copy.loader() == loader && copy.prefix().equals(prefix)) {
        return copy;
      }
    }
    return null;
  }

  /** Advances all copies. Returns whether a copy waits for its host. */
  private boolean advanceAll() {
    boolean isWaiting = false;
    copies.removeIf(copy -> copy.loader() == null);
    for (NettyCopy copy : copies) {
      try {
        machine.advance(copy);
        if (bypasses.look(copy)) {
          machine.advance(copy);
        }
      } catch (Throwable failure) {
        survive(failure); // continue with the other copies
      }
      if (!copy.requestedMode().equals(Mode.OFF)) {
        String unused = listener.endpoint(); // last, because the host's first buffer may wait
      }
      isWaiting |=
          copy.state() == NettyCopyState.WAITING
              || (copy.state() == NettyCopyState.ACTIVE && copy.hasPendingClasses());
    }
    return isWaiting;
  }

  private void tick() {
    long now = System.nanoTime();
    if (now - lastTick < TICK_NANOS) {
      return;
    }
    lastTick = now;
    poll();
    boolean hasNewLeaks = false;
    boolean isExhausted = false;
    for (NettyCopy copy : copies) {
      ClassLoader loader = copy.loader();
      NettyBridge bridge = copy.bridge();
      if (loader != null && bridge != null && copy.hasAllocated()) {
        try {
          NettyCopyActivator.nameInstances(copy, bridge, loader);
          checkFaults(copy, bridge);
          hasNewLeaks |= bridge.tick() > 0;
          copy.countIdle(copy.state() == NettyCopyState.DRAINING && bridge.isDrained());
          isExhausted |= copy.hasMoreExhaustions(bridge.exhaustions());
        } catch (Throwable failure) {
          survive(failure); // continue with the other copies
        }
      }
    }
    Throwable notFreed = memory.freeUnreachable();
    if (notFreed != null) {
      survive(notFreed);
    }
    listener.onTick(hasNewLeaks, isExhausted);
  }

  private void checkFaults(NettyCopy copy, NettyBridge bridge) {
    if ("tick".equals(System.getProperty("cistern.test.fault"))) {
      throw new AssertionError("injected fault");
    }
    Throwable failure = bridge.takeFailure();
    boolean isServing = copy.state() == NettyCopyState.ACTIVE && copy.mode().swaps();
    if (isServing && bridge.isPaused()) {
      machine.backOff(copy, failure == null ? "logged before" : failure.toString(), failure);
    } else if (isServing
        && copy.fallbackRate()
            .isMany(bridge.fallbacks(true, false) + bridge.fallbacks(false, false))
        && copy.fallbackRate().isExceeded(bridge.report().counters())) {
      machine.backOff(copy, copy.fallbackRate().describe(), null);
    } else if (failure != null && copy.takeLogEntry()) {
      Log.failure(copy + ": an allocation failed in the pool; Netty served it", failure);
    }
    Throwable ofRelease = bridge.takeReleaseFailure();
    if (ofRelease != null && !(ofRelease instanceof VirtualMachineError) && copy.takeLogEntry()) {
      Log.failure(copy + ": a release failed; the agent's thread has finished it", ofRelease);
    }
  }

  // ---- any thread

  /**
   * Carries out a command, and waits for it. A command for {@link CopyPattern#ALL} forgets the
   * earlier ones, and does not change copies that the settings leave out.
   *
   * @return the copies after the change
   * @throws IllegalArgumentException if commands name too many patterns, or the agent has left
   * @throws TimeoutException if the agent's thread has not made the change within 30 seconds; it
   *     makes the change later
   * @throws InterruptedException if the calling thread was interrupted
   */
  public List<NettyCopy> change(ModeCommand command) throws TimeoutException, InterruptedException {
    try {
      changeSoon(command).get(CHANGE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw new IllegalArgumentException(Failures.message(failed));
    }
    return copies;
  }

  /** Carries out a command without waiting for it. */
  public CompletableFuture<Boolean> changeSoon(ModeCommand command) {
    Change change = new Change(command, new CompletableFuture<>());
    changes.add(change);
    LockSupport.unpark(thread);
    if (isDetached) {
      refuseChanges();
    }
    return change.done;
  }

  /** Refuses the changes that were requested while the agent left. */
  private void refuseChanges() {
    for (Change change = changes.poll(); change != null; change = changes.poll()) {
      change.done.completeExceptionally(
          new IllegalStateException("the agent is leaving this JVM; try again after that"));
    }
  }

  /** Returns the mode of the copies that no pattern names. */
  public Mode generalMode() {
    return policy.general();
  }

  /** Returns a view of the copies in the order in which they were found. */
  public List<NettyCopy> copies() {
    return Collections.unmodifiableList(copies);
  }

  /**
   * Lets the agent leave this JVM as soon as no memory of its pools is in use. Each copy is off
   * from now on; a command for another mode ends the attempt.
   *
   * @return what the agent waits for; empty if it has left
   */
  public String detach() throws InterruptedException {
    isDetaching = true;
    LockSupport.unpark(thread);
    return awaitDetach();
  }

  /**
   * Waits for up to a second until the agent has left.
   *
   * @return what the agent waits for before it leaves; empty if it has left
   * @throws IllegalStateException if the agent stays
   */
  public String awaitDetach() throws InterruptedException {
    if (!isDetaching && !isDetached) {
      throw new IllegalStateException("a command has set a mode, and the agent stays");
    }
    thread.join(TimeUnit.NANOSECONDS.toMillis(TICK_NANOS));
    if (isDetached) {
      return "";
    }
    return detachObstacle.isEmpty() ? "the agent's thread" : detachObstacle;
  }

  /** Returns whether the agent has left. */
  public boolean isDetached() {
    return isDetached;
  }

  private void detachNow() {
    StringBuilder obstacles = new StringBuilder();
    for (NettyCopy copy : copies) {
      copy.requestMode(new ModePolicy.Decision(Mode.OFF, "detaching", ModeSource.JMX, false));
      machine.advance(copy);
      NettyBridge bridge = copy.hasAllocated() ? copy.bridge() : null;
      if (bridge != null && !bridge.isDrained()) {
        obstacles.append(obstacles.length() == 0 ? "" : "; ").append(memoryOf(copy, bridge));
      }
    }
    if (obstacles.length() == 0 && !memory.hasNoBlocks()) {
      obstacles.append("memory of a copy whose class loader was collected");
    }
    if (obstacles.length() > 0) {
      drainedTick = 0;
    } else if (drainedTick == 0) {
      drainedTick = lastTick;
    }
    if (drainedTick == 0 || drainedTick == lastTick) {
      // two ticks, because a thread of the host may have entered the pool before
      detachObstacle = obstacles.length() > 0 ? obstacles.toString() : "allocations that began";
      return;
    }
    if (!changes.isEmpty()) {
      return; // a change may end the attempt
    }
    for (NettyCopy copy : copies) {
      if (copy.loader() != null && !machine.detach(copy)) {
        detachObstacle = copy + ": " + copy.reason();
        return;
      }
    }
    boolean unused = instrumentation.removeTransformer(transformer);
    reclaim.uninstall();
    try {
      listener.onDetach();
    } finally {
      RecordCaches.clear();
      isDetached = true;
    }
    Log.line("detached; Netty serves all allocations");
  }

  private static String memoryOf(NettyCopy copy, NettyBridge bridge) {
    long live = 0;
    long reserved = 0;
    for (PoolSnapshot pool : bridge.pools()) {
      live += pool.pinnedBytes();
      reserved += pool.reservedBytes();
    }
    String cause =
        live > 0
            ? live + " bytes of live buffers, " + reserved + " bytes reserved"
            : "no live buffers, " + reserved + " bytes in caches of threads that have not paused";
    return copy + ": " + cause;
  }

  private void applyChanges() {
    for (Change change = changes.poll(); change != null; change = changes.poll()) {
      try {
        apply(change.command);
        commands.carriedOut(change.command);
        boolean unused = advanceAll();
        change.done.complete(Boolean.TRUE);
      } catch (Throwable refused) {
        change.done.completeExceptionally(refused);
      }
    }
  }

  /** Fetches commands of files, and carries them out. */
  private void poll() {
    List<ModeCommand> polled = commands.poll();
    for (ModeCommand command : polled) {
      try {
        if (apply(command)) {
          commands.refuse(command.describe() + LIMITED);
        }
      } catch (IllegalArgumentException tooMany) {
        commands.refuse(command.describe() + tooMany.getMessage());
      }
    }
    if (!polled.isEmpty()) {
      lastCommand = System.nanoTime();
      boolean unused = advanceAll();
    }
  }

  /**
   * Applies a command. Copies that it names get another attempt if they failed before.
   *
   * @return whether the command requested a higher mode than the settings permit
   */
  private boolean apply(ModeCommand command) {
    policy.add(command);
    boolean isLimited =
        !policy.general().equals(command.mode()) && command.which().equals(CopyPattern.ALL);
    if (!command.mode().equals(Mode.OFF)) {
      isDetaching = false;
      drainedTick = 0;
    }
    for (NettyCopy copy : copies) {
      ModePolicy.Decision decision = policy.of(copy);
      boolean isNamed = copy.matches(command.which());
      if (isDetaching) {
        continue; // all copies are off
      }
      if (isNamed || !decision.mode().equals(copy.requestedMode())) {
        copy.requestMode(decision);
      }
      isLimited |= isNamed && decision.isLimited();
    }
    return isLimited;
  }
}
