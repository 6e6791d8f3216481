/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

/**
 * A listener for discovered allocators. Any thread that loads classes calls it. No lambda
 * implements it, because a JVM's first lambda takes some milliseconds.
 */
public interface DiscoveryListener {
  /** Wakes the thread that takes the discovered allocators, and does nothing else. */
  void onDiscovery();
}
