/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Measures how much memory an allocator uses, and how much it returns.
 *
 * <p>A <b>subject</b> is an allocator under measurement; a <b>scenario</b> is its workload. Each
 * pair of a subject and a scenario runs in a separate JVM, the <b>child</b>, which writes a line
 * for each figure. The parent collects the figures, and prints a table per scenario. A <b>point</b>
 * is the memory of a child at one moment.
 */
@NullMarked
package dev.cistern.microbench.memory;

import org.jspecify.annotations.NullMarked;
