/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * Estimate of the live buffers of one site that slices keep: only slices refer to such a buffer,
 * and they cover at most a quarter of it. Buffers younger than ten seconds do not count.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param site {@code class.method:line} of the allocation, or {@link CallStack#UNKNOWN}
 * @param holder class of the handler that had the buffer last; empty if it is not known
 * @param buffers estimated number of buffers
 * @param bytes estimated bytes of these buffers
 * @param coveredBytes estimated bytes that their slices cover
 * @param slices estimated number of slices
 * @param isCertain whether the reference counts prove that only slices keep them; otherwise a slice
 *     shares its count with its buffer, and code may hold the buffer too
 * @param oldestMillis time of the oldest allocation, in milliseconds since the epoch
 */
public record PinnedSite(
    String memory,
    String site,
    String holder,
    double buffers,
    double bytes,
    double coveredBytes,
    double slices,
    boolean isCertain,
    long oldestMillis) {}
