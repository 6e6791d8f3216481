/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import org.jspecify.annotations.Nullable;

/** What a sidecar serves beside its hosts. */
public interface SidecarSource {
  /** What it tells of itself, at one moment. */
  SidecarReport report();

  /** What hosts left that are gone. */
  PostMortems postMortems();

  /** Returns what passes commands to hosts; null if the settings do not permit commands. */
  @Nullable SidecarControl control();
}
