/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Memory that the C library keeps after it was freed, and that contains bytes other than zero. */
final class DirtyMemory {
  private static final int MIB = 1 << 20;

  /** After it was freed, glibc no longer maps requests up to this size one by one. */
  private static final int MAX_BYTES = 31 * MIB;

  private static final int TOTAL_BYTES = 192 * MIB;

  /**
   * One block in so many stays allocated, because the C library returns free memory at the end of
   * its heap.
   */
  private static final int BETWEEN_KEPT = 8;

  /** Makes the C library keep such memory, including some for the calling thread. */
  void make() {
    RawMemory.free(filled(MAX_BYTES));
    SplittableRandom random = new SplittableRandom(1);
    List<Long> blocks = new ArrayList<>();
    for (long left = TOTAL_BYTES; left > 0; ) {
      int bytes = (int) (64 * Math.pow(MAX_BYTES / 128.0, random.nextDouble()));
      blocks.add(filled(bytes));
      left -= bytes;
    }
    for (int i = 0; i < blocks.size(); i++) {
      if (i % BETWEEN_KEPT != 0) {
        RawMemory.free(blocks.get(i));
      }
    }
  }

  private long filled(int bytes) {
    long address = RawMemory.allocate(bytes);
    RawMemory.fill(address, bytes, (byte) -1);
    return address;
  }

  /**
   * Returns how many words of new blocks from the C library are not zero. The blocks are freed
   * together, so that none is reused.
   */
  long foreignWords(int[] sizes) {
    long foreign = 0;
    List<Long> blocks = new ArrayList<>();
    for (int bytes : sizes) {
      long address = RawMemory.allocate(bytes);
      for (int at = 0; at + Long.BYTES <= bytes; at += Long.BYTES) {
        foreign += RawMemory.get(address + at) == 0 ? 0 : 1;
      }
      blocks.add(address);
    }
    blocks.forEach(RawMemory::free);
    return foreign;
  }
}
