/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Metric families of figures, for Prometheus and OTLP. */
@NullMarked
package dev.cistern.exporter.metrics;

import org.jspecify.annotations.NullMarked;
