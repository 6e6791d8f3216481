/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Layer 2: the statistics of a pool, in immutable snapshots.
 *
 * <ul>
 *   <li><b>reserved</b>: bytes allocated from the memory source: chunks and huge extents.
 *   <li><b>pinned</b>: bytes of slots in use. The bytes that callers requested are fewer.
 *   <li><b>cached</b>: bytes of free slots in thread caches and shared caches.
 *   <li><b>free</b>: the rest of the reserved bytes, including slots that other threads released
 *       and the owner thread has not received.
 *   <li><b>band</b>: the range of usage by which statistics report chunks.
 * </ul>
 */
@NullMarked
package dev.cistern.stats;

import org.jspecify.annotations.NullMarked;
