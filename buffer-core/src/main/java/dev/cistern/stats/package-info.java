/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Floor 2: what a pool tells about itself, as immutable figures.
 *
 * <ul>
 *   <li><b>reserved</b>: bytes drawn from the memory source: chunks and huge extents.
 *   <li><b>pinned</b>: bytes of slots that callers hold. What was asked for is less: see requested.
 *   <li><b>cached</b>: bytes of free slots that belong to a thread cache.
 *   <li><b>free</b>: the rest of what is reserved, open to every thread.
 *   <li><b>band</b>: the range of usage by which chunks are listed.
 * </ul>
 */
@NullMarked
package dev.cistern.stats;

import org.jspecify.annotations.NullMarked;
