/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The exporter's metrics for applications that use Micrometer, which they bring themselves.
 *
 * <p>A <em>reading</em> is what a source told at one moment; each meter shows the reading that its
 * scrape began with.
 */
@NullMarked
package dev.cistern.exporter.micrometer;

import org.jspecify.annotations.NullMarked;
