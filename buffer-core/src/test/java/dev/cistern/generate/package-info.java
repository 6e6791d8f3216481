/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Writes the classes of {@code src/generated}, and compares them with what stands there. */
@NullMarked
package dev.cistern.generate;

import org.jspecify.annotations.NullMarked;
