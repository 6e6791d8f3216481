/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.SiteLabel;
import dev.cistern.exporter.report.TextFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A report as text for a terminal. Each part is written when it is complete. */
abstract class ReportText {
  final StringBuilder text = new StringBuilder();
  final ReportOptions options;
  final StackText stackText;
  private final OutputStream out;

  ReportText(ReportOptions options, OutputStream out) {
    this.options = options;
    this.stackText = new StackText(text, options);
    this.out = out;
  }

  /** Writes the note and all pools. */
  final void appendPools(HostView report) throws IOException {
    text.append(options.note());
    if (report.copies().isEmpty()) {
      text.append("\nNo pool yet.\n");
    }
    for (CopyView copy : report.copies()) {
      if (copy.isDiagnosed()) {
        appendCopy(copy, report.sampling(copy));
      }
    }
    flush();
  }

  abstract void appendCopy(CopyView copy, HostView.Sampling pools) throws IOException;

  /** Returns a site with the hash that replaces it if its name may not be shown. */
  static String site(String site) {
    String hash = SiteLabel.hashOfSite(site);
    return TextFormat.plain(site) + (hash.equals(site) ? "" : " (hash " + hash + ")");
  }

  /** Appends a line for the entries that only {@code ?full=true} shows. */
  final void appendRest(String indent, int count, String thing, double bytes) {
    text.append(indent)
        .append("... ")
        .append(TextFormat.count(count, "more " + thing))
        .append(" with ");
    text.append(TextFormat.bytes(bytes)).append(" (?full=true)\n");
  }

  /** Writes the collected text, and clears it. */
  final void flush() throws IOException {
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    text.setLength(0);
  }
}
