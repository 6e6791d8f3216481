/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.IOException;
import java.util.List;

/**
 * The host that a request is about: the one of {@code ?host=ID}, or the only one there is. Pages
 * with stacks show one host at a time.
 */
final class HostChoice {
  private static final int NOT_FOUND = 404;
  private static final int WHICH_ONE = 400;

  private HostChoice() {}

  /** Makes an answer of a host's report. */
  @FunctionalInterface
  interface Answering {
    Answer answer(HostReport report) throws IOException;
  }

  static Answer answer(Hosts hosts, Request request, Answering page) throws IOException {
    List<HostState> all = hosts.all();
    String wanted = request.parameter("host");
    for (HostState state : all) {
      boolean isChosen =
          wanted.isEmpty() ? all.size() == 1 : state.report().host().id().equals(wanted);
      if (isChosen) {
        return page.answer(hosts.whole(state));
      }
    }
    if (all.isEmpty()) {
      return Answer.line(NOT_FOUND, "There is no host.");
    }
    String problem =
        wanted.isEmpty() ? "Which host? Add ?host=ID." : "There is no such host. Which one?";
    return Answer.line(wanted.isEmpty() ? WHICH_ONE : NOT_FOUND, problem + "\n" + list(all));
  }

  private static String list(List<HostState> all) {
    StringBuilder lines = new StringBuilder();
    for (HostState state : all) {
      HostIdentity host = state.report().host();
      lines.append("  ").append(host.id()).append("  ").append(words(state.state()));
      lines.append("  ").append(Text.plain(host.application())).append('\n');
    }
    return lines.toString();
  }

  /** A state for people. */
  static String words(HostState.State state) {
    return switch (state) {
      case UP -> "runs";
      case EXITED -> "has shut down";
      case DIED -> "has died";
    };
  }
}
