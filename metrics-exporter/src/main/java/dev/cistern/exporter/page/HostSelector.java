/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.http.Response;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.report.TextFormat;
import java.io.IOException;
import java.util.List;

/**
 * Selects the host of a request: the one in {@code ?host=ID}, or the only host. Pages with stacks
 * show one host at a time.
 */
public final class HostSelector {
  private HostSelector() {}

  /** Creates a response from a host's report. */
  @FunctionalInterface
  interface Responder {
    Response respond(HostView report) throws IOException;
  }

  /** Source of the report of the chosen host. */
  @FunctionalInterface
  interface Reading {
    HostView read(HostView state) throws IOException;
  }

  static Response respond(Hosts hosts, Request request, Responder page) throws IOException {
    return respond(hosts, request, hosts::fullReport, page);
  }

  static Response respond(Hosts hosts, Request request, Reading reading, Responder page)
      throws IOException {
    List<HostView> all = hosts.all();
    String wanted = request.parameter("host");
    for (HostView state : all) {
      boolean isChosen = wanted.isEmpty() ? all.size() == 1 : state.id().equals(wanted);
      if (isChosen) {
        return page.respond(reading.read(state));
      }
    }
    if (all.isEmpty()) {
      return Response.line(Response.NOT_FOUND, "There is no host.");
    }
    String problem =
        wanted.isEmpty() ? "Which host? Add ?host=ID." : "There is no such host. Which one?";
    return Response.line(
        wanted.isEmpty() ? Response.BAD_REQUEST : Response.NOT_FOUND, problem + "\n" + list(all));
  }

  private static String list(List<HostView> all) {
    StringBuilder lines = new StringBuilder();
    for (HostView state : all) {
      lines.append("  ").append(state.id()).append("  ").append(state.state().words());
      lines.append("  ").append(TextFormat.plain(state.application())).append('\n');
    }
    return lines.toString();
  }
}
