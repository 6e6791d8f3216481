/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty42;

import jdk.jfr.Event;
import org.jspecify.annotations.Nullable;

/** The superclass of the events. */
public class AbstractAllocatorEvent extends Event {
  /** Class of the allocator. */
  public @Nullable Class<?> allocatorType;

  /** Returns whether a recording has enabled the event. */
  public static boolean isEventEnabled() {
    return false;
  }
}
