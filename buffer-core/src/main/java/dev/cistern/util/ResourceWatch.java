/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The watch over one object: its creation and its last accesses, newest first.
 *
 * <p>The list is cut to its length only when it is twice as long, so that an access costs one
 * compare-and-set and, on average, one step (seed rows E2, E3).
 */
final class ResourceWatch<T> extends WeakReference<T> implements ResourceLeakTracker<T> {
  @SuppressWarnings("rawtypes") // a field updater knows no type arguments
  private static final AtomicReferenceFieldUpdater<ResourceWatch, AccessRecord> NEWEST =
      AtomicReferenceFieldUpdater.newUpdater(
          ResourceWatch.class, AccessRecord.class, "newestAccess");

  /** Holds this watch as long as it is open. Whoever removes it there decides its fate. */
  private final Set<ResourceWatch<?>> open;

  private final AccessRecord creation;
  private final int identity;
  private final int maxRecords;

  /** Written by whoever records an access, by compare-and-set. */
  private volatile @Nullable AccessRecord newestAccess;

  ResourceWatch(
      T resource,
      ReferenceQueue<Object> collected,
      Set<ResourceWatch<?>> open,
      int maxRecords,
      @Nullable Object hint) {
    super(resource, collected);
    this.open = open;
    this.maxRecords = maxRecords;
    identity = System.identityHashCode(resource);
    creation = new AccessRecord(hint);
    open.add(this);
  }

  @Override
  public void record() {
    record(null);
  }

  @Override
  public void record(@Nullable Object hint) {
    if (maxRecords == 0 || !open.contains(this)) {
      return;
    }
    AccessRecord access = new AccessRecord(hint);
    boolean cuts;
    do {
      AccessRecord last = newestAccess;
      access.earlier = last;
      access.number = last == null ? 1 : last.number + 1;
      int listed = last == null ? 1 : last.listed + 1;
      cuts = listed >= 2L * maxRecords;
      access.listed = cuts ? maxRecords : listed;
    } while (!NEWEST.compareAndSet(this, access.earlier, access));
    if (cuts) {
      cut(access);
    }
  }

  private void cut(AccessRecord newest) {
    AccessRecord last = newest;
    for (int kept = 1; kept < maxRecords; kept++) {
      AccessRecord earlier = last.earlier;
      if (earlier == null) {
        return; // another thread cut further down
      }
      last = earlier;
    }
    last.earlier = null;
  }

  @Override
  public boolean close(T trackedObject) {
    assert identity == System.identityHashCode(trackedObject) : "another object's tracker";
    try {
      return end();
    } finally {
      // Else the collector might take the object, and this watch be reported, before the end.
      Reference.reachabilityFence(trackedObject);
    }
  }

  /** Ends the watch; true for the one caller that did. */
  boolean end() {
    if (!open.remove(this)) {
      return false;
    }
    clear();
    return true;
  }

  /** The kept accesses and the creation, without the frames that are noise. */
  String accesses(Predicate<StackTraceElement> noise) {
    StringBuilder text = new StringBuilder();
    AccessRecord access = newestAccess;
    for (int i = 1; i <= maxRecords && access != null; i++) {
      append(text, "Access #" + i + ", counted from the last:", access, noise);
      access = access.earlier;
    }
    append(text, "Created:", creation, noise);
    return text.toString();
  }

  private static void append(
      StringBuilder text, String title, AccessRecord access, Predicate<StackTraceElement> noise) {
    StringBuilder frames = new StringBuilder();
    for (StackTraceElement frame : access.getStackTrace()) {
      if (!noise.test(frame)) {
        frames.append("\tat ").append(frame).append('\n');
      }
    }
    String hint = access.getMessage();
    if (frames.isEmpty() && hint == null) {
      return; // a virtual machine that keeps no stacks
    }
    text.append(title).append('\n');
    if (hint != null) {
      text.append("\thint: ").append(hint).append('\n');
    }
    text.append(frames);
  }

  /** Accesses that the report does not show. */
  long dropped() {
    AccessRecord newest = newestAccess;
    return newest == null ? 0 : Math.max(0, newest.number - maxRecords);
  }
}
