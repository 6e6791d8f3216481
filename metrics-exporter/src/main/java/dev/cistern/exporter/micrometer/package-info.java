/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The exporter's metrics for applications that use Micrometer. The application provides Micrometer.
 *
 * <p>A <em>reading</em> has the values of a source at one moment; each meter shows the reading of
 * its scrape.
 */
@NullMarked
package dev.cistern.exporter.micrometer;

import org.jspecify.annotations.NullMarked;
