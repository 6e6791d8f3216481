/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.copy.NettyCopy;
import java.util.ArrayList;
import java.util.List;

/** A copy of Netty as JMX shows it. */
public final class CopyLine {
  private final NettyCopy copy;
  private final List<String> allocators;

  CopyLine(NettyCopy copy, List<String> allocators) {
    this.copy = copy;
    this.allocators = allocators;
  }

  /** The name of its pool: its package prefix, with a number from the second on. */
  public String getPool() {
    return copy.poolName();
  }

  /** Its version; empty where it is not known. */
  public String getVersion() {
    return copy.version();
  }

  /** The class of its loader and that object's identity. */
  public String getLoader() {
    return copy.loaderName();
  }

  /** The mode in force. */
  public String getMode() {
    return copy.mode().toString();
  }

  /** Why it is in that mode, and what is not served there; empty where that needs no words. */
  public String getReason() {
    return withBypasses(copy.reason(), copy);
  }

  /** A remark, and after it what is not served. */
  static String withBypasses(String remark, NettyCopy copy) {
    List<String> remarks = new ArrayList<>(copy.bypasses());
    if (!remark.isEmpty()) {
      remarks.add(0, remark);
    }
    return String.join("; ", remarks);
  }

  /** The allocator instances that were seen, as class and identity. */
  public List<String> getAllocators() {
    return allocators;
  }

  /** As a line. */
  @Override
  public String toString() {
    return getPool()
        + (getVersion().isEmpty() ? "" : ' ' + getVersion())
        + ": "
        + getMode()
        + ", loader "
        + getLoader()
        + ", allocators "
        + (allocators.isEmpty() ? "none seen" : String.join(" ", allocators))
        + (getReason().isEmpty() ? "" : "; " + getReason());
  }
}
