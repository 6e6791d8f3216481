/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.PoolSnapshot;
import java.util.List;

/** The pools whose allocations a detector samples: those of its copy, or all of the library. */
final class SampledPools {
  private final List<PoolSnapshot> pools;

  private SampledPools(List<PoolSnapshot> pools) {
    this.pools = pools;
  }

  static SampledPools of(HostReport report, CopyReport copy) {
    if (!copy.mode().equals(CopyReport.LIBRARY)) {
      return new SampledPools(copy.pools());
    }
    return new SampledPools(
        report.copies().stream()
            .filter(other -> other.mode().equals(CopyReport.LIBRARY))
            .flatMap(other -> other.pools().stream())
            .toList());
  }

  /** The largest mean between two samples that is in force for any thread, in bytes. */
  long largestIntervalBytes() {
    return pools.stream()
        .mapToLong(pool -> pool.get(PoolFigure.LARGEST_SAMPLE_INTERVAL_BYTES))
        .max()
        .orElse(0);
  }

  /** Samples that could not be taken up. */
  long failedSamples() {
    return pools.stream().mapToLong(pool -> pool.get(PoolFigure.FAILED_SAMPLES)).sum();
  }
}
