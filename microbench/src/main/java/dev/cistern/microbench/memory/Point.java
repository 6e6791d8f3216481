/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

/**
 * The memory of a child at one moment, in bytes; -1 if it is unknown.
 *
 * @param reserved memory that the allocator has reserved from the system
 * @param pinned slots that callers hold
 * @param bean value of the JVM's {@code direct} buffer pool bean
 * @param resident the process's resident set
 * @param heap used Java heap
 */
record Point(long reserved, long pinned, long bean, long resident, long heap) {
  String encode() {
    return reserved + " " + pinned + " " + bean + " " + resident + " " + heap;
  }

  static Point decode(String text) {
    String[] numbers = text.split(" ", -1);
    if (numbers.length != 5) {
      throw new IllegalArgumentException("point: " + text + " (expected: five numbers)");
    }
    return new Point(
        Long.parseLong(numbers[0]),
        Long.parseLong(numbers[1]),
        Long.parseLong(numbers[2]),
        Long.parseLong(numbers[3]),
        Long.parseLong(numbers[4]));
  }
}
