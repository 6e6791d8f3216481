/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Benchmarks for docs/internals/requirements.md beyond the paired benchmarks of the library. */
@NullMarked
package dev.cistern.microbench.rows;

import org.jspecify.annotations.NullMarked;
