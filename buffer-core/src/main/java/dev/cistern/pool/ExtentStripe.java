/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.util.BlockHoundPermission;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A place for the extent that was released last, by thread and size, with counters of its own: a
 * thread that asks for the same size again and again needs one compare-and-set to take and one to
 * release, and nothing is made.
 *
 * <p>Who is in here only reads and writes a few fields, and neither waits nor wants memory. So who
 * finds it held goes elsewhere, or spins where it must know.
 */
final class ExtentStripe {
  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(ExtentStripe.class, "held", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  @SuppressWarnings("unused") // by its handle
  private volatile boolean held;

  // All below: by who holds it.

  Run.@Nullable Extent extent;

  /**
   * Bytes of the cache set aside for this place, by {@link Extents}, whether they are here or not.
   */
  long grantedBytes;

  /** An extent came or went since the janitor looked. */
  boolean used;

  final ExtentCounters counters = new ExtentCounters();

  boolean tryHold() {
    return !held && HELD.compareAndSet(this, false, true);
  }

  void hold() {
    if (tryHold()) {
      return;
    }
    Object permission = BlockHoundPermission.begin();
    try {
      for (int round = 0; !tryHold(); round++) {
        BlockHoundPermission.pause(round);
      }
    } finally {
      BlockHoundPermission.end(permission);
    }
  }

  void letGo() {
    HELD.setRelease(this, false);
  }

  /**
   * Takes and counts the extent that lies here, if it has {@code size} bytes and its object.
   *
   * @param requested what was asked for, for the figures
   */
  Run.@Nullable Extent take(int size, int requested) {
    if (!tryHold()) {
      return null;
    }
    Run.Extent taken = null;
    try {
      Run.Extent found = extent;
      if (found != null && found.size == size && found.object() != null) {
        extent = null; // no call from here on: all of it or nothing
        used = true;
        counters.allocations++;
        counters.requestedBytes += requested;
        counters.allocatedBytes += size;
        taken = found;
      }
      letGo();
    } catch (Throwable noStack) {
      held = false; // no call here either, and others wait for it without end
    }
    return taken;
  }

  /** Keeps and counts a released extent, if the place is free and its grant large enough. */
  boolean put(Run.Extent released) {
    if (!tryHold()) {
      return false;
    }
    boolean kept = false;
    try {
      if (extent == null && released.size <= grantedBytes) {
        released.seenIdle = false;
        extent = released; // no call from here on: all of it or nothing
        used = true;
        counters.deallocations++;
        counters.releasedBytes += released.size;
        kept = true;
      }
      letGo();
    } catch (Throwable noStack) {
      held = false; // no call here either, and others wait for it without end
    }
    return kept;
  }
}
