/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** JMH benchmarks of the pool against its peers. */
@NullMarked
package dev.cistern.microbench;

import org.jspecify.annotations.NullMarked;
