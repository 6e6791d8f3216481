/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Layer 3: the pool engine. It does not know ByteBuf: its front end binds an object to each slot.
 *
 * <p>Terms, from the largest to the smallest:
 *
 * <ul>
 *   <li><b>pool</b>: all memory of one kind, direct or heap.
 *   <li><b>arena</b>: an independent part of the pool with its own lock. A thread cache uses one
 *       arena.
 *   <li><b>chunk</b>: a region, 4 MiB by default, split into pages of 8 KiB.
 *   <li><b>run</b>: neighbouring pages of a chunk that are allocated as one.
 *   <li><b>size class</b>: a size to which requests are rounded up. Each doubling has about four.
 *   <li><b>slot</b>: the memory of one allocation, and the object bound to it.
 *   <li><b>slot group</b>: slots of one class with one list of the free ones. A <b>subpage</b> is
 *       one run cut into equal slots; a <b>whole run</b> is a group of one slot.
 *   <li><b>bin</b>: the slot groups of one class that belong to one thread cache.
 *   <li><b>current group</b>: the group that a bin allocates from. A table finds the current groups
 *       of a thread by its id.
 *   <li><b>full group</b>: a group that had no free slot when another group became current.
 *   <li><b>fast path</b>: an allocation or a release that only changes a list and a counter.
 *       Everything else is on the <b>slow path</b>.
 *   <li><b>notice</b>: a message to a bin: other threads have released enough slots of a full
 *       group.
 *   <li><b>thread cache</b>: the bins of one thread. While a group belongs to it, no other thread
 *       allocates slots of the group.
 *   <li><b>remote release</b>: the release of a slot by a thread that does not own its group.
 *   <li><b>orphan</b>: a subpage that a retired cache abandoned. The next bin of the same arena and
 *       class that needs a subpage adopts it.
 *   <li><b>extent</b>: a separate region for one request above the chunk size ("huge").
 * </ul>
 */
@NullMarked
package dev.cistern.pool;

import org.jspecify.annotations.NullMarked;
