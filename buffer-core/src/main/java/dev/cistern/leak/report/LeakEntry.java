/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * Leaks that are counted together, by default all with one allocation stack and one kind of memory:
 * an immutable copy.
 *
 * @param found leaked buffers that were watched: each of them is a leak that really happened
 * @param buffers estimate of all leaked buffers that the watched ones stand for
 * @param bytes estimate of all leaked bytes that the watched ones stand for
 * @param firstSeenMillis when the first of these leaks was found, milliseconds since the epoch
 * @param lastSeenMillis when the last of these leaks was found, milliseconds since the epoch
 * @param latest the buffer that leaked last
 */
public record LeakEntry(
    long found,
    long buffers,
    long bytes,
    long firstSeenMillis,
    long lastSeenMillis,
    LeakRecord latest) {
  /** The kind of memory, {@code direct} or {@code heap}. */
  public String memory() {
    return latest.memory();
  }

  /** Returns the stack that allocated the buffers. */
  public CallStack stack() {
    return latest.stack();
  }

  /** The frame to look at, {@code class.method:line}. */
  public String site() {
    return latest.stack().site();
  }

  /**
   * Returns the sum of both, with the latest buffer of both.
   *
   * @param other an entry of the same kind of memory
   */
  public LeakEntry plus(LeakEntry other) {
    return new LeakEntry(
        found + other.found,
        buffers + other.buffers,
        bytes + other.bytes,
        Math.min(firstSeenMillis, other.firstSeenMillis),
        Math.max(lastSeenMillis, other.lastSeenMillis),
        other.lastSeenMillis > lastSeenMillis ? other.latest : latest);
  }
}
