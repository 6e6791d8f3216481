/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;

/**
 * Resident bytes of ranges of this process, from {@code /proc/self/pagemap} (proc(5)). The kernel
 * reads page tables in short pieces and holds the lock of the address space for each piece only, so
 * that no thread that maps memory waits for long. {@code smaps} holds it for a whole mapping.
 */
final class ResidentPages implements Closeable {
  private static final int ENTRY_BYTES = Long.BYTES;

  /**
   * Maximum number of pages of a range that is read completely, if sampling is allowed: 16 MiB with
   * pages of 4 KiB.
   */
  private static final int MAX_WHOLE = 4_096;

  /** Pages of a window of a sampled range. */
  private static final int WINDOW = 64;

  /** Windows of a sampled range. */
  private static final int WINDOWS = 128;

  private final RandomAccessFile file;
  private final long pageBytes;
  private final boolean isSampled;
  private final byte[] buffer = new byte[MAX_WHOLE * ENTRY_BYTES];

  private ResidentPages(RandomAccessFile file, long pageBytes, boolean isSampled) {
    this.file = file;
    this.pageBytes = pageBytes;
    this.isSampled = isSampled;
  }

  /**
   * Opens the page map.
   *
   * @param isSampled whether large ranges are estimated from windows at equal distances
   * @throws IOException if this kernel does not show it
   */
  static ResidentPages open(File pagemap, boolean isSampled) throws IOException {
    return new ResidentPages(new RandomAccessFile(pagemap, "r"), PageSize.BYTES, isSampled);
  }

  /** Returns the resident bytes of a range, or an estimate. */
  long bytes(Mapping range) throws IOException {
    long first = range.start() / pageBytes;
    long pages = range.bytes() / pageBytes;
    if (!isSampled || pages <= MAX_WHOLE) {
      return pageBytes * present(first, pages);
    }
    long seen = 0;
    for (int window = 0; window < WINDOWS; window++) {
      long at = (pages - WINDOW) * window / (WINDOWS - 1);
      seen += present(first + at, WINDOW);
    }
    return Math.round((double) seen / (WINDOWS * WINDOW) * pages) * pageBytes;
  }

  private long present(long first, long pages) throws IOException {
    file.seek(first * ENTRY_BYTES);
    long present = 0;
    for (long left = pages; left > 0; left -= MAX_WHOLE) {
      int count = (int) Math.min(MAX_WHOLE, left);
      file.readFully(buffer, 0, count * ENTRY_BYTES);
      for (int i = 0; i < count; i++) {
        // the highest bit of an entry in the order of this machine, which is little-endian on Linux
        if (buffer[i * ENTRY_BYTES + ENTRY_BYTES - 1] < 0) {
          present++;
        }
      }
    }
    return present;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
