/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * An allocator class that was seen, by name: perhaps a copy of Netty.
 *
 * <p>Sightings form a list through {@link #next}, so that noting one needs no class that the JVM
 * has not loaded yet.
 */
public final class Sighting {
  private final WeakReference<ClassLoader> loader;
  private final String className;
  @Nullable Sighting next;

  Sighting(ClassLoader loader, String className) {
    this.loader = new WeakReference<>(loader);
    this.className = className;
  }

  /** The loader that defines the class, or null when it is gone. */
  public @Nullable ClassLoader loader() {
    return loader.get();
  }

  /** The class, as {@code io/netty/buffer/PooledByteBufAllocator}. */
  public String className() {
    return className;
  }

  /** The copy's package prefix, as {@code io/netty}. */
  public String prefix() {
    return AllocatorNames.prefix(className);
  }

  /** Returns whether this is an allocator of Netty, and not one of another library beside it. */
  public boolean isNettys() {
    return AllocatorNames.matches(className);
  }

  /** The sighting noted before this one. */
  public @Nullable Sighting next() {
    return next;
  }
}
