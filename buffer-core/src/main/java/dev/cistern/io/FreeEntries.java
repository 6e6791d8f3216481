/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.util.concurrent.FastThreadLocal;
import dev.cistern.util.internal.VirtualThreads;
import org.jspecify.annotations.Nullable;

/**
 * The free entries that the outbound buffers of one platform thread use again. Virtual threads keep
 * none, because there can be millions of them. A {@link dev.cistern.util.Recycler} is unsuitable:
 * it can refer to entries in use, and so hide leaked messages of an abandoned outbound buffer.
 */
final class FreeEntries {
  /** The maximum number of free entries; the garbage collector takes further ones after a burst. */
  static final int MAX = 4096;

  /** The free entries of all virtual threads. This object never changes, because it has no room. */
  private static final FreeEntries NONE = new FreeEntries(MAX);

  private static final FastThreadLocal<FreeEntries> CURRENT =
      new FastThreadLocal<>() {
        @Override
        protected FreeEntries initialValue() {
          return new FreeEntries(0);
        }
      };

  private @Nullable OutboundEntry first;
  private int count;

  private FreeEntries(int count) {
    this.count = count;
  }

  static FreeEntries current() {
    return VirtualThreads.isVirtual(Thread.currentThread()) ? NONE : CURRENT.get();
  }

  OutboundEntry take() {
    OutboundEntry entry = first;
    if (entry == null) {
      return new OutboundEntry();
    }
    first = entry.next;
    entry.next = null;
    count--;
    return entry;
  }

  /** Adds as many entries of a chain as there is room for. Their fields are clear. */
  void addAll(OutboundEntry chain) {
    OutboundEntry entry = chain;
    while (entry != null && count < MAX) {
      OutboundEntry next = entry.next;
      entry.next = first;
      first = entry;
      count++;
      entry = next;
    }
  }

  int count() {
    return count;
  }
}
