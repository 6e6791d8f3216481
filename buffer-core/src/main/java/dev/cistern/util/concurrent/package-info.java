/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Variables of threads, which are found by an index.
 *
 * <ul>
 *   <li><b>slot</b>: the place of one variable in a thread's array.
 *   <li><b>plain thread</b>: any thread other than a {@link
 *       dev.cistern.util.concurrent.FastThreadLocalThread}, including virtual threads.
 * </ul>
 */
@NullMarked
package dev.cistern.util.concurrent;

import org.jspecify.annotations.NullMarked;
