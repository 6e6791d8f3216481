/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Figures as metric families: Prometheus, OTLP. */
@NullMarked
package dev.cistern.exporter.metrics;

import org.jspecify.annotations.NullMarked;
