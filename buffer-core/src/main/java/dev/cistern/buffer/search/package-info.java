/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Searches for sequences of bytes, one byte at a time, so that the searched bytes can arrive in
 * pieces.
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
