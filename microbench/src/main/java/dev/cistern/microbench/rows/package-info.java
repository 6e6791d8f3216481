/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Benchmarks of the seeds' rows that measure more than the pairs of the library do. */
@NullMarked
package dev.cistern.microbench.rows;

import org.jspecify.annotations.NullMarked;
