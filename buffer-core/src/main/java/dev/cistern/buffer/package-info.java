/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Floor 4: the buffers that users hold, with the names that every Netty 4.1 user knows.
 *
 * <ul>
 *   <li><b>reader index, writer index</b>: where the next read and the next write start.
 *   <li><b>mark</b>: a remembered index.
 *   <li><b>live</b>: with a reference count of 1 or more; only then may the bytes be touched.
 *   <li><b>root</b>: the buffer that owns the bytes. <b>View</b>: a slice or a duplicate of a root;
 *       it shares the root's bytes and count, and has indices of its own.
 *   <li><b>base and address</b>: where the bytes are: offset in an array, or, with a null base,
 *       native address.
 *   <li><b>bound</b>: a pooled buffer object stays with its slot of the pool while it is free.
 * </ul>
 */
@NullMarked
package dev.cistern.buffer;

import org.jspecify.annotations.NullMarked;
