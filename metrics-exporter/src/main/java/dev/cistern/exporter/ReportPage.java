/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.IOException;
import java.util.List;

/** A report with stacks, as text for a terminal or as JSON. */
final class ReportPage implements Page {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";
  private static final List<MediaType> OFFERS =
      List.of(MediaType.parse("text/plain"), MediaType.parse(JSON));

  private final Hosts hosts;
  private final ReportForm text;
  private final ReportForm json;

  ReportPage(Hosts hosts, ReportForm text, ReportForm json) {
    this.hosts = hosts;
    this.text = text;
    this.json = json;
  }

  @Override
  public Answer answer(Request request) throws IOException {
    return HostChoice.answer(hosts, request, report -> answer(request, report));
  }

  /** Of one host. */
  Answer answer(Request request, HostReport report) throws IOException {
    boolean isJson =
        request.asks("format=json")
            || (!request.asks("format=text")
                && request.accept().choose(OFFERS).equals(OFFERS.get(1)));
    View view = View.of(request);
    ReportForm form = isJson ? json : text;
    return Answer.ok(isJson ? JSON : TEXT, ZippedBody.of(out -> form.write(report, view, out)));
  }
}
