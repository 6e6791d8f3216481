/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Layer 1: the only package that accesses raw memory.
 *
 * <ul>
 *   <li><b>region</b>: a contiguous range of memory that a pool allocates from its source: a chunk
 *       or a huge extent.
 *   <li><b>source</b>: the object that allocates and frees regions. It counts the allocated bytes
 *       and enforces a limit.
 *   <li><b>base and address</b>: the two values that identify a byte. Native memory has a null base
 *       and an absolute address. Heap memory has its array as base, and the offset inside that
 *       object as address.
 *   <li><b>quarantine</b>: freed memory that stays mapped for a while, so that a thread that uses
 *       it after the release reads old data and does not crash.
 * </ul>
 */
@NullMarked
package dev.cistern.memory;

import org.jspecify.annotations.NullMarked;
