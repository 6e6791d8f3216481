/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.netty.NettyCopy;
import dev.cistern.stats.AllocatorInfo;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** A copy of Netty as JMX shows it. */
public final class NettyCopyInfo {
  private final NettyCopy copy;
  private final List<AllocatorInfo> allocators;

  NettyCopyInfo(NettyCopy copy, List<AllocatorInfo> allocators) {
    this.copy = copy;
    this.allocators = allocators;
  }

  /**
   * Returns the name of its pool: the package prefix, with a number if another copy has that name.
   */
  public String getPool() {
    return copy.poolName();
  }

  /** Returns the version, or {@code unknown}. */
  public String getVersion() {
    return copy.version();
  }

  /** Returns the class and the identity of its loader. */
  public String getLoader() {
    return copy.loaderName();
  }

  /** Returns the mode in force. */
  public String getMode() {
    return copy.mode().toString();
  }

  /** Returns why it is in that mode; empty if that needs no explanation. */
  public String getReason() {
    return copy.reason();
  }

  /** Returns a line for each allocator that was seen: its service, its creator and its class. */
  public List<String> getAllocators() {
    return allocators.stream()
        .map(each -> each.describe("since " + Instant.ofEpochMilli(each.sinceMillis())))
        .toList();
  }

  private String names() {
    return allocators.stream()
        .map(each -> each.name() + " (" + each.service() + ')')
        .collect(Collectors.joining(", "));
  }

  /** Returns the copy as one line. */
  @Override
  public String toString() {
    return getPool()
        + ' '
        + getVersion()
        + ": "
        + getMode()
        + ", loader "
        + getLoader()
        + ", allocators "
        + (allocators.isEmpty() ? "none seen" : names())
        + (getReason().isEmpty() ? "" : "; " + getReason());
  }
}
