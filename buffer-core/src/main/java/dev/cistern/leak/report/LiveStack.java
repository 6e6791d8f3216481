/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * What is live of one allocation stack and one kind of memory.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param stack where it was allocated; {@link CallStack#NONE} for all samples without one
 * @param oldestMillis when the oldest of the samples was allocated, milliseconds since the epoch
 * @param lostBytes the part of the bytes whose buffers were garbage collected unreleased: it never
 *     comes back
 * @param live the estimate
 */
public record LiveStack(
    String memory, CallStack stack, long oldestMillis, double lostBytes, LiveEstimate live) {}
