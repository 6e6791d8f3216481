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
 * Gives the pools' unused direct memory to a host that the JVM would refuse some
 * (docs/internals/decisions/0037).
 *
 * <p>Before {@code ByteBuffer.allocateDirect} has garbage collected, it waits for memory that a
 * finished collection is still giving back, through an interface of the JDK. This class wraps the
 * JDK's object behind that interface: it frees one chunk or extent of a pool and reports progress,
 * so that the JVM tries again. So the host's call frees no more than it needs, and causes no
 * collection for memory that we keep.
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

  /**
   * The request that a thread makes: the time of its last call, and the time that it has spent. The
   * JVM repeats it as long as it frees something, and other threads may take what it frees: a limit
   * of time ends that. An array, because a thread of the host would keep a class of the agent.
   */
  private static final ThreadLocal<long[]> REQUESTS = new ThreadLocal<>();

  private static final int LAST_NANOS = 0;
  private static final int SPENT_NANOS = 1;

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

  /** Gives the JDK its own object back, unless another agent has replaced this one. */
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
      Log.line("cannot leave the JVM's search for direct memory: " + unknownJdk);
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
      long[] request = request();
      for (int attempt = 0; attempt < ATTEMPTS && request[SPENT_NANOS] < MAX_NANOS; attempt++) {
        boolean isFreed = freesOne();
        long now = System.nanoTime();
        request[SPENT_NANOS] += now - request[LAST_NANOS];
        request[LAST_NANOS] = now;
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
