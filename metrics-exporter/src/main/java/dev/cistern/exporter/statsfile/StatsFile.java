/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import org.jspecify.annotations.Nullable;

/**
 * A stats file as it was read.
 *
 * @param header the content of its first page
 * @param isTorn whether one of its two frames is not whole: the writer was writing it then, or died
 *     while writing it
 * @param sequence number that grows with each report that the host writes, even when its file
 *     grows, so that the newer of two readings is known without comparing clocks; 0 if there is no
 *     report
 * @param report the newest whole report; null if there is none yet
 * @param heapBytes approximate heap of the report, besides the frames of its stacks
 */
public record StatsFile(
    StatsFileHeader header,
    boolean isTorn,
    long sequence,
    @Nullable HostView report,
    long heapBytes) {
  /** Returns the identity of the file's host. */
  public HostIdentity identity() {
    return header.identity();
  }

  /** Returns the time of the last heartbeat, in milliseconds since the epoch. */
  public long heartbeatMillis() {
    return header.heartbeatMillis();
  }

  /** Returns whether the host has shut down in an orderly way. */
  public boolean exitedCleanly() {
    return header.exitedCleanly();
  }
}
