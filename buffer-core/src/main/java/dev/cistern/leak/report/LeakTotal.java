/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * The sum of all leaks of one kind of memory.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param found number of leaked buffers that were tracked
 * @param buffers estimated number of all leaked buffers
 * @param bytes estimate of all leaked bytes
 */
public record LeakTotal(String memory, long found, long buffers, long bytes) {
  LeakTotal plus(LeakEntry entry) {
    return new LeakTotal(
        memory, found + entry.found(), buffers + entry.buffers(), bytes + entry.bytes());
  }
}
