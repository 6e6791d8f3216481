/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Profiles of buffers by stack, in the formats of pprof, Grafana Pyroscope and OpenTelemetry. */
@NullMarked
package dev.cistern.exporter.profile;

import org.jspecify.annotations.NullMarked;
