/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.micrometer;

import io.micrometer.core.instrument.Tags;

/** One meter in each registry, identified by its family and its tags. */
record Series(Family family, Tags tags) {}
