/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Reports on a host's pools for Prometheus, a terminal and a browser.
 *
 * <p>Glossary:
 *
 * <dl>
 *   <dt>host
 *   <dd>a process in which Cistern runs.
 *   <dt>copy
 *   <dd>one copy of Netty in a host, known by its package prefix.
 *   <dt>source
 *   <dd>provider of a host's state; a scrape reads it once, so that all its values are of one
 *       moment.
 *   <dt>report
 *   <dd>the immutable result of one read of a source.
 *   <dt>family
 *   <dd>all series of one metric name.
 * </dl>
 */
@NullMarked
package dev.cistern.exporter;

import org.jspecify.annotations.NullMarked;
