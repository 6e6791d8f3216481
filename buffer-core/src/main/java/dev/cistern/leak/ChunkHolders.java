/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.ChunkHolder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Sums of the nearly empty chunks for each site whose samples are in them. Not thread-safe. */
final class ChunkHolders {
  private static final int MAX_SITES = 8;

  private static final Comparator<ChunkHolder> LARGEST_FIRST =
      Comparator.comparingLong(ChunkHolder::chunkBytes)
          .reversed()
          .thenComparing(ChunkHolder::site)
          .thenComparing(ChunkHolder::memory);

  /** The chunks of each site. The key is the kind of memory and the name of the site. */
  private final Map<List<String>, Site> sites = new HashMap<>();

  /** The chunks of one site. */
  private static final class Site {
    final IdentityHashMap<Object, ChunkUse> chunks = new IdentityHashMap<>();
    long samples;

    ChunkHolder show(String memory, String site) {
      long usedBytes = 0;
      long chunkBytes = 0;
      for (ChunkUse use : chunks.values()) {
        usedBytes += use.usedBytes();
        chunkBytes += use.chunkBytes();
      }
      return new ChunkHolder(memory, site, chunks.size(), usedBytes, chunkBytes, samples);
    }
  }

  /** Adds a sample in a nearly empty chunk. */
  void add(String memory, String site, ChunkUse use) {
    Site of = sites.computeIfAbsent(List.of(memory, site), key -> new Site());
    of.chunks.putIfAbsent(use.chunk(), use);
    of.samples++;
  }

  /** Returns the sites with the most bytes of chunks, the largest first. */
  List<ChunkHolder> show() {
    List<ChunkHolder> holders = new ArrayList<>();
    sites.forEach((key, site) -> holders.add(site.show(key.get(0), key.get(1))));
    holders.sort(LARGEST_FIRST);
    return List.copyOf(holders.subList(0, Math.min(MAX_SITES, holders.size())));
  }
}
