/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

/**
 * Receives a call when allocators were discovered, from any thread that loads classes. No lambda
 * implements it: the first one of a JVM takes some milliseconds of its start.
 */
public interface DiscoveryListener {
  /** Wakes the thread that takes the discovered allocators, and does nothing else. */
  void onDiscovery();
}
