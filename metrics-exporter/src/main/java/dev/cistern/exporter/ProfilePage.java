/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.IOException;
import java.util.Map;

/** {@code /debug/pprof/heap}: the live profile for {@code go tool pprof} and its like. */
final class ProfilePage implements Page {
  private static final Map<String, String> HEADERS =
      Map.of("Content-Disposition", "attachment; filename=\"heap.pb.gz\"");

  private final Hosts hosts;

  ProfilePage(Hosts hosts) {
    this.hosts = hosts;
  }

  @Override
  public Answer answer(Request request) throws IOException {
    return HostChoice.answer(hosts, request, report -> answer(request, report));
  }

  /** Of one host. */
  static Answer answer(Request request, HostReport report) throws IOException {
    return Answer.ok(Answer.BINARY, HeapProfile.gzipped(report, request.asks("full=true")))
        .with(HEADERS);
  }
}
