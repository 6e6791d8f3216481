/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Searches for sequences of bytes. A search processes one byte at a time, so that the bytes can
 * arrive in several buffers.
 *
 * <ul>
 *   <li><b>needle</b>: the sequence of bytes to find.
 *   <li><b>factory</b>: the tables of the needles, computed once. Any number of threads can use it.
 *   <li><b>search processor</b>: the state of one search. One thread uses it.
 * </ul>
 */
@NullMarked
package dev.cistern.buffer.search;

import org.jspecify.annotations.NullMarked;
