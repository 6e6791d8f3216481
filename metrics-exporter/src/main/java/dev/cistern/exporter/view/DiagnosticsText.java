/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.exporter.http.ZippedBody;
import dev.cistern.exporter.report.HostView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The texts of {@code /leaks} and {@code /live}, for dumps, archives and JMX. */
public final class DiagnosticsText {
  private DiagnosticsText() {}

  /** Returns the leaks of a host, largest first, without the folded frames. */
  public static String leaks(HostView report) {
    return text(out -> LeaksText.write(report, ReportOptions.FOLDED, out));
  }

  /** Returns the live buffers of a host by site, largest first, without the folded frames. */
  public static String live(HostView report) {
    return text(out -> LiveText.write(report, ReportOptions.FOLDED, out));
  }

  /** Returns the verdict on a host. */
  public static String verdict(HostView report) {
    return VerdictText.of(report);
  }

  /** Returns the parts of the resident memory of a host. */
  public static String memory(HostView report) {
    return MemoryText.of(report);
  }

  private static String text(ZippedBody.Content content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      content.write(out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // writes go to memory
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Returns the figures of a running host in the form of {@code /state}. */
  public static String state(HostView report) {
    return text(
        out -> StateJson.write(out, List.of(report), report, List.of(), List.of(), site -> site));
  }
}
