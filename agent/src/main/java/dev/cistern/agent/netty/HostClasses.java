/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import org.jspecify.annotations.Nullable;

/** Lookup of classes of the host, whose loaders may throw anything. */
final class HostClasses {
  private HostClasses() {}

  /** Returns a class without initializing it; null if the loader does not find it, or throws. */
  static @Nullable Class<?> find(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (Throwable notFound) {
      return null;
    }
  }
}
