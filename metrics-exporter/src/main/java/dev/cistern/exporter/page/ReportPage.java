/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.http.MediaType;
import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.http.Response;
import dev.cistern.exporter.http.ZippedBody;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.view.ReportOptions;
import java.io.IOException;
import java.util.List;

/**
 * A report of one host, as text for a terminal or as JSON.
 *
 * @param isMeasured whether the request measures the resident memory
 */
public record ReportPage(Hosts hosts, ReportForm text, ReportForm json, boolean isMeasured)
    implements Page {
  private static final List<MediaType> OFFERS =
      List.of(MediaType.parse("text/plain"), MediaType.parse(Response.JSON));

  /** Creates the page of a report that does not measure resident memory. */
  public ReportPage(Hosts hosts, ReportForm text, ReportForm json) {
    this(hosts, text, json, false);
  }

  @Override
  public Response respond(Request request) throws IOException {
    return HostSelector.respond(
        hosts,
        request,
        isMeasured ? hosts::measured : hosts::fullReport,
        report -> respond(request, report));
  }

  /** Returns the report of one host. */
  Response respond(Request request, HostView report) throws IOException {
    boolean isJson =
        request.asks("format=json")
            || (!request.asks("format=text")
                && request.accept().choose(OFFERS).equals(OFFERS.get(1)));
    ReportOptions options = ReportOptions.of(request);
    ReportForm form = isJson ? json : text;
    return Response.ok(
        isJson ? Response.JSON : Response.TEXT,
        ZippedBody.of(out -> form.write(report, options, out)));
  }
}
