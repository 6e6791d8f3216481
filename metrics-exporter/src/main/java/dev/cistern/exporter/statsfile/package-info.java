/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The stats file: carries what a host has to tell out of its JVM, and outlives it.
 *
 * <p>docs/stats-file.md specifies every byte. Glossary:
 *
 * <dl>
 *   <dt>header
 *   <dd>the file's first page: who the host is, when it was last alive, where the slots are.
 *   <dt>slot
 *   <dd>one of two places for a frame; they are written in turn.
 *   <dt>frame
 *   <dd>one report, with a sequence number and a checksum.
 *   <dt>whole
 *   <dd>a frame that was finished: its sequence is even and its checksum right.
 *   <dt>torn
 *   <dd>a file one of whose frames is not whole.
 *   <dt>content
 *   <dd>what a frame carries: a table of strings, then tables with named columns.
 *   <dt>cell
 *   <dd>64 bits in a row of a table.
 * </dl>
 */
@NullMarked
package dev.cistern.exporter.statsfile;

import org.jspecify.annotations.NullMarked;
