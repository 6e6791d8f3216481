/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.Pins;
import io.netty.buffer.ByteBuf;
import io.netty.util.ReferenceCounted;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slices of one sampled buffer, held weakly. A slice with its own reference count holds one
 * reference to its parent. So the counts show whether anything else holds the buffer: any further
 * reference belongs to code that has the buffer itself, or to a slice that shares its count. A
 * slice that shares the count is considered only if it has survived collections, because otherwise
 * it may be garbage.
 */
final class SliceList implements Pins {
  /** Limit of the slices in use. A buffer with more is not followed. */
  static final int MAX_SLICES = 32;

  /**
   * Number of collections of young objects after which code must refer to a slice that still
   * exists.
   */
  private static final int MIN_COLLECTIONS = 2;

  // Guarded by this object's lock.
  private final List<Slice> slices = new ArrayList<>(2);
  private boolean hasOverflowed;

  /** A slice. */
  private static final class Slice extends WeakReference<Object> {
    final int length;
    final boolean isCounted;

    /** The slice to which it holds a reference; null if that is the buffer. */
    final @Nullable Slice parent;

    /** Number of collections before it was created. */
    final int collections = ObservedCollections.count();

    /** Number of slices that hold a reference to this one, while references are counted. */
    int children;

    Slice(Object slice, int length, boolean isCounted, @Nullable Slice parent) {
      super(slice);
      this.length = length;
      this.isCounted = isCounted;
      this.parent = parent;
    }

    boolean hasSurvived() {
      return ObservedCollections.count() - collections >= MIN_COLLECTIONS;
    }

    boolean isInUse(Object root) {
      Object slice = get();
      return slice != null && (!isCounted || HolderObserver.isUsed(slice, root, length));
    }

    int references() {
      return get() instanceof ReferenceCounted counted ? counted.refCnt() : 0;
    }
  }

  /** Adds a slice that holds a reference to {@code parent}, which is the buffer or a slice. */
  synchronized void addCounted(Object slice, ByteBuf root, Object parent, int length) {
    slices.removeIf(each -> each.refersTo(slice)); // Netty reuses the objects of slices
    if (parent == root) {
      add(root, new Slice(slice, length, true, null));
      return;
    }
    for (Slice each : slices) {
      if (each.isCounted && each.refersTo(parent)) {
        add(root, new Slice(slice, length, true, each));
        return;
      }
    }
    stop(); // the list does not have its parent
  }

  /** Adds a slice that shares the count of its buffer. */
  synchronized void addUncounted(Object slice, ByteBuf root, int length) {
    add(root, new Slice(slice, length, false, null));
  }

  private void add(ByteBuf root, Slice slice) {
    if (hasOverflowed) {
      return;
    }
    if (slices.size() >= MAX_SLICES) {
      slices.removeIf(each -> !each.isInUse(root));
    }
    if (slices.size() < MAX_SLICES) {
      slices.add(slice);
    } else {
      stop();
    }
  }

  private void stop() {
    hasOverflowed = true;
    slices.clear();
  }

  @Override
  public synchronized @Nullable Cover cover(Object buffer) {
    if (hasOverflowed || !(buffer instanceof ByteBuf root)) {
      return null;
    }
    slices.removeIf(each -> !each.isInUse(root));
    int capacity = root.capacity();
    int unexplained = root.refCnt() - countChildren();
    long bytes = 0;
    int count = 0;
    for (Slice each : slices) {
      int held = each.isCounted ? each.references() - each.children : 0;
      if (held > 0 && new Cover(each.length, capacity, 1, true).isSmall()) {
        bytes += each.length;
        count++;
      } else {
        unexplained += Math.max(0, held);
      }
    }
    if (unexplained <= 0) {
      return count == 0 ? null : new Cover(bytes, capacity, count, true);
    }
    int uncounted = 0;
    for (Slice each : slices) {
      if (!each.isCounted && each.hasSurvived()) {
        bytes += each.length;
        uncounted++;
      }
    }
    return uncounted < unexplained ? null : new Cover(bytes, capacity, count + uncounted, false);
  }

  /** Returns the number of slices that hold a reference to the buffer. */
  private int countChildren() {
    int ofBuffer = 0;
    for (Slice each : slices) {
      each.children = 0;
    }
    for (Slice each : slices) {
      if (each.isCounted && each.parent == null) {
        ofBuffer++;
      } else if (each.parent != null) {
        each.parent.children++;
      }
    }
    return ofBuffer;
  }
}
