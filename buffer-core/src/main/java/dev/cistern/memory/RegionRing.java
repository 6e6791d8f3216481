/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import dev.cistern.memory.RestingMemory.Unmapper;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Native memory in the order in which it came: as numbers, so that no object of a buffer that is
 * gone is kept, or has to be fetched again when the caches have long forgotten it. Not thread-safe.
 */
class RegionRing {
  /** One that is no longer in here. */
  record Taken(long address, long bytes, @Nullable Object handle, Unmapper unmapper) {}

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
