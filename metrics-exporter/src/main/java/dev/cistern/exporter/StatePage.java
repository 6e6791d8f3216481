/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@code /state}: all that the page at {@code /} shows, but for the stacks. */
final class StatePage implements Page {
  private static final String JSON = "application/json";

  private final Hosts hosts;

  StatePage(Hosts hosts) {
    this.hosts = hosts;
  }

  @Override
  public Answer answer(Request request) throws IOException {
    List<HostState> all = hosts.all();
    HostState chosen = choose(all, request.parameter("host"));
    if (chosen != null && !chosen.isUp()) {
      // Of a host that is gone, only what scrapes show is at hand.
      chosen = new HostState(hosts.sites(chosen), chosen.state(), chosen.heartbeatMillis());
    }
    List<CopyChunks> chunks =
        chosen != null && chosen.isUp() ? hosts.chunks(chosen.report().host().id()) : List.of();
    return Answer.ok(JSON, new StateJson(siteNames(request.caller())).write(all, chosen, chunks));
  }

  /** The host that is asked for; without a wish one that lives, if there is one. */
  private static @Nullable HostState choose(List<HostState> all, String id) {
    if (id.isEmpty()) {
      return all.stream()
          .filter(HostState::isUp)
          .findFirst()
          .orElse(all.isEmpty() ? null : all.get(0));
    }
    return all.stream()
        .filter(host -> host.report().host().id().equals(id))
        .findFirst()
        .orElse(null);
  }

  /** Sites as whoever asks may know them; by their whole names, as in {@code /leaks}. */
  private static UnaryOperator<String> siteNames(Caller caller) {
    return caller.siteStyle() == SiteStyle.NAMES ? UnaryOperator.identity() : SiteLabel::hashOfSite;
  }
}
