/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Shows what happens in a host's pools: to Prometheus, to a terminal and to a browser.
 *
 * <p>Glossary:
 *
 * <dl>
 *   <dt>host
 *   <dd>a process in which Cistern runs.
 *   <dt>copy
 *   <dd>one copy of Netty in a host, known by its package prefix.
 *   <dt>source
 *   <dd>what knows a host's state; asked once for each scrape, so that a scrape is one moment.
 *   <dt>report
 *   <dd>the immutable answer of a source.
 *   <dt>family
 *   <dd>all series of one metric name.
 * </dl>
 */
@NullMarked
package dev.cistern.exporter;

import org.jspecify.annotations.NullMarked;
