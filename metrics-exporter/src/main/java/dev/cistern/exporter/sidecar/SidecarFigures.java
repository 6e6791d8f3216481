/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.PostMortems;
import dev.cistern.exporter.SidecarControl;
import dev.cistern.exporter.SidecarReport;
import dev.cistern.exporter.SidecarSource;
import org.jspecify.annotations.Nullable;

/** What a sidecar tells of itself. */
final class SidecarFigures implements SidecarSource {
  private final StatsDirectory directory;
  private final PostMortemStore store;
  private final @Nullable SidecarControl control;

  SidecarFigures(
      StatsDirectory directory, PostMortemStore store, @Nullable SidecarControl control) {
    this.control = control;
    this.directory = directory;
    this.store = store;
  }

  @Override
  public SidecarReport report() {
    return new SidecarReport(
        directory.refused(),
        directory.failures() + store.failures(),
        store.all().size(),
        store.bytes(),
        store.removed());
  }

  @Override
  public PostMortems postMortems() {
    return store;
  }

  @Override
  public @Nullable SidecarControl control() {
    return control;
  }
}
