/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A program for {@link NativeHeapTrimTest}: frees most of what it took, in a JVM of its own, and
 * says what is resident (KiB) before and after the C library was asked.
 */
final class NativeHeapUse {
  private static final int CHUNK = 4 << 20;
  private static final int CHUNKS = 64;
  private static final int PAGE = 4096;

  /** One in so many stays, so that no end of the C library's heap gets free by itself. */
  private static final int KEPT = 8;

  private NativeHeapUse() {}

  public static void main(String[] arguments) throws IOException {
    DirectMemorySource source = new DirectMemorySource(new DirectMemoryLimit(1L << 30), 0, false);
    // After this glibc maps no chunk by itself any more.
    source.free(source.allocate(4 * CHUNK));
    Region[] regions = new Region[CHUNKS];
    for (int i = 0; i < CHUNKS; i++) {
      regions[i] = source.allocate(CHUNK);
      for (int at = 0; at < CHUNK; at += PAGE) {
        regions[i].buffer().put(at, (byte) 1);
      }
    }
    NativeHeapTrim trim = NativeHeapTrim.shared();
    for (int i = 0; i < CHUNKS; i++) {
      if (i % KEPT != 0) {
        source.free(regions[i]);
        trim.givenBack(CHUNK);
      }
    }
    System.out.println("kept " + residentKib());
    trim.trimIfDue(CHUNK);
    System.out.println("trimmed " + residentKib());
    System.out.println(trim.figures());
    source.free(regions[0]); // a use after the trim, so that what stays is in use until here
  }

  /** 0 where the system does not tell. */
  private static long residentKib() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    return 0;
  }
}
