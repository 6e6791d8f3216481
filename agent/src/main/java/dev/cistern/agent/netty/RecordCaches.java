/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.runtime.ObjectMethods;

/**
 * Caches of the JDK for the methods {@code equals}, {@code hashCode} and {@code toString} of
 * records.
 *
 * <p>{@link ObjectMethods} keeps method handles in static fields. Each of them caches the type of
 * its last use: that record's class, and so its class loader. Newer versions of the JDK cache it by
 * a soft reference.
 */
final class RecordCaches {
  private RecordCaches() {}

  /** Makes the caches refer to a class of the JDK, so that they keep no class of the agent. */
  static void clear() {
    try {
      MethodHandle component =
          MethodHandles.publicLookup()
              .findVirtual(Record.class, "toString", MethodType.methodType(String.class));
      use("equals", MethodType.methodType(boolean.class, Record.class, Object.class), component);
      use("hashCode", MethodType.methodType(int.class, Record.class), component);
      use("toString", MethodType.methodType(String.class, Record.class), component);
    } catch (Throwable notPossible) {
      // The caches keep the classes until another record is used. A JDK with soft references
      // always ends here.
    }
  }

  private static void use(String method, MethodType type, MethodHandle component) throws Throwable {
    ObjectMethods.bootstrap(
        MethodHandles.publicLookup(), method, type, Record.class, "component", component);
  }
}
