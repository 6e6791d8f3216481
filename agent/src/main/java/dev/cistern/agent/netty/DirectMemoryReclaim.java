/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import dev.cistern.agent.log.Log;
import dev.cistern.bridge.api.NettyBridge;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Frees unused direct memory of the pools when the JVM is about to refuse the host's request
 * (docs/internals/decisions/0037).
 *
 * <p>Before {@code ByteBuffer.allocateDirect} starts a garbage collection, it waits, through an
 * interface of the JDK, for memory that an earlier collection has not returned yet. This class
 * wraps the JDK's object behind that interface: it frees one chunk or extent of a pool and reports
 * progress, so that the JVM tries again. So the host's call frees no more than it needs, and unused
 * memory of the pools causes no garbage collection.
 */
final class DirectMemoryReclaim implements InvocationHandler {
  private static final String INTERNALS = "jdk.internal.access";
  private static final String WAIT = "waitForReferenceProcessing";

  /** Number of attempts, because another thread may hold a lock for a moment. */
  private static final int ATTEMPTS = 3;

  /** Limits the time that one request spends on freeing memory between two sleeps of the JVM. */
  private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * Calls further apart belong to different requests, because the JVM repeats a call at once. A
   * thread's requests for small pieces in quick succession may count as one: a freed chunk usually
   * serves more of them than fit into this time.
   */
  private static final long MAX_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /**
   * The request that a thread makes: the time of its last call, and the time that it has spent. The
   * JVM repeats a request as long as it frees memory, and other threads may take that memory, so a
   * time limit ends the repetition. The value is an array, because a thread of the host must not
   * keep a class of the agent alive.
   */
  private static final ThreadLocal<long[]> REQUESTS = new ThreadLocal<>();

  private static final int LAST_NANOS = 0;
  private static final int SPENT_NANOS = 1;

  private final JdkModules modules;
  private final List<NettyCopy> copies;

  /** Whether the object is installed. The agent's thread only. */
  private boolean isInstalled;

  /** The JDK's own object; written before this one replaces it. */
  private volatile @Nullable Object jdk;

  /** Creates the object without installing it. */
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
          "cannot free pool memory when the JVM runs out of direct memory: "
              + unknownJdk
              + "; the pools free unused memory only after some seconds");
    }
  }

  /** Restores the JDK's own object, unless another agent has replaced this one. */
  void uninstall() {
    Object original = jdk;
    if (original == null) {
      return;
    }
    try {
      Class<?> secrets = Class.forName(INTERNALS + ".SharedSecrets");
      Class<?> references = Class.forName(INTERNALS + ".JavaLangRefAccess");
      Object current = secrets.getMethod("getJavaLangRefAccess").invoke(null);
      if (Proxy.isProxyClass(current.getClass()) && Proxy.getInvocationHandler(current) == this) {
        secrets.getMethod("setJavaLangRefAccess", references).invoke(null, original);
      }
    } catch (ReflectiveOperationException | RuntimeException unknownJdk) {
      Log.line("cannot restore the JDK's own handling of exhausted direct memory: " + unknownJdk);
    }
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object[] arguments)
      throws Throwable {
    if (method.getName().equals(WAIT) && tryFree()) {
      return true;
    }
    try {
      return method.invoke(jdk, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }

  /**
   * Frees one chunk or extent, and returns whether it did. Runs on a thread of the host, which must
   * not see a failure of the agent.
   */
  private boolean tryFree() {
    try {
      long[] request = request();
      for (int attempt = 0; attempt < ATTEMPTS && request[SPENT_NANOS] < MAX_NANOS; attempt++) {
        boolean isFreed = tryFreeOne();
        long now = System.nanoTime();
        request[SPENT_NANOS] += now - request[LAST_NANOS];
        request[LAST_NANOS] = now;
        if (isFreed) {
          return true;
        }
      }
    } catch (Throwable failed) {
      // The JVM collects garbage then, as it does without the agent.
    }
    return false;
  }

  private boolean tryFreeOne() {
    for (NettyCopy copy : copies) {
      NettyBridge bridge = copy.bridge();
      if (bridge != null && bridge.freeOne()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the request that the calling thread makes, or repeats. */
  private static long[] request() {
    long[] request = REQUESTS.get();
    if (request == null || System.nanoTime() - request[LAST_NANOS] > MAX_PAUSE_NANOS) {
      request = new long[2];
      REQUESTS.set(request);
    }
    request[LAST_NANOS] = System.nanoTime();
    return request;
  }
}
