/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * The live buffers of one site, of all its stacks together, and their trend.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param site {@code class.method:line}, or {@link CallStack#UNKNOWN}
 * @param stacks number of different stacks with this site
 * @param oldestMillis time of the allocation of the oldest sample, in milliseconds since the epoch
 * @param lostBytes the part of the bytes whose buffers were garbage collected without a release
 * @param live the estimate of the live buffers
 * @param trend the trend of its old bytes
 */
public record LiveSite(
    String memory,
    String site,
    int stacks,
    long oldestMillis,
    double lostBytes,
    LiveEstimate live,
    SiteTrend trend) {}
