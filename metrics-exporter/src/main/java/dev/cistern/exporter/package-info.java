/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Serves what pools count, and who leaks, to Prometheus and to people. */
@NullMarked
package dev.cistern.exporter;

import org.jspecify.annotations.NullMarked;
