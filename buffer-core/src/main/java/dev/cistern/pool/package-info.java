/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Layer 3: the pool engine (docs/internals/engine.md). It does not know ByteBuf: a slot holds the
 * object that its front end bound to it.
 *
 * <p>The terms, from the outside in:
 *
 * <ul>
 *   <li><b>pool</b>: all there is for one kind of memory, direct or heap.
 *   <li><b>arena</b>: an independent part of the pool with its own lock; a thread draws from one.
 *   <li><b>chunk</b>: a region, 4 MiB by default, split into pages of 8 KiB.
 *   <li><b>run</b>: neighbouring pages of a chunk that are handed out as one.
 *   <li><b>size class</b>: requests are rounded up to one of about four sizes a doubling.
 *   <li><b>slot</b>: the memory of one allocation, and the object bound to it.
 *   <li><b>slot group</b>: slots of one class with one list of the free ones. A <b>subpage</b> is
 *       one run cut into equal slots; a <b>whole run</b> is a group of one slot.
 *   <li><b>bin</b>: the slot groups of one class that belong to one thread cache.
 *   <li><b>row</b>: by size class, the group that a thread's cache allocates from; the thread's id
 *       leads to it.
 *   <li><b>notice</b>: tells a bin that other threads have released enough slots of a full group.
 *   <li><b>thread cache</b>: a thread's bins. While a group belongs to it, no other thread takes
 *       slots from the group.
 *   <li><b>remote release</b>: the release of a slot by a thread that does not own its group.
 *   <li><b>orphan</b>: a group without an owner that has a slot in use; the next thread that needs
 *       its class adopts a subpage.
 *   <li><b>extent</b>: a region of its own for a request above the chunk size ("huge").
 * </ul>
 */
@NullMarked
package dev.cistern.pool;

import org.jspecify.annotations.NullMarked;
