/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.http.ClientIdentity;
import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.http.Response;
import dev.cistern.exporter.report.CopyChunks;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.report.SiteLabel;
import dev.cistern.exporter.report.SiteStyle;
import dev.cistern.exporter.view.StateJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * {@code /state}: all data of the page at {@code /} except the stacks.
 *
 * @param actions returns the actions that a client may start
 */
public record StatePage(Hosts hosts, Function<ClientIdentity, List<String>> actions)
    implements Page {
  @Override
  public Response respond(Request request) throws IOException {
    List<HostView> all = hosts.all();
    HostView chosen = choose(all, request.parameter("host"));
    if (chosen != null && !chosen.isUp()) {
      chosen = hosts.siteReport(chosen); // scrapes select some sites, this page has all
    }
    if (chosen != null && !request.client().isTrusted()) {
      chosen = chosen.masked();
    }
    List<CopyChunks> chunks =
        chosen != null && chosen.isUp() ? hosts.chunks(chosen.id()) : List.of();
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    List<String> allowed = actions.apply(request.client());
    StateJson.write(json, all, chosen, chunks, allowed, siteNames(request.client()));
    return Response.ok(Response.JSON, json.toByteArray());
  }

  /** Returns the requested process. The default is a running process, if there is one. */
  static @Nullable HostView choose(List<HostView> all, String id) {
    return all.stream()
        .filter(host -> id.isEmpty() ? host.isUp() : host.id().equals(id))
        .findFirst()
        .orElse(id.isEmpty() && !all.isEmpty() ? all.get(0) : null);
  }

  /** Returns a function that maps the name of a site to the text that the client may see. */
  static UnaryOperator<String> siteNames(ClientIdentity client) {
    return client.siteStyle() == SiteStyle.NAMES ? UnaryOperator.identity() : SiteLabel::hashOfSite;
  }
}
