/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Pushes live profiles and metrics to other programs. Nothing here is loaded unless a setting
 * requests it.
 */
@NullMarked
package dev.cistern.exporter.push;

import org.jspecify.annotations.NullMarked;
