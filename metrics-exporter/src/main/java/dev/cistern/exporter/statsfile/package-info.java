/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The stats file, which contains the reports of a process for other processes, and stays after its
 * end.
 *
 * <p>docs/internals/stats-file.md specifies every byte. Glossary:
 *
 * <dl>
 *   <dt>header
 *   <dd>the file's first page: identity of the process, its last heartbeat, offsets of the slots.
 *   <dt>slot
 *   <dd>one of two places for a frame; they are written in turn.
 *   <dt>frame
 *   <dd>one report, with a sequence number and a checksum.
 *   <dt>whole
 *   <dd>a frame that was finished: its sequence is even and its checksum right.
 *   <dt>torn
 *   <dd>a file one of whose frames is not whole.
 *   <dt>content
 *   <dd>the report in a frame, as a message of Protocol Buffers.
 *   <dt>history
 *   <dd>the last hour of the main figures and of the largest sites.
 * </dl>
 */
@NullMarked
package dev.cistern.exporter.statsfile;

import org.jspecify.annotations.NullMarked;
