/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.http.MediaType;
import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.http.Response;
import dev.cistern.exporter.http.ZippedBody;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PostMortem;
import dev.cistern.exporter.report.PostMortems;
import dev.cistern.exporter.view.LeaksJson;
import dev.cistern.exporter.view.LeaksText;
import dev.cistern.exporter.view.LiveJson;
import dev.cistern.exporter.view.LiveText;
import dev.cistern.exporter.view.MemoryJson;
import dev.cistern.exporter.view.MemoryText;
import dev.cistern.exporter.view.PostMortemJson;
import dev.cistern.exporter.view.PostMortemText;
import dev.cistern.exporter.view.VerdictJson;
import dev.cistern.exporter.view.VerdictText;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * {@code /postmortem/}: the hosts that have ended, and below it the last state of each. A path
 * segment is only compared with the stored entries, and is never used as a file name.
 */
public record PostMortemPage(PostMortems postMortems) implements Page {
  public static final String PATH = "/postmortem/";

  private static final int MOVED = 308;

  private static final List<MediaType> OFFERS =
      List.of(
          MediaType.parse("text/plain"),
          MediaType.parse(Response.JSON),
          MediaType.parse("text/html"));

  @Override
  public Response respond(Request request) throws IOException {
    String path = request.path().substring(PATH.length());
    if (path.isEmpty()) {
      return list(request);
    }
    int slash = path.indexOf('/');
    PostMortem found = postMortems.find(slash < 0 ? path : path.substring(0, slash));
    if (found == null) {
      return Response.line(Response.NOT_FOUND, "No post-mortem has this name. See " + PATH);
    }
    if (slash < 0) {
      return Response.line(MOVED, "See " + PATH + found.host().id() + "/")
          .with(Map.of("Location", found.host().id() + "/"));
    }
    return part(request, found, path.substring(slash + 1));
  }

  private Response list(Request request) throws IOException {
    List<PostMortem> all = postMortems.all();
    if (isJson(request)) {
      return Response.ok(Response.JSON, ZippedBody.of(out -> PostMortemJson.write(all, out)));
    }
    return text(request, "Post-mortems", PostMortemText.list(all));
  }

  private Response part(Request request, PostMortem found, String part) throws IOException {
    HostView state = postMortems.state(found);
    return switch (part) {
      case "" -> {
        if (isJson(request)) {
          yield Response.ok(
              Response.JSON, ZippedBody.of(out -> PostMortemJson.write(List.of(found), out)));
        }
        yield text(
            request,
            "Post-mortem " + found.host().id(),
            PostMortemText.summary(found, state, postMortems.history(found)));
      }
      case "verdict" -> report(request, state, VerdictText::write, VerdictJson::write);
      case "memory" -> report(request, state, MemoryText::write, MemoryJson::write);
      case "metrics" ->
          Response.ok(Response.TEXT, ZippedBody.of(out -> MetricsPage.writeLast(state, out)));
      case "leaks" -> report(request, state, LeaksText::write, LeaksJson::write);
      case "live" -> report(request, state, LiveText::write, LiveJson::write);
      case "heap" -> ProfilePage.respond(request, state, Map.of());
      default ->
          Response.line(
              Response.NOT_FOUND, "Available: verdict, memory, metrics, leaks, live, heap");
    };
  }

  private static Response report(Request request, HostView state, ReportForm text, ReportForm json)
      throws IOException {
    return new ReportPage(List::of, text, json).respond(request, state);
  }

  private static boolean isJson(Request request) {
    return request.asks("format=json")
        || (!request.asks("format=text") && request.accept().choose(OFFERS).equals(OFFERS.get(1)));
  }

  /** Returns plain text for a terminal, or the same text with links for a browser. */
  private static Response text(Request request, String title, PostMortemText text) {
    boolean isHtml =
        !request.asks("format=text") && request.accept().choose(OFFERS).equals(OFFERS.get(2));
    return isHtml
        ? Response.ok(Response.HTML, text.html(title)).with(PostMortemText.HEADERS)
        : Response.ok(Response.TEXT, text.plain());
  }
}
