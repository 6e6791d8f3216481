/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The name of an allocator class that was loaded: perhaps of a copy of Netty.
 *
 * <p>The objects form a linked list through {@link #next}. So adding one needs no class that the
 * JVM has not loaded yet.
 */
public final class DiscoveredAllocator {
  private final WeakReference<ClassLoader> loader;
  private final String className;
  @Nullable DiscoveredAllocator next;

  DiscoveredAllocator(ClassLoader loader, String className) {
    this.loader = new WeakReference<>(loader);
    this.className = className;
  }

  /** Returns the loader that defines the class, or null if it was collected. */
  public @Nullable ClassLoader loader() {
    return loader.get();
  }

  /** Returns the class, as {@code io/netty/buffer/PooledByteBufAllocator}. */
  public String className() {
    return className;
  }

  /** Returns the copy's package prefix, as {@code io/netty}. */
  public String prefix() {
    return NettyNames.prefix(className);
  }

  /** Returns whether this is an allocator of Netty, and not of another library in its package. */
  public boolean isNettys() {
    return NettyNames.isAllocator(className);
  }

  /** Returns the allocator that was discovered before this one. */
  public @Nullable DiscoveredAllocator next() {
    return next;
  }
}
