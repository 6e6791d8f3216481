/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Conclusions from the reports of a process. Rules find causes of its memory use. */
@NullMarked
package dev.cistern.exporter.finding;

import org.jspecify.annotations.NullMarked;
