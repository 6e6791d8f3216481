/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.stats.ChunkMap;

/**
 * Fill levels of the chunks of one pool.
 *
 * @param pool the pool's name, as in {@link PoolReport}
 * @param map the chunks of one kind of memory
 */
public record CopyChunks(String pool, ChunkMap map) {}
