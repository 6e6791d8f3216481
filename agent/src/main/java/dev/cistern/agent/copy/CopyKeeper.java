/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import dev.cistern.agent.Log;
import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.report.Diagnostics;
import dev.cistern.agent.report.Endpoint;
import dev.cistern.agent.weave.Discovery;
import dev.cistern.agent.weave.Sighting;
import dev.cistern.agent.weave.SightingListener;
import dev.cistern.util.DaemonThreads;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The agent's thread: looks at what was sighted, keeps the inventory, takes copies of Netty live,
 * and then ticks as their janitor.
 */
public final class CopyKeeper implements SightingListener, Runnable {
  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long FIRST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final AgentConfig config;
  private final Instrumentation instrumentation;
  private final Function<String, byte @Nullable []> jar;
  private final Discovery discovery;
  private final CopyServer server;
  private final Thread thread;

  /** The inventory: written by this thread, read by reports. */
  private final List<NettyCopy> copies = new CopyOnWriteArrayList<>();

  /** Copies ever found, by prefix taken together: makes names of pools unique. */
  private int found;

  private @Nullable CopyInstaller installer;
  private @Nullable Diagnostics diagnostics;

  /** Not started yet. */
  public CopyKeeper(
      AgentConfig config,
      Instrumentation instrumentation,
      Function<String, byte @Nullable []> jar) {
    this.config = config;
    this.instrumentation = instrumentation;
    this.jar = jar;
    this.discovery = new Discovery(this);
    this.server = new CopyServer(instrumentation, discovery);
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

  @Override
  public void run() {
    try {
      discovery.scan(instrumentation);
      for (long wait = FIRST_WAIT_NANOS; ; ) {
        boolean news = lookAtSightings();
        boolean waiting = serve();
        wait = news ? FIRST_WAIT_NANOS : Math.min(wait + wait / 16 + 1, LONGEST_WAIT_NANOS);
        park(waiting ? wait : TICK_NANOS);
      }
    } catch (Throwable failure) {
      Log.line("the agent's thread ends: " + failure + "; no further copy of Netty is served");
    }
  }

  private void park(long nanos) {
    if (copies.isEmpty()) {
      LockSupport.park(this); // until a sighting: a JVM without Netty is never woken
    } else {
      LockSupport.parkNanos(this, nanos);
    }
  }

  /** Whether there were any. */
  private boolean lookAtSightings() {
    Sighting sighting = discovery.take();
    boolean news = sighting != null;
    for (; sighting != null; sighting = sighting.next()) {
      ClassLoader loader = sighting.loader();
      if (loader != null) {
        lookAt(sighting, loader);
      }
    }
    return news;
  }

  private void lookAt(Sighting sighting, ClassLoader loader) {
    NettyCopy known = find(loader, sighting.prefix());
    if (known != null) {
      if (known.state() == CopyState.LIVE) {
        server.weaveLoaded(known, loader); // its second allocator class has come
      }
      return;
    }
    NettyCopy copy = new NettyCopy(sighting.prefix(), poolName(sighting.prefix()), loader);
    copies.add(copy);
    found++;
    prepare(copy, sighting, loader);
    if (diagnostics == null) {
      diagnostics = new Diagnostics(config, copies);
      server.describeEndpoint(Endpoint.open(config, diagnostics).describe());
    }
  }

  private void prepare(NettyCopy copy, Sighting sighting, ClassLoader loader) {
    try {
      Class<?> allocator = Class.forName(sighting.className().replace('/', '.'), false, loader);
      copy.version(NettyVersion.of(allocator, copy.dottedPrefix()));
      if (config.mode().equals("observe")) {
        copy.become(CopyState.OBSERVED, "listed only: this version weaves nothing in observe");
      } else {
        installer().install(copy, loader, allocator);
        copy.become(CopyState.READY, "waits for the host's first buffer");
      }
    } catch (Throwable failure) {
      CopyServer.refuse(copy, CopyState.REFUSED, CopyServer.reason(failure));
    }
  }

  /** The prefix with dots; where another copy has it already, with a number. */
  private String poolName(String prefix) {
    for (NettyCopy copy : copies) {
      if (copy.prefix().equals(prefix)) {
        return prefix.replace('/', '.') + '#' + (found + 1);
      }
    }
    return prefix.replace('/', '.');
  }

  private CopyInstaller installer() {
    CopyInstaller known = installer;
    if (known == null) {
      known = new CopyInstaller(instrumentation, jar, config.poolNumbers());
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

  /** Takes ready copies live and ticks live ones; whether any is still waiting for its host. */
  private boolean serve() {
    boolean waiting = false;
    for (NettyCopy copy : copies.toArray(new NettyCopy[0])) {
      ClassLoader loader = copy.loader();
      if (loader == null) {
        copies.remove(copy);
      } else if (copy.state() == CopyState.READY) {
        waiting |= !server.tryLive(copy, loader);
      } else if (copy.state().hasServed()) {
        tick(copy);
      }
    }
    return waiting;
  }

  private void tick(NettyCopy copy) {
    boolean isShort = server.tick(copy);
    Diagnostics known = diagnostics;
    if (known != null) {
      known.tick();
      if (isShort) {
        known.outOfMemory();
      }
    }
  }
}
