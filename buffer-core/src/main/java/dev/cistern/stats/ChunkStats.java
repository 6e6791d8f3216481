/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/**
 * The statistics of a chunk at one moment.
 *
 * @param band the usage band of the chunk
 * @param usage percentage of pages in use: 0 only if none is in use, 100 only if all are
 * @param chunkBytes size of the chunk in bytes
 * @param freeBytes bytes of free pages
 */
public record ChunkStats(UsageBand band, int usage, int chunkBytes, int freeBytes) {}
