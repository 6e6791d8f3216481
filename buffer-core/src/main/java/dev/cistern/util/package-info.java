/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Reference counts, text, leak detection and recyclers, as in Netty's {@code io.netty.util}.
 *
 * <ul>
 *   <li><b>reference count</b>: number of holders of an object. At zero its memory is freed.
 *   <li><b>live</b>: a count of at least 1. <b>Released</b>: the count reached zero once.
 * </ul>
 */
@NullMarked
package dev.cistern.util;

import org.jspecify.annotations.NullMarked;
