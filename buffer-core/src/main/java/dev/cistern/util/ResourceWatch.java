/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import dev.cistern.trace.AccessRecord;
import dev.cistern.trace.AccessTrail;
import dev.cistern.util.internal.Settings;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tracker of one object, with the stacks of its creation and of its last accesses, newest
 * first.
 */
final class ResourceWatch<T> extends WeakReference<T> implements ResourceLeakTracker<T> {
  private static final long BURST_NANOS =
      Settings.number("leakDetection.burstNanos", 500L, 0L, 1_000_000_000L);

  /**
   * The set that contains this watch while it is open. The thread that removes the watch from it
   * ends the watch.
   */
  private final Set<ResourceWatch<?>> open;

  private final AccessRecord creation;
  private final int identity;
  private final AccessTrail trail;

  ResourceWatch(T resource, ResourceLeakDetector<?> detector, @Nullable Object hint) {
    super(resource, detector.collected);
    open = detector.open;
    trail = new AccessTrail(ResourceLeakDetector.MAX_RECORDS, BURST_NANOS, ResourceWatch::text);
    identity = System.identityHashCode(resource);
    creation = new AccessRecord(hint, hint == null ? null : text(hint));
    open.add(this);
  }

  @Override
  public void record() {
    record(null);
  }

  @Override
  public void record(@Nullable Object hint) {
    if (open.contains(this)) {
      trail.add(hint);
    }
  }

  @Override
  public boolean close(T trackedObject) {
    assert identity == System.identityHashCode(trackedObject) : "another object's tracker";
    try {
      return end();
    } finally {
      // Otherwise the object could be collected, and this watch reported, before the end.
      Reference.reachabilityFence(trackedObject);
    }
  }

  private static @Nullable String text(Object hint) {
    return hint instanceof ResourceLeakHint named ? named.toHintString() : hint.toString();
  }

  /** Ends the watch. Returns true to exactly one caller. */
  boolean end() {
    if (!open.remove(this)) {
      return false;
    }
    clear();
    return true;
  }

  /** Returns the kept accesses and the creation as text, without excluded frames. */
  String accesses() {
    StringBuilder text = new StringBuilder();
    int number = 0;
    for (AccessRecord access : trail.records()) {
      append(text, "Access #" + ++number + ", counted from the last:\n", access);
    }
    append(text, "Created:\n", creation);
    return text.toString();
  }

  /** Appends a stack; appends nothing on a JVM that keeps no stacks. */
  private static void append(StringBuilder text, String title, AccessRecord access) {
    StringBuilder lines = new StringBuilder();
    if (access.hint() != null) {
      lines.append("\thint: ").append(access.hint()).append('\n');
    }
    for (StackTraceElement frame : access.getStackTrace()) {
      if (!ResourceLeakDetector.isNoise(frame)) {
        lines.append("\tat ").append(frame).append('\n');
      }
    }
    if (!lines.isEmpty()) {
      text.append(title).append(lines);
    }
  }

  /** Returns the number of accesses that the report does not show one by one. */
  long dropped() {
    return trail.total() - trail.records().size();
  }
}
