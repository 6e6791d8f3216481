/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * The live buffers of one allocation stack and one kind of memory.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param stack the stack of the allocations; {@link CallStack#NONE} for all samples without a stack
 * @param oldestMillis time of the allocation of the oldest sample, in milliseconds since the epoch
 * @param lostBytes the part of the bytes whose buffers were garbage collected without a release; it
 *     stays allocated
 * @param live the estimate of the live buffers
 */
public record LiveStack(
    String memory, CallStack stack, long oldestMillis, double lostBytes, LiveEstimate live) {}
