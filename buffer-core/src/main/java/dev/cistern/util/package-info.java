/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Reference counts, text, leak detection and recyclers, as in Netty's {@code io.netty.util}.
 *
 * <ul>
 *   <li><b>reference count</b>: the number of references to an object. At 0, its memory is freed.
 *   <li><b>live</b>: with a count of 1 or more. <b>Released</b>: the count has reached 0.
 * </ul>
 */
@NullMarked
package dev.cistern.util;

import org.jspecify.annotations.NullMarked;
