/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * The allocations of one stack in one kind of memory since start.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param stack the stack; {@link CallStack#NONE} in the remainder; without frames for the sum of
 *     the stacks of one site that were not kept separately
 * @param allocated the estimate
 */
public record AllocatedStack(String memory, CallStack stack, AllocationEstimate allocated) {}
