/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.buffer;

import io.netty.util.ResourceLeakTracker;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Makes the trackers of one watched buffer and of the buffers that are derived from it. */
@NullMarked
public interface CisternTrackers {
  /**
   * Returns a tracker that reports to Cistern's tracker and to Netty's.
   *
   * @param host Netty's tracker, or null if Netty's detector does not watch the buffer
   * @param isOfCounts whether it reports calls of {@code retain} and {@code release}, and no
   *     accesses
   */
  ResourceLeakTracker<ByteBuf> of(@Nullable ResourceLeakTracker<ByteBuf> host, boolean isOfCounts);
}
