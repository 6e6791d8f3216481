/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Layer 4: the buffers that applications use, with the names of Netty 4.1.
 *
 * <ul>
 *   <li><b>reader index, writer index</b>: the indices at which the next read and the next write
 *       start.
 *   <li><b>mark</b>: a remembered index.
 *   <li><b>live</b>: with a reference count of 1 or more; only then may code access the bytes.
 *   <li><b>root</b>: the buffer that owns the bytes. <b>View</b>: a slice or a duplicate of a root;
 *       it shares the root's bytes and count, and has its own indices.
 *   <li><b>base and address</b>: the location of the bytes: an array and an offset in it, or a null
 *       base and a native address.
 *   <li><b>bound</b>: a pooled buffer object belongs to its slot of the pool, even while the slot
 *       is free.
 * </ul>
 */
@NullMarked
package dev.cistern.buffer;

import org.jspecify.annotations.NullMarked;
