/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.util.Map;

/**
 * What a sidecar tells of itself.
 *
 * @param refused files that are refused now, by name, and why
 * @param failures times that a directory, a host's file or a post-mortem could not be read, kept or
 *     removed, since its start
 * @param postMortems hosts that are gone, and whose last state is kept
 * @param postMortemBytes bytes of all that is kept
 * @param postMortemsRemoved of those, how many were removed since its start
 */
public record SidecarReport(
    Map<String, String> refused,
    long failures,
    int postMortems,
    long postMortemBytes,
    long postMortemsRemoved) {
  /** Copies the map. */
  public SidecarReport {
    refused = Map.copyOf(refused);
  }

  void addTo(Families to) {
    to.add(Metric.SIDECAR_FILES_REFUSED, refused.size());
    to.add(Metric.SIDECAR_FAILURES, failures);
    to.add(Metric.SIDECAR_POSTMORTEMS, postMortems);
    to.add(Metric.SIDECAR_POSTMORTEM_BYTES, postMortemBytes);
    to.add(Metric.SIDECAR_POSTMORTEMS_REMOVED, postMortemsRemoved);
  }
}
