/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import dev.cistern.agent.Log;
import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;
import dev.cistern.agent.report.AgentControl;
import dev.cistern.agent.report.Diagnostics;
import dev.cistern.agent.report.Endpoint;
import dev.cistern.agent.report.StatsFile;
import dev.cistern.agent.weave.AllocatorNames;
import dev.cistern.agent.weave.Discovery;
import dev.cistern.agent.weave.Sighting;
import dev.cistern.agent.weave.SightingListener;
import dev.cistern.util.internal.DaemonThreads;
import java.lang.instrument.Instrumentation;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The agent's thread: looks at what was sighted, keeps the inventory, takes copies of Netty live,
 * and then ticks as their maintenance thread.
 */
public final class CopyKeeper implements SightingListener, Runnable {
  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long FIRST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final int TOLD_FAILURES = 5;
  private static final long CHANGE_SECONDS = 30;
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final AgentConfig config;
  private final Instrumentation instrumentation;
  private final Function<String, byte @Nullable []> jar;
  private final Discovery discovery;
  private final CopyServer server;
  private final Thread thread;

  /** The inventory: written by this thread, read by reports. */
  private final List<NettyCopy> copies = new CopyOnWriteArrayList<>();

  /** Copies ever found: makes names of pools unique. */
  private int found;

  /** The names ever given: with one of a copy that is gone, counters would run backwards. */
  private final Set<String> poolNames = new HashSet<>();

  private @Nullable CopyInstaller installer;
  private final CopyMemory memory = new CopyMemory();
  private final Wishes wishes;
  private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
  private final Diagnostics diagnostics;
  private final AgentControl control;

  /** Written by this thread, read by reports. */
  private volatile @Nullable String endpoint;

  private boolean isStatsFileOpen;
  private final BypassCheck bypasses = new BypassCheck();
  private long failedRounds;
  private long lastTick = System.nanoTime();

  /** Not started yet. */
  public CopyKeeper(
      AgentConfig config,
      Instrumentation instrumentation,
      Function<String, byte @Nullable []> jar) {
    this.config = config;
    this.instrumentation = instrumentation;
    this.jar = jar;
    this.wishes = new Wishes(config);
    this.diagnostics = new Diagnostics(config, copies);
    this.control = new AgentControl(this);
    this.discovery = new Discovery(this);
    this.server =
        new CopyServer(
            instrumentation,
            discovery,
            new DirectMemoryReclaim(instrumentation, copies),
            this::openEndpoint);
    this.thread = DaemonThreads.create("cistern-agent", this);
  }

  /** Looks at every class from now on; the thread begins with those that are loaded already. */
  public void start() {
    discovery.rehearse();
    instrumentation.addTransformer(discovery, true);
    thread.start();
  }

  @Override
  public void sighted() {
    LockSupport.unpark(thread);
  }

  /** Ends with the JVM only: what fails in one round may be well in the next. */
  @Override
  public void run() {
    boolean isScanned = false;
    for (long wait = FIRST_WAIT_NANOS; ; ) {
      try {
        boolean unused = Thread.interrupted(); // by a host that interrupts all: parking would spin
        if (!isScanned) {
          discovery.scan(instrumentation);
          isScanned = true;
        }
        boolean news = lookAtSightings();
        followChanges();
        boolean waiting = serve();
        tick();
        wait = news ? FIRST_WAIT_NANOS : Math.min(wait + wait / 16 + 1, LONGEST_WAIT_NANOS);
        park(waiting ? wait : TICK_NANOS);
      } catch (Throwable failure) {
        survive(failure);
        LockSupport.parkNanos(this, TICK_NANOS);
      }
    }
  }

  /** Says what failed, the first few times: no memory, most likely, and then not even that. */
  private void survive(Throwable failure) {
    try {
      diagnostics.agentFailed();
      if (++failedRounds <= TOLD_FAILURES) {
        Log.failure("the agent's thread met a failure and goes on: " + failure, failure);
      }
    } catch (Throwable alsoFailed) {
      // nobody to tell
    }
  }

  private void park(long nanos) {
    if (copies.isEmpty() && memory.isEmpty()) {
      LockSupport.park(
          this); // a change wakes it too; else until a sighting: a JVM without Netty is never woken
    } else {
      LockSupport.parkNanos(this, nanos);
    }
  }

  /** Whether there were any. */
  private boolean lookAtSightings() {
    Sighting sighting = discovery.take();
    boolean news = false;
    for (; sighting != null; sighting = sighting.next()) {
      ClassLoader loader = sighting.loader();
      if (!sighting.isNettys()) {
        bypasses.add(sighting);
      } else if (loader != null) {
        lookAt(sighting, loader);
        news = true;
      }
    }
    return news;
  }

  private void lookAt(Sighting sighting, ClassLoader loader) {
    NettyCopy known = find(loader, sighting.prefix());
    if (known != null) {
      waitUntilDefined(sighting.className(), loader);
      known.sawAllocator(sighting.className());
      server.weaveNews(known, loader); // its second allocator class has come
      return;
    }
    if (AllocatorNames.isOfLibrary(sighting.className(), new LoaderFiles(loader))) {
      return; // the library shows its pools itself
    }
    NettyCopy copy = new NettyCopy(sighting.prefix(), poolName(sighting.prefix()), loader);
    copy.sawAllocator(sighting.className());
    copy.version(version(copy, loader));
    copies.add(copy);
    found++;
    copy.want(wishes.of(copy), wishes.reason(copy));
  }

  /** A class is sighted before it is defined: until then nobody could weave it. */
  private static void waitUntilDefined(String className, ClassLoader loader) {
    try {
      Class<?> unused = Class.forName(className.replace('/', '.'), false, loader);
    } catch (ClassNotFoundException | LinkageError broken) {
      // then there is nothing to weave
    }
  }

  private static String version(NettyCopy copy, ClassLoader loader) {
    try {
      return NettyVersion.of(Class.forName(copy.allocator(), false, loader), copy.dottedPrefix());
    } catch (Throwable unknown) {
      return ""; // what is wrong with the class will be said when it is wanted
    }
  }

  /** Puts hook and bridge under the copy, when a mode first wants them. */
  private void install(NettyCopy copy, ClassLoader loader) {
    try {
      Class<?> allocator = Class.forName(copy.allocator(), false, loader);
      installer().install(copy, loader, allocator);
    } catch (Throwable failure) {
      CopyServer.refuse(copy, failure);
    }
  }

  private String openEndpoint() {
    String known = endpoint;
    if (known == null) {
      known = Endpoint.open(config, diagnostics).describe();
      endpoint = known;
    }
    return known;
  }

  /** The prefix with dots; where another copy has had it already, with a number. */
  private String poolName(String prefix) {
    String name = prefix.replace('/', '.');
    return poolNames.add(name) ? name : name + '#' + (found + 1);
  }

  private CopyInstaller installer() {
    CopyInstaller known = installer;
    if (known == null) {
      known = new CopyInstaller(instrumentation, jar, config.poolNumbers(), memory);
      installer = known;
    }
    return known;
  }

  private @Nullable NettyCopy find(ClassLoader loader, String prefix) {
    for (NettyCopy copy : copies) {
      if (copy.loader() == loader && copy.prefix().equals(prefix)) {
        return copy;
      }
    }
    return null;
  }

  /** Brings copies to their modes and ticks them; whether any is still waiting for its host. */
  private boolean serve() {
    boolean waiting = false;
    for (NettyCopy copy : copies.toArray(new NettyCopy[0])) {
      ClassLoader loader = copy.loader();
      if (loader == null) {
        copies.remove(copy);
      } else if (copy.state() != CopyState.REFUSED) {
        waiting |= serve(copy, loader);
      }
    }
    return waiting;
  }

  private boolean serve(NettyCopy copy, ClassLoader loader) {
    if (copy.isAtAim()) {
      if (copy.weavesLater()) {
        server.weaveNews(copy, loader);
      }
      return copy.weavesLater();
    }
    if (!copy.isInstalled()) {
      install(copy, loader);
    }
    boolean waits = server.settle(copy, loader);
    String unused = openEndpoint(); // after it: the host's first buffer may be there already
    return waits;
  }

  /** About once a second, whatever wakes this thread meanwhile. */
  private void tick() {
    long now = System.nanoTime();
    if (now - lastTick < TICK_NANOS) {
      return;
    }
    lastTick = now;
    boolean isShort = false;
    boolean hasNewLeaks = false;
    for (NettyCopy copy : copies) {
      ClassLoader loader = copy.loader();
      if (loader != null && copy.isAwake() && copy.state() != CopyState.REFUSED) {
        try {
          isShort |= server.tick(copy, loader);
          hasNewLeaks |= copy.takeNewLeaks();
          bypasses.look(copy, loader);
        } catch (Throwable failure) {
          survive(failure); // the other copies have their turn all the same
        }
      }
    }
    Throwable notFreed = memory.freeUnreachable();
    if (notFreed != null) {
      survive(notFreed);
    }
    diagnostics.tick();
    control.tick();
    if (endpoint != null && !isStatsFileOpen) {
      isStatsFileOpen = true; // in no hurry: the host has just started
      StatsFile.open(config, diagnostics);
    }
    if (hasNewLeaks) {
      diagnostics.leaksWereFound();
    }
    if (isShort) {
      diagnostics.outOfMemory();
    }
  }

  // ---- asked for at run time ----

  /**
   * Sets the mode of some copies, those that are yet to come included.
   *
   * @param mode the mode wanted
   * @param which copies; {@link CopyPattern#ALL} takes back what was said of others, and leaves
   *     alone what the settings exclude
   * @return each copy of the JVM with its mode, after the change
   * @throws IllegalArgumentException if modes were named for too many patterns
   * @throws TimeoutException if the agent's thread has not come to it within 30 seconds; it will
   *     follow when it does
   * @throws InterruptedException if the calling thread was interrupted
   */
  public List<NettyCopy> change(Mode mode, CopyPattern which)
      throws TimeoutException, InterruptedException {
    Change change = new Change(mode, which);
    changes.add(change);
    LockSupport.unpark(thread);
    try {
      change.done.get(CHANGE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw new IllegalArgumentException(CopyServer.words(failed));
    }
    return copies;
  }

  /** The same, without waiting for it. */
  public void changeSoon(Mode mode, CopyPattern which) {
    changes.add(new Change(mode, which));
    LockSupport.unpark(thread);
  }

  /** The mode of what is neither excluded nor named. */
  public Mode generalMode() {
    return wishes.general();
  }

  /** Returns a description of the HTTP endpoint; null until the agent has found a copy. */
  public @Nullable String endpoint() {
    return endpoint;
  }

  /** Each copy found so far, in that order; a view that follows. */
  public List<NettyCopy> copies() {
    return Collections.unmodifiableList(copies);
  }

  private void followChanges() {
    for (Change change = changes.poll(); change != null; change = changes.poll()) {
      try {
        wishes.want(change.mode, change.which);
        for (NettyCopy copy : copies) {
          follow(copy, change.which);
        }
        boolean unused = serve();
        change.done.complete(Boolean.TRUE);
      } catch (Throwable refused) {
        change.done.completeExceptionally(refused);
      }
    }
  }

  /** What failed before is tried again for copies that are meant, and only for those. */
  private void follow(NettyCopy copy, CopyPattern meant) {
    Mode wanted = wishes.of(copy);
    if (copy.isMeantBy(meant) || !wanted.equals(copy.wanted())) {
      copy.want(wanted, wishes.reason(copy));
    }
  }

  /** What somebody asked for. */
  private static final class Change {
    private final Mode mode;
    private final CopyPattern which;
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();

    Change(Mode mode, CopyPattern which) {
      this.mode = mode;
      this.which = which;
    }
  }
}
