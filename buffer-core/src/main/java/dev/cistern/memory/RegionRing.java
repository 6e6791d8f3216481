/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import dev.cistern.memory.MemoryQuarantine.Unmapper;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Native memory in the order in which it was released: as numbers, so that no object of a released
 * buffer is kept, or read again when the processor's caches no longer have it. Not thread-safe.
 */
class RegionRing {
  /** An entry that is no longer in the ring. */
  record Taken(long address, long bytes, @Nullable Object handle, Unmapper unmapper) {}

  /** In the place of an entry that {@link #takeNewest} took. */
  private static final Unmapper NOTHING = (address, bytes, handle) -> {};

  private long[] addresses;
  private long[] bytes;
  private @Nullable Object[] handles;
  private @Nullable Unmapper[] unmappers;
  private int front;
  private int size;
  private long totalBytes;

  /**
   * @param length how many there is room for, at least 1
   */
  RegionRing(int length) {
    addresses = new long[length];
    bytes = new long[length];
    handles = new Object[length];
    unmappers = new Unmapper[length];
  }

  int size() {
    return size;
  }

  int length() {
    return bytes.length;
  }

  boolean isFull() {
    return size == bytes.length;
  }

  long totalBytes() {
    return totalBytes;
  }

  /** Makes room for more; changes nothing where the heap is full. */
  void grow(int length) {
    long[] newAddresses = new long[length];
    long[] newBytes = new long[length];
    @Nullable Object[] newHandles = new Object[length];
    @Nullable Unmapper[] newUnmappers = new Unmapper[length];
    turn(addresses, newAddresses);
    turn(bytes, newBytes);
    turn(handles, newHandles);
    turn(unmappers, newUnmappers);
    addresses = newAddresses;
    bytes = newBytes;
    handles = newHandles;
    unmappers = newUnmappers;
    front = 0;
  }

  /** Copies all of a ring, with its front at 0. */
  private void turn(Object from, Object to) {
    int beforeTurn = bytes.length - front;
    System.arraycopy(from, front, to, 0, beforeTurn);
    System.arraycopy(from, 0, to, beforeTurn, front);
  }

  /** Adds one at the end, where there must be room. */
  void add(long address, long length, @Nullable Object handle, Unmapper unmapper) {
    int end = front + size;
    int at = end < bytes.length ? end : end - bytes.length;
    addresses[at] = address;
    bytes[at] = length;
    // Mostly it is what stands here already, and collectors put a price on writing a reference.
    if (handles[at] != handle) {
      handles[at] = handle;
    }
    if (unmappers[at] != unmapper) {
      unmappers[at] = unmapper;
    }
    size++;
    totalBytes += length;
  }

  /**
   * Takes the handle of the newest entry of exactly this size, alignment and unmapper. Its place
   * stays in the ring, with 0 bytes, because the entries around it are counted.
   *
   * @param length the size in bytes, more than 0
   * @param alignment a power of two
   * @return null if there is none
   */
  @Nullable Object takeNewest(long length, long alignment, Unmapper unmapper) {
    for (int i = size - 1; i >= 0; i--) {
      int at = front + i < bytes.length ? front + i : front + i - bytes.length;
      if (bytes[at] == length
          && (addresses[at] & (alignment - 1)) == 0
          && unmapper.equals(unmappers[at])) {
        Object handle = handles[at];
        handles[at] = null;
        unmappers[at] = NOTHING;
        bytes[at] = 0;
        totalBytes -= length;
        return handle;
      }
    }
    return null;
  }

  /** Drops the last entry if {@link #takeNewest} took it; returns whether it did. */
  boolean dropEmptyLast() {
    if (size == 0) {
      return false;
    }
    int last = front + size - 1;
    int at = last < bytes.length ? last : last - bytes.length;
    if (unmappers[at] != NOTHING) {
      return false;
    }
    size--;
    return true;
  }

  /** Takes the first one out; null if there is none. Changes nothing where the heap is full. */
  @Nullable Taken takeFirst() {
    if (size == 0) {
      return null;
    }
    Unmapper unmapper = Objects.requireNonNull(unmappers[front]);
    Taken first = new Taken(addresses[front], bytes[front], handles[front], unmapper);
    if (first.handle != null) {
      handles[front] = null;
    }
    front = front + 1 < bytes.length ? front + 1 : 0;
    size--;
    totalBytes -= first.bytes;
    return first;
  }
}
