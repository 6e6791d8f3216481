/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import java.io.File;
import java.io.IOException;

/** Resident memory of this process, from {@code /proc/self/statm}. */
public final class ResidentSize {
  private static final File STATM = new File("/proc/self/statm");

  private ResidentSize() {}

  /** Returns the bytes, or -1 on a system without this file. */
  public static long read() {
    try {
      String[] columns = ProcFiles.read(STATM).split(" ", 3);
      return Long.parseLong(columns[1]) * PageSize.BYTES;
    } catch (IOException | RuntimeException notLinux) {
      return -1;
    }
  }
}
