/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** The report of a process: its figures, leaks and live buffers. */
@NullMarked
package dev.cistern.exporter.report;

import org.jspecify.annotations.NullMarked;
