/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Floor 0: what every other package stands on.
 *
 * <ul>
 *   <li><b>reference count</b>: how many holders an object has; at zero its memory goes back.
 *   <li><b>live</b>: a count of at least 1. <b>Released</b>: the count reached zero once.
 *   <li><b>setting</b>: a value of the process, given as the system property {@code cistern.<key>}.
 * </ul>
 */
@NullMarked
package dev.cistern.util;

import org.jspecify.annotations.NullMarked;
