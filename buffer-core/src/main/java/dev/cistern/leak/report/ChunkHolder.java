/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * A site whose sampled live buffers keep chunks that are otherwise nearly empty. A chunk with
 * buffers of several sites counts for each of them.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param site {@code class.method:line}, or {@link CallStack#UNKNOWN}
 * @param chunks number of different chunks
 * @param usedBytes bytes that are in use in these chunks, by buffers of any site
 * @param chunkBytes bytes of these chunks
 * @param samples number of sampled buffers of the site in these chunks
 */
public record ChunkHolder(
    String memory, String site, long chunks, long usedBytes, long chunkBytes, long samples) {}
