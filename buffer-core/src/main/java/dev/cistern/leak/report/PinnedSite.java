/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * An estimate of the live buffers of one site that slices keep: only slices refer to such a buffer,
 * and they cover up to a quarter of it. Buffers younger than ten seconds do not count.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param site {@code class.method:line} of the allocation, or {@link CallStack#UNKNOWN}
 * @param holder class of the handler that had the buffer last; empty if unknown
 * @param buffers estimated number of buffers
 * @param bytes estimated bytes of these buffers
 * @param coveredBytes estimated bytes that their slices cover
 * @param slices estimated number of slices
 * @param isCertain whether the reference counts prove that only slices keep them; otherwise a slice
 *     shares its count with its buffer, and other code may also keep the buffer
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
