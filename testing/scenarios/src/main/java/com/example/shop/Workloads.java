/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import java.util.Map;

/** All workloads by name. */
public final class Workloads {
  private static final Map<String, Workload> ALL =
      Map.ofEntries(
          Map.entry("leak-dropped", Orders.on("dropped")),
          Map.entry("leak-retained", Orders.on("retained")),
          Map.entry("leak-composite", Orders.on("composite")),
          Map.entry("leak-cancelled", Orders::cancelled),
          Map.entry("burst", Campaigns::burst),
          Map.entry("giant", Campaigns::giant),
          Map.entry("near-limit", Campaigns::nearLimit),
          Map.entry("direct-dropped", Images::dropped),
          Map.entry("direct-kept", Images::kept),
          Map.entry("direct-reused", Images::reused),
          Map.entry("mapped", Images::mapped),
          Map.entry("plugins", Plugins::load),
          Map.entry("heap-kept", Sessions::kept),
          Map.entry("heap-large", Sessions::largeHeap),
          Map.entry("heap-sawtooth", Sessions::sawtooth),
          Map.entry("cache", Sessions::cache),
          Map.entry("websocket", Sessions::webSockets),
          Map.entry("allocators", Servers::withOwnAllocators),
          Map.entry("many-threads", Servers::manyThreads),
          Map.entry("rpc", Servers::rpc),
          Map.entry("slow-reader", Downloads::export),
          Map.entry("broadcast", Downloads::broadcast),
          Map.entry("trickle", Uploads::bodies),
          Map.entry("slice-cache", Uploads::frames),
          // a method reference would load the classes of gRPC, which most runs lack
          Map.entry("grpc-cancel", shop -> Calls.search(shop)),
          Map.entry("warm-up", Servers::warmUp),
          Map.entry("malloc", Natives::churn));

  private Workloads() {}

  /**
   * Returns a workload.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  public static Workload named(String name) {
    Workload workload = ALL.get(name);
    if (workload == null) {
      throw new IllegalArgumentException(
          "workload: '" + name + "' (expected: " + ALL.keySet() + ")");
    }
    return workload;
  }
}
