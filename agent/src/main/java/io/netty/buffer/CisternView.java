/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.buffer;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Where the allocators of this copy of Netty tell what they use, ours comes on top: the woven
 * allocators call it with their own answer just before they give it, the bridge adds to it.
 *
 * <p>Nothing here may throw into the host: no view, or any failure at all, leaves Netty's answer.
 */
@NullMarked
public abstract class CisternView {
  private static volatile @Nullable CisternView live;

  /** Adds {@code view} to what allocators answer from now on; null leaves it as it is. */
  public static void live(@Nullable CisternView view) {
    live = view;
  }

  /** The bytes of ours in what {@code allocator} answers when it is asked for its memory. */
  public static long bytesOfOurs(AbstractByteBufAllocator allocator, boolean direct) {
    CisternView view = live;
    return view == null ? 0 : view.usedBytes(allocator, direct);
  }

  /** With our heap memory. The woven code calls it. */
  public static long usedHeapMemory(long theirs, AbstractByteBufAllocator allocator) {
    CisternView view = live;
    try {
      return view == null ? theirs : theirs + view.usedBytes(allocator, false);
    } catch (Throwable failure) {
      return theirs;
    }
  }

  /** With our direct memory. The woven code calls it. */
  public static long usedDirectMemory(long theirs, AbstractByteBufAllocator allocator) {
    CisternView view = live;
    try {
      return view == null ? theirs : theirs + view.usedBytes(allocator, true);
    } catch (Throwable failure) {
      return theirs;
    }
  }

  /** With the heap memory of our buffers. The woven code calls it. */
  public static long pinnedHeapMemory(long theirs, AbstractByteBufAllocator allocator) {
    CisternView view = live;
    try {
      return view == null ? theirs : theirs + view.pinnedBytes(allocator, false);
    } catch (Throwable failure) {
      return theirs;
    }
  }

  /** With the direct memory of our buffers. The woven code calls it. */
  public static long pinnedDirectMemory(long theirs, AbstractByteBufAllocator allocator) {
    CisternView view = live;
    try {
      return view == null ? theirs : theirs + view.pinnedBytes(allocator, true);
    } catch (Throwable failure) {
      return theirs;
    }
  }

  /** With our thread caches. The woven code calls it. */
  public static int numThreadLocalCaches(int theirs, AbstractByteBufAllocator allocator) {
    CisternView view = live;
    try {
      return view == null ? theirs : theirs + view.threadCaches(allocator);
    } catch (Throwable failure) {
      return theirs;
    }
  }

  /** Trims the calling thread's cache of ours too. The woven code calls it. */
  public static boolean trimCurrentThreadCache(boolean theirs, AbstractByteBufAllocator allocator) {
    CisternView view = live;
    try {
      return (view != null && view.trim(allocator)) || theirs; // ours first: it is always trimmed
    } catch (Throwable failure) {
      return theirs;
    }
  }

  /** Bytes of our pool that count as those of {@code allocator}. */
  protected abstract long usedBytes(AbstractByteBufAllocator allocator, boolean direct);

  /** Bytes of our buffers that are out and count as those of {@code allocator}. */
  protected abstract long pinnedBytes(AbstractByteBufAllocator allocator, boolean direct);

  /** Thread caches of ours that count as those of {@code allocator}. */
  protected abstract int threadCaches(AbstractByteBufAllocator allocator);

  /** Trims what the calling thread caches; false where it caches nothing. */
  protected abstract boolean trim(AbstractByteBufAllocator allocator);
}
