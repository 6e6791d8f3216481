/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * One of the largest single allocations. A report has two spans, the time since start and the last
 * hour; an allocation of the last hour can be among the largest of both, in an entry for each.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param site {@code class.method:line}, or {@link CallStack#UNKNOWN}
 * @param thread the name of the thread that allocated the buffer
 * @param bytes the requested bytes; if the buffer grew, its new capacity
 * @param timeMillis the time of the allocation or of the growth, milliseconds since the epoch
 * @param isOfLastHour whether the entry is of the span of the last hour; otherwise it is of the
 *     span since start
 */
public record LargestAllocation(
    String memory, String site, String thread, long bytes, long timeMillis, boolean isOfLastHour) {}
