/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import dev.cistern.exporter.report.TextFormat;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Actions on this process that a client requests. Each returns its result in a line. */
public final class ProcessActions {
  /** Wait for the cleaners of direct buffers, which run after the collection. */
  private static final long CLEANERS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private ProcessActions() {}

  /** Requests a garbage collection. */
  public static String collect() {
    JavaBeans beans = JavaBeans.open();
    JavaBeans.Figures figures = beans == null ? JavaBeans.Figures.NONE : beans.read();
    long start = System.nanoTime();
    System.gc();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    String line = "The collection took " + TextFormat.duration(millis);
    if (beans == null) {
      return line + ".";
    }
    LockSupport.parkNanos(CLEANERS_NANOS);
    JavaBeans.Figures after = beans.read();
    if (after.wholeCollections() == figures.wholeCollections()
        && after.youngCollections() == figures.youngCollections()) {
      return "The JVM ran no collection: it ignores requests, as with -XX:+DisableExplicitGC.";
    }
    long before = figures.direct();
    long freed = Math.max(0, before - after.direct());
    return line
        + " and freed "
        + TextFormat.bytes(freed)
        + " of the "
        + TextFormat.bytes(before)
        + " of direct buffers that the JVM counts.";
  }

  /** Trims the native heap. */
  public static String trim() {
    NativeHeap.Trim trim = NativeHeap.trim();
    return trim == null
        ? "This JVM cannot trim the native heap: that needs JDK 17.0.9 or newer, and glibc."
        : "The trim gave "
            + TextFormat.bytes(trim.freedBytes())
            + " back to the operating system; "
            + TextFormat.bytes(trim.residentBytes())
            + " are resident.";
  }
}
