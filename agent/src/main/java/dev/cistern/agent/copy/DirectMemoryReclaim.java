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
import org.jspecify.annotations.Nullable;

/**
 * Gives the pools' unused direct memory to a host that the JVM would refuse some
 * (docs/decisions/0037).
 *
 * <p>Before {@code ByteBuffer.allocateDirect} has garbage collected, it waits for memory that a
 * finished collection is still giving back, through an interface of the JDK. This class stands in
 * front of that interface: it gives back one chunk or extent of ours, and says that there was
 * progress, whereupon the JVM tries again. So the host's call frees no more than it needs, and
 * causes no collection for memory that we keep.
 */
final class DirectMemoryReclaim implements InvocationHandler {
  private static final String INTERNALS = "jdk.internal.access";
  private static final String WAIT = "waitForReferenceProcessing";

  private final JdkModules modules;
  private final List<NettyCopy> copies;

  /** The agent's thread only. */
  private boolean isInstalled;

  /** The JDK's own; written before this object stands in front of it. */
  private volatile @Nullable Object jdk;

  /** Not installed yet. */
  DirectMemoryReclaim(Instrumentation instrumentation, List<NettyCopy> copies) {
    this.modules = new JdkModules(instrumentation);
    this.copies = copies;
  }

  /** Stands in front of the JDK's interface from now on; logs a line if this JDK has none. */
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
    if (method.getName().equals(WAIT) && freesOne()) {
      return true;
    }
    try {
      return method.invoke(jdk, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }

  /** On a thread of the host, which must not see any failure of ours. */
  private boolean freesOne() {
    try {
      for (int i = 0; i < copies.size(); i++) {
        BridgeHandle bridge = copies.get(i).bridge();
        if (bridge != null && bridge.freeOne()) {
          return true;
        }
      }
    } catch (Throwable failed) {
      // The JVM collects garbage then, as it would have done without us.
    }
    return false;
  }
}
