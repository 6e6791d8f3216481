/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Dumps of diagnostics on disk. */
@NullMarked
package dev.cistern.exporter.dump;

import org.jspecify.annotations.NullMarked;
