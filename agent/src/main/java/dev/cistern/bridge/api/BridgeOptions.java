/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.api;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The options of one bridge.
 *
 * @param poolName package prefix of the Netty copy, and name of its pools in leak reports
 * @param settings settings of the operator
 * @param resetsCount whether reference counts are reset with {@code resetRefCnt()}, which early
 *     Netty 4.1 lacks
 * @param isLeakAware whether Netty's recording wrapper accepts a tracker
 * @param hasEvents whether the copy has Netty's flight recorder events
 * @param hasHolders whether the copy's buffers report their holders
 * @param hasChannels whether the copy's channels can be watched
 * @param records receives a record of each block of native memory; it outlives the bridge
 * @param mappings number of mapped blocks in this JVM
 */
public record BridgeOptions(
    String poolName,
    Settings settings,
    boolean resetsCount,
    boolean isLeakAware,
    boolean hasEvents,
    boolean hasHolders,
    boolean hasChannels,
    Set<Object[]> records,
    AtomicLong mappings) {
  /**
   * The settings that all bridges of a JVM share.
   *
   * @param arenas number of arenas for each kind of memory; 0: by processors and memory
   * @param chunkBytes bytes of a chunk
   * @param decayMillis time after which unused memory is freed
   * @param firstBufferMillis maximum wait of the host's first allocations in milliseconds
   * @param uninitializedArrays whether new arrays may contain any bytes
   * @param sampleIntervalBytes mean bytes between two samples; 0: none
   * @param leakLevel level of leak detection, such as {@code simple}
   * @param leakSamplingInterval one in so many buffers is watched by count; 0: by bytes
   * @param siteRules texts of the rules for frames that are not the site of an allocation
   */
  public record Settings(
      int arenas,
      int chunkBytes,
      long decayMillis,
      long firstBufferMillis,
      boolean uninitializedArrays,
      long sampleIntervalBytes,
      String leakLevel,
      int leakSamplingInterval,
      List<String> siteRules) {
    /** Copies the list. */
    public Settings {
      siteRules = List.copyOf(siteRules);
    }
  }
}
