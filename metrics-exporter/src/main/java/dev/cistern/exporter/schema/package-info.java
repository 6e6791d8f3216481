/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Declarations of figures, and what is made of them without knowing any of them. */
@NullMarked
package dev.cistern.exporter.schema;

import org.jspecify.annotations.NullMarked;
