/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

/**
 * Who is told that sightings wait. Called from any thread that loads classes: it must only wake.
 */
public interface SightingListener {
  /** There is at least one sighting. */
  void sighted();
}
