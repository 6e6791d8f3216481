/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.microbench.host.Workloads;
import java.util.List;

/** Workloads of hosts on Netty, with and without the agent, both at their defaults. */
final class HostCases {
  private static final List<Variant> VARIANTS = List.of(Variant.AGENT, Variant.BARE);

  private HostCases() {}

  static List<Case> all() {
    return Workloads.all().stream().map(HostCases::of).toList();
  }

  private static Case of(Workloads.Entry entry) {
    Case one =
        new Case(entry.id(), entry.benchmark(), ThreadKind.LOOP, VARIANTS)
            .hosted(entry.warmups())
            .unless(entry.missing())
            .aimingAt(Target.NO_SLOWER);
    entry.parameters().forEach(one::with);
    return one;
  }
}
