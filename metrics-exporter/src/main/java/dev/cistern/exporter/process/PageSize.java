/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Size of a page, which the kernel passes to each process (AT_PAGESZ in getauxval(3)). In Java,
 * only Unsafe provides it, and newer JDKs warn when Unsafe is used.
 */
final class PageSize {
  private static final long TYPE = 6;
  private static final long USUAL_BYTES = 4096;

  static final long BYTES = read(new File("/proc/self/auxv"));

  private PageSize() {}

  /** Returns the value in a file of pairs of type and value; the usual size if it has none. */
  static long read(File auxiliary) {
    try (FileInputStream in = new FileInputStream(auxiliary)) { // no channel: see ProcFiles
      ByteBuffer pairs = ByteBuffer.wrap(in.readAllBytes());
      pairs.order(ByteOrder.nativeOrder());
      while (pairs.remaining() >= 2 * Long.BYTES) {
        long type = pairs.getLong();
        long value = pairs.getLong();
        if (type == TYPE && value > 0) {
          return value;
        }
      }
    } catch (IOException | RuntimeException hidden) {
      // Same as on a system without /proc, which measures nothing.
    }
    return USUAL_BYTES;
  }
}
