/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * An immutable copy of the sums of leaks that are counted together, by default all leaks with one
 * allocation stack and one kind of memory.
 *
 * @param found number of leaked buffers that were tracked, each of which is an actual leak
 * @param buffers estimated number of all leaked buffers that the tracked ones represent
 * @param bytes estimate of all leaked bytes that the tracked buffers represent
 * @param firstSeenMillis time at which the first of these leaks was found, in milliseconds since
 *     the epoch
 * @param lastSeenMillis time at which the last of these leaks was found, in milliseconds since the
 *     epoch
 * @param latest the buffer that leaked last
 */
public record LeakEntry(
    long found,
    long buffers,
    long bytes,
    long firstSeenMillis,
    long lastSeenMillis,
    LeakRecord latest) {
  /** Returns the kind of memory, {@code direct} or {@code heap}. */
  public String memory() {
    return latest.memory();
  }

  /** Returns the stack that allocated the buffers. */
  public CallStack stack() {
    return latest.stack();
  }

  /** Returns the site, {@code class.method:line}. */
  public String site() {
    return latest.stack().site();
  }

  /**
   * Returns the sum of both entries, with the latest buffer of both.
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
