/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Access of the agent and its bridges to packages of the JDK. Opens only the packages that they
 * need.
 */
final class JdkModules {
  private static final String MISC = "jdk.internal.misc";

  private final Instrumentation instrumentation;

  JdkModules(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Opens raw memory access, which avoids the warnings of newer JDKs. */
  void openRawMemory(Module to) {
    open(Object.class.getModule(), MISC, to);
  }

  /** Opens the JVM's account of direct memory. */
  void openDirectMemory(Module to) {
    open(Object.class.getModule(), "java.nio", to);
  }

  /** Opens the methods that map memory, and those that bind views to it. */
  void openMappings(Module to) {
    open(Object.class.getModule(), "sun.nio.ch", to);
    open(Object.class.getModule(), "jdk.internal.foreign", to);
  }

  /** Opens a package of a named module; an unnamed one is open anyway. */
  void open(Module module, String packageName, Module to) {
    if (!module.isNamed() || !module.getPackages().contains(packageName)) {
      return;
    }
    Map<String, Set<Module>> opened = new HashMap<>();
    opened.put(packageName, Collections.singleton(to));
    instrumentation.redefineModule(
        module,
        Collections.emptySet(),
        opened,
        opened,
        Collections.emptySet(),
        Collections.emptyMap());
  }

  /**
   * Returns whether a class's static initializer has ended. Requires {@link #openRawMemory} for the
   * agent itself.
   *
   * @throws IllegalStateException if this JDK cannot report that
   */
  static boolean isInitialized(Class<?> type) {
    try {
      return !(boolean) InternalUnsafe.SHOULD_BE_INITIALIZED.invoke(InternalUnsafe.INSTANCE, type);
    } catch (ReflectiveOperationException unknownJdk) {
      throw new IllegalStateException(unknownJdk);
    }
  }

  private static final class InternalUnsafe {
    static final Object INSTANCE;
    static final Method SHOULD_BE_INITIALIZED;

    static {
      try {
        Class<?> unsafe = Class.forName(MISC + ".Unsafe");
        INSTANCE = unsafe.getMethod("getUnsafe").invoke(null);
        SHOULD_BE_INITIALIZED = unsafe.getMethod("shouldBeInitialized", Class.class);
      } catch (ReflectiveOperationException unknownJdk) {
        throw new ExceptionInInitializerError(unknownJdk);
      }
    }
  }
}
