/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Floor 1: the only place that touches raw memory.
 *
 * <ul>
 *   <li><b>region</b>: a contiguous piece of memory that a pool draws from its source: a chunk or a
 *       huge extent.
 *   <li><b>source</b>: where regions come from and go back to; it counts what is out and enforces a
 *       limit.
 *   <li><b>base and address</b>: how a byte is named. Native memory has no base and an absolute
 *       address; heap memory has its array as base and an offset inside that object as address.
 *   <li><b>quarantine</b>: freed memory stays mapped for a while, so that a thread that uses it too
 *       late reads old data and does not crash.
 * </ul>
 */
@NullMarked
package dev.cistern.memory;

import org.jspecify.annotations.NullMarked;
