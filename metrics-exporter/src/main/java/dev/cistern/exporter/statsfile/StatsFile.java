/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import org.jspecify.annotations.Nullable;

/**
 * A stats file as it was read.
 *
 * @param header what its first page tells
 * @param isTorn whether one of its two frames is not whole: the writer was just then inside it, or,
 *     if it is dead, died there
 * @param sequence grows with each report that the host writes, also when its file grows, so that of
 *     two readings the newer is known without trusting clocks; 0 if there is no report
 * @param report the newest whole report; null if there is none yet
 * @param heapBytes heap that the report takes, about, beside the frames of its stacks
 */
public record StatsFile(
    StatsFileHeader header,
    boolean isTorn,
    long sequence,
    @Nullable HostView report,
    long heapBytes) {
  /** Whose file it is. */
  public HostIdentity identity() {
    return header.identity();
  }

  /** When the host was last alive, milliseconds since the epoch. */
  public long heartbeatMillis() {
    return header.heartbeatMillis();
  }

  /** Whether the host ended as it should. */
  public boolean exitedCleanly() {
    return header.exitedCleanly();
  }
}
