/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * The leaks of a site that were found while the site had one place among the sites with the most
 * leaked bytes.
 *
 * <p>A reader that names {@code n} sites names those of all records whose place is below {@code n},
 * and counts these records for them. All other leaks are the remainder of the reader. Neither a
 * named site nor the remainder ever has fewer leaks than in an earlier report. A site that gets a
 * place below {@code n} starts there at 0. The leaks of a site that loses such a place move to the
 * remainder. So all readers of a report show the same, whenever they started.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param site the site, as in {@link LeakEntry#site()}
 * @param place the place, from 0 to {@link LeakReport#PLACES} - 1
 * @param found number of leaked buffers that were tracked
 * @param bytes estimate of all leaked bytes that the tracked buffers represent
 */
public record RankedLeaks(String memory, String site, int place, long found, long bytes) {}
