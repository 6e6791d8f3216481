/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Declarations of figures, and generic code that processes any figure. */
@NullMarked
package dev.cistern.exporter.schema;

import org.jspecify.annotations.NullMarked;
