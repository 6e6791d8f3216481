/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * Something that was done to a watched buffer.
 *
 * @param operation the method that was called, such as {@code writeLong}, {@code retain} or {@code
 *     touch}; empty where the stack does not tell
 * @param hint what {@code touch(hint)} was given, as text; empty for none
 * @param thread the name of the thread that did it
 * @param sinceMillis how long after the buffer's allocation that was
 * @param repeats further accesses of the same thread with the same hint, right after this one, that
 *     share its stack
 * @param stack from where
 */
public record LeakAccess(
    String operation,
    String hint,
    String thread,
    long sinceMillis,
    long repeats,
    CallStack stack) {}
