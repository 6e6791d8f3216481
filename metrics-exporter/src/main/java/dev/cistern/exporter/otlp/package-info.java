/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Pushes metrics by OTLP. Nothing here is loaded where nobody asks for it. */
@NullMarked
package dev.cistern.exporter.otlp;

import org.jspecify.annotations.NullMarked;
