/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import dev.cistern.agent.Log;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives the pools' unused direct memory to a host that the JVM would refuse some
 * (docs/decisions/0037).
 *
 * <p>Before {@code ByteBuffer.allocateDirect} has garbage collected, it waits for memory that a
 * finished collection is still giving back, through an interface of the JDK. This class wraps the
 * JDK's object behind that interface: it gives back one chunk or extent of ours, and says that
 * there was progress, whereupon the JVM tries again. So the host's call frees no more than it
 * needs, and causes no collection for memory that we keep.
 */
final class DirectMemoryReclaim implements InvocationHandler {
  private static final String INTERNALS = "jdk.internal.access";
  private static final String WAIT = "waitForReferenceProcessing";

  /** Another thread may hold a lock for a moment. */
  private static final int ATTEMPTS = 3;

  /** The most time that one request spends on freeing memory between two sleeps of the JVM. */
  private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * Calls further apart belong to different requests, because the JVM repeats a call at once. A
   * thread's requests for small pieces in quick succession may count as one: a freed chunk usually
   * serves more of them than fit into this time.
   */
  private static final long MAX_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private static final ThreadLocal<Request> REQUESTS = new ThreadLocal<>();

  private final JdkModules modules;
  private final List<NettyCopy> copies;

  /** The agent's thread only. */
  private boolean isInstalled;

  /** The JDK's own object; written before this one replaces it. */
  private volatile @Nullable Object jdk;

  /** Not installed yet. */
  DirectMemoryReclaim(Instrumentation instrumentation, List<NettyCopy> copies) {
    this.modules = new JdkModules(instrumentation);
    this.copies = copies;
  }

  /** Replaces the JDK's object from now on; logs a line if this JDK has no such interface. */
  void install() {
    if (isInstalled) {
      return;
    }
    isInstalled = true;
    try {
      modules.open(Object.class.getModule(), INTERNALS, DirectMemoryReclaim.class.getModule());
      Class<?> secrets = Class.forName(INTERNALS + ".SharedSecrets");
      Class<?> references = Class.forName(INTERNALS + ".JavaLangRefAccess");
      Method waits = references.getMethod(WAIT);
      if (waits.getReturnType() != boolean.class) {
        throw new NoSuchMethodException("boolean " + WAIT + "()");
      }
      jdk = secrets.getMethod("getJavaLangRefAccess").invoke(null);
      ClassLoader loader = DirectMemoryReclaim.class.getClassLoader();
      Object proxy = Proxy.newProxyInstance(loader, new Class<?>[] {references}, this);
      secrets.getMethod("setJavaLangRefAccess", references).invoke(null, proxy);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError unknownJdk) {
      Log.line(
          "cannot join the JVM's search for direct memory: "
              + unknownJdk
              + "; the pools give back unused memory after some seconds only");
    }
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object[] arguments)
      throws Throwable {
    if (method.getName().equals(WAIT) && frees()) {
      return true;
    }
    try {
      return method.invoke(jdk, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }

  /** Runs on a thread of the host, which must not see a failure of the agent. */
  private boolean frees() {
    try {
      Request request = request();
      for (int attempt = 0; attempt < ATTEMPTS && request.spentNanos < MAX_NANOS; attempt++) {
        boolean isFreed = freesOne();
        request.addTime();
        if (isFreed) {
          return true;
        }
      }
    } catch (Throwable failed) {
      // The JVM collects garbage then, as it would have done without us.
    }
    return false;
  }

  private boolean freesOne() {
    for (NettyCopy copy : copies) {
      BridgeHandle bridge = copy.bridge();
      if (bridge != null && bridge.freeOne()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the request that the calling thread makes, or repeats. */
  private static Request request() {
    Request request = REQUESTS.get();
    if (request == null || System.nanoTime() - request.lastNanos > MAX_PAUSE_NANOS) {
      request = new Request();
      REQUESTS.set(request);
    }
    request.lastNanos = System.nanoTime();
    return request;
  }

  /**
   * A request of one thread. The JVM repeats it as long as it frees something, and other threads
   * may take what it frees: a limit of time ends that.
   */
  private static final class Request {
    private long lastNanos;
    private long spentNanos;

    /** Adds the time since {@link #lastNanos}. */
    void addTime() {
      long now = System.nanoTime();
      spentNanos += now - lastNanos;
      lastNanos = now;
    }
  }
}
