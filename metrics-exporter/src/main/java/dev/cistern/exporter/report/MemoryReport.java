/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Figure;
import java.util.List;

/**
 * Resident memory of a process and its parts at one moment.
 *
 * @param timeMillis time of the measurement, in milliseconds since the epoch; 0 if there is none
 * @param residentBytes resident memory; {@link Figure#ABSENT} if it is not known
 * @param basis source of the JVM's own parts
 * @param parts the parts, which add up to the resident memory; empty if they are not known
 */
public record MemoryReport(
    long timeMillis, long residentBytes, String basis, List<PartBytes> parts) {
  /** Report of a process that is not measured. */
  public static final MemoryReport NONE = new MemoryReport(0, Figure.ABSENT, "", List.of());

  /** Copies the list. */
  public MemoryReport {
    parts = List.copyOf(parts);
  }

  /**
   * A part of the resident memory.
   *
   * @param part the part
   * @param bytes its resident bytes
   */
  public record PartBytes(Part part, long bytes) {}

  /** Returns the bytes of a part; 0 if it is not known. */
  public long bytes(Part part) {
    return parts.stream()
        .filter(each -> each.part() == part)
        .mapToLong(PartBytes::bytes)
        .findFirst()
        .orElse(0);
  }
}
