/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The notices for one bin: any thread pushes, the owner takes all at once. */
final class Notices {
  private static final VarHandle HEAD;

  static {
    try {
      HEAD = MethodHandles.lookup().findVarHandle(Notices.class, "head", Notice.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** Written by any thread with compare-and-set, by the owner with get-and-set. */
  @SuppressWarnings("unused") // by its handle
  private volatile @Nullable Notice head;

  void push(Notice notice) {
    Notice seen;
    do {
      seen = head;
      notice.next = seen;
    } while (!HEAD.compareAndSet(this, seen, notice));
  }

  @Nullable Notice takeAll() {
    return head == null ? null : (Notice) HEAD.getAndSet(this, null);
  }
}
