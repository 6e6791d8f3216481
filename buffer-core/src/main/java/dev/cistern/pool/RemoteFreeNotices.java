/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The notices for one bin. Any thread adds a notice, and the owner takes all at once. */
final class RemoteFreeNotices {
  private static final VarHandle HEAD;

  static {
    try {
      HEAD =
          MethodHandles.lookup()
              .findVarHandle(RemoteFreeNotices.class, "head", RemoteFreeNotice.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /**
   * The newest notice, or null. Any thread writes it with compare-and-set, and the owner with
   * get-and-set.
   */
  @SuppressWarnings("unused") // accessed by its handle
  private volatile @Nullable RemoteFreeNotice head;

  RemoteFreeNotices() {
    // The first call of this handle allocates memory, which a release must not do.
    HEAD.compareAndSet(this, (RemoteFreeNotice) null, (RemoteFreeNotice) null);
  }

  /** Adds a notice; returns the new number of notices. */
  int push(RemoteFreeNotice notice) {
    RemoteFreeNotice seen;
    do {
      seen = head;
      notice.next = seen;
      notice.depth = seen == null ? 1 : seen.depth + 1;
    } while (!HEAD.compareAndSet(this, seen, notice));
    return notice.depth;
  }

  /** Returns the notice that was sent last, or null. */
  @Nullable RemoteFreeNotice newest() {
    return head;
  }

  /** Takes all notices, the oldest first. */
  @Nullable RemoteFreeNotice takeAll() {
    RemoteFreeNotice newest = head == null ? null : (RemoteFreeNotice) HEAD.getAndSet(this, null);
    RemoteFreeNotice oldest = null;
    while (newest != null) {
      RemoteFreeNotice next = newest.next;
      newest.next = oldest;
      oldest = newest;
      newest = next;
    }
    return oldest;
  }
}
