/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * An access to a tracked buffer.
 *
 * @param operation the called method, such as {@code writeLong}, {@code retain} or {@code touch};
 *     empty if the stack does not contain it
 * @param hint the hint of {@code touch(hint)} as text; empty for none
 * @param thread the name of the thread
 * @param sinceMillis time since the allocation of the buffer, in milliseconds
 * @param repeats number of further accesses of the same thread with the same hint, right after this
 *     one, that share its stack
 * @param stack the stack of the access
 */
public record LeakAccess(
    String operation,
    String hint,
    String thread,
    long sinceMillis,
    long repeats,
    CallStack stack) {}
