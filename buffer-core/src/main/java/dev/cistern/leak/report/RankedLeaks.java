/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * Leaks of a site that were found while the site had one place among the sites with the most leaked
 * bytes.
 *
 * <p>A reader that names {@code n} sites names those of all records whose place is below {@code n},
 * and counts these records for them. All other leaks are the remainder of the reader. Neither a
 * named site nor the remainder ever counts fewer leaks than in an earlier report: a site that comes
 * below place {@code n} begins there with 0, and what a site has when it leaves goes to the
 * remainder. So each reader of a report, whenever it started, shows the same.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param site the site, as in {@link LeakEntry#site()}
 * @param place the place, from 0 to {@link LeakReport#PLACES} - 1
 * @param found leaked buffers that were watched
 * @param bytes estimate of all leaked bytes that the watched ones stand for
 */
public record RankedLeaks(String memory, String site, int place, long found, long bytes) {}
