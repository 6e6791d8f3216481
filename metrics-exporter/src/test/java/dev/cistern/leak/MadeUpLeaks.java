/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.StackDetail;

/** A real store with leaks of invented stacks: it needs no buffers and no garbage collector. */
public final class MadeUpLeaks {
  private final LeakStore store = new LeakStore(LeakStore.DEFAULT_MAX_ENTRIES, line -> {});
  private final LeakDetector detector = new LeakDetector("io.netty", store);
  private final StackTable table = new StackTable(new SiteFinder("io.netty"), frame -> false);
  private long nowMillis = 1_000;

  /** Adds a leak of {@code com.shop.Cart.add:LINE}, called from one line of a caller. */
  public void add(String memory, int line, int callerLine, int requestedBytes, long leakBytes) {
    Throwable captured = new Throwable("a stack", null, false, true) {};
    captured.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("com.shop.Cart", "add", "Cart.java", line),
          new StackTraceElement("com.shop.Server", "serve", "Server.java", callerLine)
        });
    LeakTracker<Object> tracker =
        detector.track(
            new Object(), Sample.byBytes(memory, Sample.POOLED, requestedBytes, 0, leakBytes));
    StackTable.Stack stack = table.intern(captured);
    store.add("io.netty", tracker, stack, new Moment(System.nanoTime(), nowMillis++), table);
    table.release(stack);
    tracker.close(tracker);
  }

  /** Returns what a detector reports. */
  public LeakReport report(StackDetail detail) {
    return store.report("simple", detail, 0, 0, 0, 0);
  }
}
