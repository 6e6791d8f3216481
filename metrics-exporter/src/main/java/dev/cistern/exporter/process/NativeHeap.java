/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import org.jspecify.annotations.Nullable;

/** Memory that malloc keeps: a trim gives what is free back to the operating system. */
public final class NativeHeap {
  private static final String COMMAND = "systemTrimNativeHeap";

  /** The last trim; null before the first. Written by any thread that trims. */
  private static volatile @Nullable Trim last;

  private NativeHeap() {}

  /**
   * A trim.
   *
   * @param timeMillis its time, in milliseconds since the epoch
   * @param freedBytes bytes by which the resident memory shrank; never negative
   * @param residentBytes resident memory after it
   */
  public record Trim(long timeMillis, long freedBytes, long residentBytes) {}

  /** Returns the last trim, or null. */
  public static @Nullable Trim last() {
    return last;
  }

  /**
   * Trims, which may take seconds. Opens the MBean server.
   *
   * @return the trim, or null if this JVM or its C library cannot do this: JDK 17.0.9 or newer and
   *     glibc can
   */
  public static @Nullable Trim trim() {
    long before = ResidentSize.read();
    String output = DiagnosticCommands.run(COMMAND);
    if (output == null || before < 0 || output.contains("Not available")) {
      return null;
    }
    long after = ResidentSize.read();
    Trim trim = new Trim(System.currentTimeMillis(), Math.max(0, before - after), after);
    last = trim;
    return trim;
  }
}
