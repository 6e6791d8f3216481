/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** All scenarios. */
public final class Scenarios {
  private static final String OBSERVE = "observe";
  private static final String SWAP = "swap";
  private static final String NETTY41 = "4.1";
  private static final String NETTY42 = "4.2";
  private static final String GRPC = "grpc";
  private static final String GRPC_SHADED = "grpc-shaded";

  /** Small generations, so that a young collection happens every few seconds. */
  private static final String[] SMALL = {"-Xmx96m", "-Xmn12m"};

  /** A young generation that does not fill up during a run. */
  private static final String[] LARGE = {
    "-Xms500m", "-Xmx500m", "-Xmn400m", "-XX:MetaspaceSize=128m"
  };

  private static final List<Scenario> FAULTS = faults();
  private static final List<Scenario> HEALTHY = healthy();

  private Scenarios() {}

  /** Returns the scenarios with a fault. */
  public static List<Scenario> allFaults() {
    return FAULTS;
  }

  /** Returns the scenarios without a fault. */
  public static List<Scenario> allHealthy() {
    return HEALTHY;
  }

  /** Returns the short forms, one of each of seven kinds. */
  public static List<Scenario> shortFaults() {
    return FAULTS.stream().filter(Scenario::isShort).toList();
  }

  /**
   * Returns the scenario of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Scenario named(String name) {
    return Stream.concat(FAULTS.stream(), HEALTHY.stream())
        .filter(scenario -> scenario.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("scenario: '" + name + "' does not exist"));
  }

  private static List<Scenario> faults() {
    List<Scenario> all = new ArrayList<>();
    leaks(all);
    memoryOfNetty(all);
    memoryOutsideNetty(all);
    heldBuffers(all);
    return List.copyOf(all);
  }

  private static void leaks(List<Scenario> all) {
    all.add(leak("dropped", SWAP, NETTY41, "leak-dropped").asExample().inShort());
    all.add(leak("dropped", OBSERVE, NETTY42, "leak-dropped", "allocator=pooled"));
    all.add(leak("dropped-25", OBSERVE, NETTY41, "leak-dropped").onJdk(25));
    all.add(leak("dropped-large", SWAP, NETTY42, "leak-dropped", "size=200", "rate=2048"));
    all.add(leak("retained", SWAP, NETTY42, "leak-retained"));
    all.add(leak("retained", OBSERVE, NETTY41, "leak-retained"));
    all.add(leak("cancelled", SWAP, NETTY41, "leak-cancelled"));
    all.add(leak("cancelled", OBSERVE, NETTY42, "leak-cancelled"));
    all.add(leak("composite", SWAP, NETTY42, "leak-composite"));
    all.add(leak("composite", OBSERVE, NETTY41, "leak-composite"));
    all.add(leak("slow", SWAP, NETTY41, "leak-dropped", "rate=256"));
    all.add(leak("slow", OBSERVE, NETTY42, "leak-dropped", "rate=256", "allocator=pooled"));
    all.add(leak("slow-25", SWAP, NETTY42, "leak-retained", "rate=256").onJdk(25));
  }

  private static Scenario leak(
      String name, String mode, String netty, String workload, String... arguments) {
    return fault("leak-" + name, "leak", mode, netty, workload, arguments).jvm(SMALL);
  }

  private static void memoryOfNetty(List<Scenario> all) {
    all.add(burst("1g", NETTY41, "mib=1024", "allocator=pooled").asExample());
    all.add(burst("1g", NETTY42, "mib=1024", "allocator=pooled"));
    // the adaptive allocator frees its chunks, and malloc may keep their memory
    all.add(burst("adaptive-1g", NETTY41, "mib=1024", "allocator=adaptive").or("malloc"));
    all.add(burst("adaptive-1g", NETTY42, "mib=1024", "allocator=adaptive").or("malloc"));
    all.add(burst("512m-25", NETTY41, "mib=512", "allocator=pooled").onJdk(25));
    all.add(burst("heap", NETTY42, "mib=280", "allocator=pooled", "memory=heap").jvm("-Xmx512m"));
    all.add(burst("twice", NETTY41, "mib=1024", "bursts=2", "hold=5", "allocator=pooled"));

    all.add(duplicates("pooled-20", NETTY41, "count=20").asExample());
    all.add(duplicates("pooled-20", NETTY42, "count=20"));
    all.add(duplicates("pooled-8", NETTY41, "count=8"));
    all.add(duplicates("adaptive-16", NETTY41, "count=16", "allocator=adaptive"));
    all.add(duplicates("adaptive-16", NETTY42, "count=16", "allocator=adaptive"));

    all.add(giant("aggregate", OBSERVE, NETTY41, "how=aggregate").asExample());
    all.add(giant("aggregate", SWAP, NETTY42, "how=aggregate"));
    all.add(giant("response", SWAP, NETTY41, "how=response"));
    all.add(giant("response", OBSERVE, NETTY42, "how=response"));
    all.add(giant("heap", OBSERVE, NETTY41, "how=heap", "mib=256").jvm("-Xmx512m"));

    all.add(threads("500", SWAP, NETTY41, "threads=500"));
    all.add(threads("500", OBSERVE, NETTY42, "threads=500").asExample().inShort());
    all.add(threads("300", OBSERVE, NETTY41, "threads=300", "wake=10"));
    all.add(threads("300-25", SWAP, NETTY42, "threads=300", "wake=10").onJdk(25));

    all.add(limit("swing", SWAP, NETTY41, "low=40", "high=93"));
    all.add(limit("swing", OBSERVE, NETTY42, "low=40", "high=95"));
    all.add(limit("steady", OBSERVE, NETTY41, "low=93", "high=93").asExample().inShort());
    all.add(limit("steady-25", SWAP, NETTY42, "low=93", "high=93").onJdk(25));
    all.add(
        limit("netty", OBSERVE, NETTY42, "low=40", "high=95")
            .jvm("-Dio.netty.maxDirectMemory=" + (320 << 20)));
  }

  private static Scenario burst(String name, String netty, String... arguments) {
    return fault("retention-" + name, "retention", OBSERVE, netty, "burst", arguments);
  }

  private static Scenario duplicates(String name, String netty, String... arguments) {
    return fault(
        "duplicate-" + name, "duplicate_allocators", OBSERVE, netty, "allocators", arguments);
  }

  private static Scenario giant(String name, String mode, String netty, String... arguments) {
    return fault("giant-" + name, "giant_request", mode, netty, "giant", arguments);
  }

  private static Scenario threads(String name, String mode, String netty, String... arguments) {
    return fault("threads-" + name, "many_threads", mode, netty, "many-threads", arguments);
  }

  private static Scenario limit(String name, String mode, String netty, String... arguments) {
    return fault("limit-" + name, "limit_too_small", mode, netty, "near-limit", arguments)
        .jvm("-XX:MaxDirectMemorySize=320m");
  }

  private static void memoryOutsideNetty(List<Scenario> all) {
    // no collection for minutes, then some that free all at once
    all.add(collector("g1", OBSERVE, NETTY41, "garbage=0").jvm(LARGE).asExample());
    all.add(collector("parallel", SWAP, NETTY42, "garbage=0").jvm(with(LARGE, "Parallel")));
    all.add(collector("g1-some", SWAP, NETTY41, "rate=8192", "garbage=4").jvm(LARGE));
    all.add(
        collector("parallel-some", OBSERVE, NETTY42, "rate=8192", "garbage=4")
            .jvm(with(LARGE, "Parallel")));
    all.add(
        collector("at-limit-25", OBSERVE, NETTY41, "rate=8192", "garbage=0")
            .jvm(
                "-Xms500m",
                "-Xmx500m",
                "-Xmn400m",
                "-XX:MetaspaceSize=128m",
                "-XX:MaxDirectMemorySize=640m")
            .onJdk(25));

    all.add(outside("jdk_direct", "images", OBSERVE, NETTY41, "direct-kept").inShort());
    all.add(outside("jdk_direct", "images", SWAP, NETTY42, "direct-kept").asExample());
    all.add(outside("jdk_direct", "large", SWAP, NETTY41, "direct-kept", "size=1024").onJdk(25));
    all.add(
        outside("mapped_files", "index", SWAP, NETTY41, "mapped", "rate=3072", "mib=1200")
            .asExample()
            .inShort());
    all.add(outside("mapped_files", "index", OBSERVE, NETTY42, "mapped", "rate=3072", "mib=1200"));
    all.add(outside("metaspace", "plugins", OBSERVE, NETTY42, "plugins").asExample().inShort());
    all.add(outside("metaspace", "plugins", SWAP, NETTY41, "plugins"));
    all.add(outside("java_heap", "sessions", SWAP, NETTY42, "heap-kept").jvm("-Xmx512m"));
    all.add(
        outside("java_heap", "sessions", OBSERVE, NETTY41, "heap-kept")
            .jvm("-Xmx512m")
            .asExample());
    all.add(outside("malloc", "codec", OBSERVE, NETTY41, "malloc").asExample());
    all.add(outside("malloc", "codec", SWAP, NETTY42, "malloc", "threads=32"));
    all.add(outside("malloc", "codec-25", OBSERVE, NETTY42, "malloc", "threads=16").onJdk(25));
  }

  private static Scenario collector(String name, String mode, String netty, String... arguments) {
    return fault("collector-" + name, "collector", mode, netty, "direct-dropped", arguments);
  }

  private static String[] with(String[] options, String collector) {
    return Stream.concat(Stream.of(options), Stream.of("-XX:+Use" + collector + "GC"))
        .toArray(String[]::new);
  }

  private static Scenario outside(
      String kind, String name, String mode, String netty, String workload, String... arguments) {
    return fault(kind + "-" + name, kind, mode, netty, workload, arguments);
  }

  private static void heldBuffers(List<Scenario> all) {
    all.add(slowReader("http1", SWAP, NETTY41, "slow-reader").asExample().inShort());
    all.add(slowReader("http1", SWAP, NETTY42, "slow-reader"));
    all.add(slowReader("http1", OBSERVE, NETTY41, "slow-reader"));
    all.add(slowReader("http1", OBSERVE, NETTY42, "slow-reader"));
    for (String mode : List.of(SWAP, OBSERVE)) {
      for (String netty : List.of(NETTY41, NETTY42)) {
        all.add(slowReader("http2", mode, netty, "slow-reader", "protocol=http2"));
        all.add(slowReader("websocket", mode, netty, "broadcast", "size=256"));
      }
    }

    all.add(unread("trickle", SWAP, NETTY41).asExample());
    all.add(unread("trickle", OBSERVE, NETTY42, "clients=32", "first=3072"));
    all.add(unread("queue", SWAP, NETTY42, "how=queue"));
    all.add(unread("queue", OBSERVE, NETTY41, "how=queue", "clients=8", "first=12288"));

    // only collections show that a slice that shares a count is no garbage
    all.add(pinned("slices", OBSERVE, NETTY41, "allocator=pooled").asExample());
    all.add(pinned("slices", SWAP, NETTY42).jvm(SMALL));
    all.add(
        pinned("shared", OBSERVE, NETTY42, "allocator=pooled", "how=shared", "entries=200")
            .jvm(SMALL));
    all.add(
        pinned("nested", OBSERVE, NETTY42, "allocator=adaptive", "how=nested", "entries=200")
            .jvm(SMALL));
    all.add(pinned("nested", SWAP, NETTY41, "how=nested"));

    all.add(orphaned("kept", OBSERVE, GRPC, "then=keep").asExample());
    all.add(orphaned("kept", SWAP, GRPC_SHADED, "then=keep"));
    all.add(orphaned("garbage", SWAP, GRPC).jvm(SMALL));
    all.add(orphaned("garbage", OBSERVE, GRPC_SHADED).jvm(SMALL));
  }

  private static Scenario slowReader(
      String name, String mode, String netty, String workload, String... arguments) {
    return fault("slow-consumer-" + name, "slow_consumer", mode, netty, workload, arguments);
  }

  private static Scenario unread(String name, String mode, String netty, String... arguments) {
    return fault("unread-" + name, "unread_bodies", mode, netty, "trickle", arguments);
  }

  private static Scenario pinned(String name, String mode, String netty, String... arguments) {
    return fault("pinned-" + name, "pinned_by_slices", mode, netty, "slice-cache", arguments);
  }

  private static Scenario orphaned(String name, String mode, String netty, String... arguments) {
    return fault("orphaned-" + name, "orphaned_by_cancel", mode, netty, "grpc-cancel", arguments);
  }

  private static Scenario fault(
      String name, String kind, String mode, String netty, String workload, String... arguments) {
    int deadline =
        switch (kind) {
          case "leak",
              "growth",
              "limit_too_small",
              "slow_consumer",
              "unread_bodies",
              "pinned_by_slices",
              "orphaned_by_cancel" ->
              60;
          case "retention" -> 180;
          default -> 300;
        };
    return scenario(name, List.of(kind), deadline, mode, netty, workload, arguments);
  }

  private static Scenario scenario(
      String name,
      List<String> expected,
      int deadline,
      String mode,
      String netty,
      String workload,
      String... arguments) {
    String full = String.join("-", name.replace('_', '-'), mode, netty).toLowerCase(Locale.ROOT);
    return new Scenario(
        full,
        workload,
        List.of(arguments),
        List.of(),
        expected,
        deadline,
        mode,
        netty,
        17,
        false,
        false);
  }

  private static List<Scenario> healthy() {
    List<Scenario> all = new ArrayList<>();
    all.add(healthy("cache-fills", SWAP, NETTY41, "cache", "seconds=300"));
    all.add(healthy("steady-rpc", OBSERVE, NETTY42, "rpc"));
    all.add(healthy("bursty", SWAP, NETTY42, "burst", "mib=128", "hold=3", "every=60"));
    all.add(healthy("periodic-batch", OBSERVE, NETTY41, "burst", "mib=256", "every=210"));
    all.add(healthy("mapped-index", SWAP, NETTY41, "mapped", "rate=4096", "mib=480"));
    all.add(healthy("many-classes", OBSERVE, NETTY42, "plugins", "rate=2", "seconds=120"));
    all.add(healthy("heap-sawtooth", SWAP, NETTY42, "heap-sawtooth").jvm("-Xmx400m"));
    all.add(healthy("two-allocators", OBSERVE, NETTY41, "allocators", "count=2"));
    all.add(healthy("websocket", SWAP, NETTY41, "websocket"));
    all.add(
        healthy(
            "file-upload",
            OBSERVE,
            NETTY42,
            "trickle",
            "clients=4",
            "body=5120",
            "first=0",
            "rate=8192"));
    all.add(healthy("downloads", OBSERVE, NETTY41, "slow-reader", "polite=yes", "rate=102400"));
    all.add(
        healthy("chat", SWAP, NETTY42, "broadcast", "clients=0", "fast=20", "size=4", "send=1024"));
    all.add(
        healthy(
            "frame-cache", SWAP, NETTY41, "slice-cache", "how=copy", "size=64", "entries=1000"));
    all.add(healthy("grpc-cancel", OBSERVE, GRPC, "grpc-cancel", "then=drain", "cancel=5"));
    all.add(healthy("grpc-cancel", SWAP, GRPC_SHADED, "grpc-cancel", "then=drain", "cancel=5"));
    all.add(healthy("large-heap-small-pool", SWAP, NETTY42, "heap-large").jvm("-Xmx512m"));
    all.add(healthy("thread-pool-64", OBSERVE, NETTY41, "rpc", "threads=64", "requests=2"));
    all.add(healthy("direct-buffers-cached", SWAP, NETTY41, "direct-reused"));
    all.add(healthy("warm-up", OBSERVE, NETTY42, "warm-up"));
    all.add(healthy("queue-plateau", SWAP, NETTY42, "cache", "rate=2048", "seconds=100"));
    all.add(healthy("steady-rpc-25", OBSERVE, NETTY41, "rpc", "threads=8").onJdk(25));
    return List.copyOf(all);
  }

  private static Scenario healthy(
      String name, String mode, String netty, String workload, String... arguments) {
    return scenario(name, List.of(), 0, mode, netty, workload, arguments);
  }
}
