/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.util.List;

/**
 * What one process has to tell, at one moment.
 *
 * @param application the application's name as configured; empty if it has none
 * @param agentVersion the version of Cistern that runs in the process
 * @param startMillis when Cistern started there, milliseconds since the epoch
 * @param failures faults of Cistern itself that it kept from the application, since its start
 * @param copies each copy of Netty that was found, or each pool of a library user
 */
public record HostReport(
    String application,
    String agentVersion,
    long startMillis,
    long failures,
    List<CopyReport> copies) {

  /** Copies the list. */
  public HostReport {
    copies = List.copyOf(copies);
  }
}
