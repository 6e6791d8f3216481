/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.List;

/**
 * All leaks seen so far with one allocation stack: an immutable copy.
 *
 * @param pool the pool that the buffers came from
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param site the frame to look at, {@code class.method:line}
 * @param stack the allocation stack, innermost frame first, at most {@link #MAX_FRAMES} frames
 * @param cutFrames frames of the stack that were not kept
 * @param thread the name of the thread that allocated the buffer leaked last
 * @param sampled leaked buffers that were watched: each of them is a leak that really happened
 * @param count estimate of all leaked buffers that the watched ones stand for
 * @param bytes estimate of all leaked bytes that the watched ones stand for
 * @param firstSeenMillis when the first of these leaks was found, milliseconds since the epoch
 * @param lastSeenMillis when the last of these leaks was found, milliseconds since the epoch
 */
public record LeakEntry(
    String pool,
    String memory,
    String site,
    List<String> stack,
    int cutFrames,
    String thread,
    long sampled,
    long count,
    long bytes,
    long firstSeenMillis,
    long lastSeenMillis) {

  /** Frames that are kept of a stack; the virtual machine itself notes 1,024 by default. */
  public static final int MAX_FRAMES = 128;

  private static final int ENCODED_PARTS = 6;
  private static final int ENCODED_NUMBERS = 6;

  /** Copies the stack. */
  public LeakEntry {
    stack = List.copyOf(stack);
  }

  /** Returns this entry as JDK types, for a reader in another class loader. */
  public Object[] encode() {
    return new Object[] {
      pool,
      memory,
      site,
      stack.toArray(new String[0]),
      thread,
      new long[] {cutFrames, sampled, count, bytes, firstSeenMillis, lastSeenMillis}
    };
  }

  /**
   * Reads what {@link #encode()} wrote.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static LeakEntry decode(Object[] encoded) {
    if (encoded.length == ENCODED_PARTS
        && encoded[0] instanceof String pool
        && encoded[1] instanceof String memory
        && encoded[2] instanceof String site
        && encoded[3] instanceof String[] stack
        && encoded[4] instanceof String thread
        && encoded[5] instanceof long[] numbers
        && numbers.length == ENCODED_NUMBERS) {
      return new LeakEntry(
          pool,
          memory,
          site,
          List.of(stack),
          (int) numbers[0],
          thread,
          numbers[1],
          numbers[2],
          numbers[3],
          numbers[4],
          numbers[5]);
    }
    throw new IllegalArgumentException("not an encoded leak entry of this version");
  }
}
