/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.http.Response;
import dev.cistern.exporter.profile.HeapProfile;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.leak.report.AllocationReport;
import java.io.IOException;
import java.util.Map;

/** {@code /debug/pprof/heap}: the live profile for {@code go tool pprof} and compatible tools. */
public record ProfilePage(Hosts hosts) implements Page {
  private static final Map<String, String> HEADERS =
      Map.of("Content-Disposition", "attachment; filename=\"heap.pb.gz\"");

  @Override
  public Response respond(Request request) throws IOException {
    return HostSelector.respond(
        hosts, request, report -> respond(request, report, hosts.allocations(report)));
  }

  /** Returns the profile of one host. */
  static Response respond(
      Request request, HostView report, Map<String, AllocationReport> allocations)
      throws IOException {
    boolean isFull = request.asks("full=true");
    return Response.ok(Response.BINARY, HeapProfile.gzipped(report, allocations, isFull))
        .with(HEADERS);
  }
}
