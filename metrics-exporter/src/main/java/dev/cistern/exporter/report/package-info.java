/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** What a process reports: its figures, leaks and live buffers. */
@NullMarked
package dev.cistern.exporter.report;

import org.jspecify.annotations.NullMarked;
