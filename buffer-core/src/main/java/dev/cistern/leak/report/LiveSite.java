/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * What is live of one site, all its stacks together, and how it changes.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param site {@code class.method:line}, or {@link CallStack#UNKNOWN}
 * @param stacks different stacks that end at this site
 * @param oldestMillis when the oldest of the samples was allocated, milliseconds since the epoch
 * @param lostBytes the part of the bytes whose buffers were garbage collected unreleased
 * @param live the estimate
 * @param trend how its old bytes change
 */
public record LiveSite(
    String memory,
    String site,
    int stacks,
    long oldestMillis,
    double lostBytes,
    LiveEstimate live,
    SiteTrend trend) {}
