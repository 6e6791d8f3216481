/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What {@code /leaks} and {@code /live} show a terminal, for other ways out. */
public final class DiagnosticsText {
  private DiagnosticsText() {}

  /** The leaks of a host, largest first, without the frames that are folded. */
  public static String leaks(HostReport report) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      LeaksText.write(report, View.FOLDED, out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // it is written to memory
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** The live buffers of a host by site, largest first, without the frames that are folded. */
  public static String live(HostReport report) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      LiveText.write(report, View.FOLDED, out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Returns the figures of a host that runs, as {@code /state} shows them. */
  public static String state(HostReport report) {
    HostState host = HostState.up(report);
    return new StateJson(site -> site).write(List.of(host), host, List.of());
  }
}
