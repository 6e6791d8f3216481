/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Floor 4: searches for sequences of bytes, one byte at a time, so that what is searched may come
 * in pieces (seed row D6).
 *
 * <ul>
 *   <li><b>needle</b>: the bytes that are looked for.
 *   <li><b>factory</b>: what a search needs to know of its needles, computed once; for any number
 *       of threads.
 *   <li><b>search processor</b>: how far one search has come; for one thread.
 * </ul>
 */
@NullMarked
package dev.cistern.buffer.search;

import org.jspecify.annotations.NullMarked;
