/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * Ours over the best peer, within one run: for each case (all parameters but the peer), each of our
 * ways in is divided by the fastest peer.
 */
final class Ratios {
  /** The agent, without an endpoint and without sampling; relative to the repository. */
  static final String AGENT =
      "-javaagent:agent/target/cistern-agent.jar=listen=none,sampleInterval=0";

  private static final String PEER_METHOD = "netty";
  private static final Set<String> NOT_A_CASE = Set.of("peer", "kind");

  /** One measured time with half the width of its 99.9 % interval. */
  record Time(String name, double nanos, double error) {}

  /** The measurements of one case. */
  static final class Case {
    final String name;
    final List<Time> ours = new ArrayList<>();
    final List<Time> peers = new ArrayList<>();

    Case(String name) {
      this.name = name;
    }

    /** The fastest peer, or null where none was measured. */
    @Nullable Time bestPeer() {
      Time best = null;
      for (Time peer : peers) {
        if (best == null || peer.nanos < best.nanos) {
          best = peer;
        }
      }
      return best;
    }
  }

  private final Map<String, Case> cases = new LinkedHashMap<>();

  Ratios(Collection<RunResult> results) {
    for (RunResult result : results) {
      add(result);
    }
  }

  private void add(RunResult result) {
    String benchmark = result.getParams().getBenchmark();
    String method = benchmark.substring(benchmark.lastIndexOf('.') + 1);
    String owner = benchmark.substring(0, benchmark.lastIndexOf('.'));
    Map<String, String> parameters = new TreeMap<>();
    for (String key : result.getParams().getParamsKeys()) {
      if (!NOT_A_CASE.contains(key)) {
        parameters.put(key, result.getParams().getParam(key));
      }
    }
    String name = owner.substring(owner.lastIndexOf('.') + 1) + " " + parameters;
    Case measured = cases.computeIfAbsent(name, Case::new);
    Result<?> primary = result.getPrimaryResult();
    if (method.equals(PEER_METHOD)) {
      String peer = "netty " + result.getParams().getParam("peer");
      measured.peers.add(new Time(peer, primary.getScore(), primary.getScoreError()));
    } else {
      measured.ours.add(new Time(method, primary.getScore(), primary.getScoreError()));
    }
  }

  Collection<Case> cases() {
    return cases.values();
  }

  /** A Markdown table, a row for each of our ways in. Losses stand there like wins. */
  String table() {
    StringBuilder table = new StringBuilder();
    table.append(
        "| case | ours | ns | best peer | ns | ours / best peer |\n|---|---|---|---|---|---|\n");
    for (Case measured : cases.values()) {
      Time best = measured.bestPeer();
      for (Time time : measured.ours) {
        table.append(
            best == null
                ? row("%s | %s | %s | - | - | -", measured.name, time.name, nanos(time))
                : row(
                    "%s | %s | %s | %s | %s | %.2f",
                    measured.name,
                    time.name,
                    nanos(time),
                    best.name,
                    nanos(best),
                    time.nanos / best.nanos));
      }
      for (Time peer : measured.peers) {
        if (!peer.equals(best)) {
          table.append(row("%s | | | %s | %s | ", measured.name, peer.name, nanos(peer)));
        }
      }
    }
    return table.toString();
  }

  private static String row(String format, Object... values) {
    return "| " + String.format(Locale.ROOT, format, values) + " |\n";
  }

  private static String nanos(Time time) {
    return String.format(Locale.ROOT, "%.1f ± %.1f", time.nanos, time.error);
  }
}
