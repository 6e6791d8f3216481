/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import dev.cistern.agent.Log;
import dev.cistern.agent.weave.AllocatorNames;
import dev.cistern.agent.weave.Discovery;
import java.lang.instrument.Instrumentation;

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
  private String endpoint = "no endpoint";

  CopyServer(Instrumentation instrumentation, Discovery discovery) {
    this.instrumentation = instrumentation;
    this.discovery = discovery;
  }

  void describeEndpoint(String text) {
    endpoint = text;
  }

  /** Whether the waiting has ended, one way or the other. */
  boolean tryLive(NettyCopy copy, ClassLoader loader) {
    try {
      Class<?> buffers = copy.bufferClass();
      if (buffers == null || !JdkModules.isInitialized(buffers)) {
        return false;
      }
      goLive(copy, loader);
    } catch (Throwable failure) {
      refuse(copy, CopyState.REFUSED, reason(failure));
    }
    return true;
  }

  private void goLive(NettyCopy copy, ClassLoader loader) throws RefusedException {
    BridgeHandle bridge = copy.bridge();
    if (bridge == null) {
      throw new RefusedException("the bridge is gone");
    }
    String failure = bridge.selfTest();
    if (failure != null) {
      throw new RefusedException("self-test: " + failure);
    }
    bridge.wake(Thread.currentThread());
    bridge.mode("swap");
    copy.become(CopyState.LIVE, "");
    weaveLoaded(copy, loader);
    if (copy.state() == CopyState.LIVE) {
      Log.line("serves " + copy + " (swap), " + endpoint);
    }
  }

  /** Weaves those allocators of the copy that the host has loaded. */
  void weaveLoaded(NettyCopy copy, ClassLoader loader) {
    for (Class<?> initiated : instrumentation.getInitiatedClasses(loader)) {
      if (initiated.getClassLoader() == loader && isAllocator(initiated, copy)) {
        String failure = discovery.weave(instrumentation, initiated);
        if (failure != null) {
          switchOff(copy);
          refuse(copy, CopyState.REFUSED, "weaving " + initiated.getName() + ": " + failure);
          return;
        }
      }
    }
  }

  private static boolean isAllocator(Class<?> type, NettyCopy copy) {
    String name = type.getName();
    return name.endsWith("ByteBufAllocator")
        && (name.replace('.', '/').equals(copy.prefix() + AllocatorNames.POOLED)
            || name.replace('.', '/').equals(copy.prefix() + AllocatorNames.ADAPTIVE));
  }

  private static void switchOff(NettyCopy copy) {
    BridgeHandle bridge = copy.bridge();
    if (bridge != null) {
      bridge.mode("off");
    }
  }

  /** The janitor's round; whether native memory has run out since the last one. */
  boolean tick(NettyCopy copy) {
    BridgeHandle bridge = copy.bridge();
    if (bridge == null) {
      return false;
    }
    String failure = bridge.failure();
    if (failure != null && copy.state() == CopyState.LIVE) {
      refuse(copy, CopyState.STOOD_DOWN, failure);
    }
    bridge.tick();
    return copy.sawExhausted(bridge.exhausted());
  }

  static void refuse(NettyCopy copy, CopyState state, String why) {
    copy.become(state, why);
    Log.line("leaves " + copy + " on its own allocator: " + why);
  }

  /** A failure in a few words: the innermost cause tells most. */
  static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof RefusedException
        ? String.valueOf(cause.getMessage())
        : cause.toString();
  }
}
