/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import dev.cistern.util.internal.BlockHoundPermission;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the page map of this process, which contains the state of each page in 64 bits:
 * {@code /proc/self/pagemap} of Linux (Documentation/admin-guide/mm/pagemap.rst of the kernel).
 * Thread-safe.
 */
public final class PageMap {
  /** The bit of a page in memory. */
  private static final long PRESENT = 1L << 63;

  /** The bit of a page in swap space. */
  private static final long SWAPPED = 1L << 62;

  /**
   * The number of entries of one read. The JDK reads up to 8 KiB without allocating native memory.
   */
  private static final int ENTRIES = 1024;

  private static final @Nullable RandomAccessFile FILE = open();

  // Guarded by the lock of this class.
  private static final byte[] BYTES = new byte[ENTRIES * Long.BYTES];
  private static final LongBuffer WORDS =
      ByteBuffer.wrap(BYTES).order(ByteOrder.nativeOrder()).asLongBuffer();

  private PageMap() {}

  /** Initialises this class. */
  static void load() {
    long unused = visit(0, 0, false);
  }

  private static @Nullable RandomAccessFile open() {
    try {
      return Platform.IS_LINUX ? new RandomAccessFile("/proc/self/pagemap", "r") : null;
    } catch (IOException | RuntimeException hidden) {
      return null;
    }
  }

  /**
   * Returns the number of bytes of a range that are in memory.
   *
   * @return the number, up to {@code bytes}, in whole pages; -1 if it is unknown
   */
  public static long residentBytes(long address, long bytes) {
    long pages = visit(address, bytes, false);
    return pages < 0 ? -1 : Math.min(bytes, pages * MemoryAccess.PAGE_BYTES);
  }

  /**
   * Fills a private range with zeros. Does not write to pages without memory, which already contain
   * zeros. If the state of the pages is unknown, writes to all of them.
   */
  static void clear(long address, long bytes) {
    if (visit(address, bytes, true) < 0) {
      MemoryAccess.fill(null, address, bytes, (byte) 0);
    }
  }

  /** Returns the number of pages in memory, or -1 if it is unknown. */
  private static synchronized long visit(long address, long bytes, boolean clears) {
    if (FILE == null || address == 0) {
      return -1;
    }
    Object permission = BlockHoundPermission.begin(); // reads of this file never block
    try {
      return visit(FILE, address, bytes, clears);
    } catch (IOException hidden) {
      return -1;
    } finally {
      BlockHoundPermission.end(permission);
    }
  }

  private static long visit(RandomAccessFile file, long address, long bytes, boolean clears)
      throws IOException {
    long end = address + bytes;
    long pageBytes = MemoryAccess.PAGE_BYTES;
    long page = address / pageBytes;
    long pages = (end + pageBytes - 1) / pageBytes - page;
    long present = 0;
    file.seek(page * Long.BYTES);
    while (pages > 0) {
      int entries = (int) Math.min(ENTRIES, pages);
      file.readFully(BYTES, 0, entries * Long.BYTES);
      for (int i = 0; i < entries; i++) {
        long entry = WORDS.get(i);
        if ((entry & PRESENT) != 0) {
          present++;
        }
        if (clears && (entry & (PRESENT | SWAPPED)) != 0) {
          long from = Math.max(address, (page + i) * pageBytes);
          long to = Math.min(end, (page + i + 1) * pageBytes);
          MemoryAccess.fill(null, from, to - from, (byte) 0);
        }
      }
      page += entries;
      pages -= entries;
    }
    return present;
  }
}
