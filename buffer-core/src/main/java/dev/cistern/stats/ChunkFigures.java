/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/**
 * A chunk at one moment.
 *
 * @param band the band that it is listed in
 * @param usage pages in use, in percent: 0 only if none is, 100 only if all are
 * @param chunkBytes its size
 * @param freeBytes bytes of free pages
 */
public record ChunkFigures(UsageBand band, int usage, int chunkBytes, int freeBytes) {}
