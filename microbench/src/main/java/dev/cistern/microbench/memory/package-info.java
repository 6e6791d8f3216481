/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * How much memory an allocator takes, and what it gives back.
 *
 * <p>A <b>subject</b> is an allocator under measurement; a <b>scenario</b> is what is asked of it.
 * Each pair of the two runs in a JVM of its own, the <b>child</b>, which writes a line for each
 * figure; the parent collects them, and prints a table per scenario. A <b>point</b> is the memory
 * of a child at one moment.
 */
@NullMarked
package dev.cistern.microbench.memory;

import org.jspecify.annotations.NullMarked;
