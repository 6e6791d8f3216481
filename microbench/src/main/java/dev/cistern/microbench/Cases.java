/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static dev.cistern.microbench.ThreadKind.LOOP;
import static dev.cistern.microbench.ThreadKind.PLAIN;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** All cases, and the selection of those that a run measures. */
final class Cases {
  private static final List<Variant> EVERY_PEER =
      List.of(Variant.POOLED, Variant.POOLED_BEST, Variant.ADAPTIVE, Variant.ADAPTIVE_BEST);

  /**
   * Peers on event-loop threads for patterns without chunk allocation. There, the defaults of
   * Netty's pooled allocator perform as well as its best settings.
   */
  private static final List<Variant> STEADY_ON_LOOP =
      List.of(Variant.POOLED, Variant.ADAPTIVE_BEST);

  /** Peers on plain threads, for which no setting of the adaptive allocator provides magazines. */
  private static final List<Variant> STEADY_ON_PLAIN =
      List.of(Variant.POOLED, Variant.POOLED_BEST, Variant.ADAPTIVE_BEST);

  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final int LARGEST_SMALL_BYTES = 16 * KIB;
  private static final int CROWD = 8;

  /**
   * Twice the cores of a small machine, so that a thread is stopped while it holds a resource that
   * another thread needs.
   */
  private static final int SHARING = 4;

  private static final int FIRST_JDK_WITH_VIRTUAL_THREADS = 21;

  private final List<Case> all = new ArrayList<>();

  private Cases() {
    pairs();
    engine();
    bridge();
    nettyAllocator();
    leaks();
    uncached();
    large();
    lifetimes();
    handOffs();
    larson();
    cacheScratch();
    batches();
    phases();
    growth();
    shortThreads();
    crowd();
    virtualThreads();
    all.addAll(EngineCases.all());
    all.addAll(PairedCases.all());
    all.addAll(SeedCases.all());
    all.addAll(HostCases.all());
  }

  static List<Case> all() {
    return new Cases().all;
  }

  /** Returns the cases of a run; a publication has the peers of a first look. */
  static List<Case> select(BenchOptions options) {
    List<Case> selected = select(options.pattern(), options.quick(), options.everyPeer());
    if (options.topic() != null) {
      selected.forEach(one -> one.variants(mainPeers(one.variants())));
    }
    return selected;
  }

  /**
   * Returns the cases that match.
   *
   * @param expression regular expression to find in the id; empty for all cases
   * @param quick whether to run only a first look: fewer cases, and fewer peers unless {@code
   *     everyPeer} is set; if no matching case is in the first look, all matching cases
   * @param everyPeer whether to include the peers whose settings have the same effect on these
   *     threads
   */
  static List<Case> select(String expression, boolean quick, boolean everyPeer) {
    Pattern pattern = Pattern.compile(expression);
    List<Case> selected = all();
    selected.removeIf(one -> !pattern.matcher(one.id).find());
    if (quick && selected.stream().anyMatch(Case::isInFirstLook)) {
      selected.removeIf(one -> !one.isInFirstLook());
    }
    for (Case one : selected) {
      if (everyPeer) {
        one.variants(withEveryPeer(one.variants()));
      } else if (quick) {
        one.variants(mainPeers(one.variants()));
      }
    }
    return selected;
  }

  /** Returns Netty's pooled allocator at its defaults and the adaptive one at its best, or all. */
  private static List<Variant> mainPeers(List<Variant> variants) {
    List<Variant> fewer = new ArrayList<>(variants);
    if (fewer.contains(Variant.POOLED) && fewer.contains(Variant.ADAPTIVE_BEST)) {
      fewer.removeAll(List.of(Variant.POOLED_BEST, Variant.ADAPTIVE));
    }
    return fewer;
  }

  private static List<Variant> withEveryPeer(List<Variant> variants) {
    List<Variant> more = new ArrayList<>(variants);
    if (more.contains(Variant.POOLED)) {
      EVERY_PEER.stream().filter(peer -> !more.contains(peer)).forEach(more::add);
    }
    return more;
  }

  private Case add(String id, String benchmark, ThreadKind kind, List<Variant> variants) {
    Case added = new Case(id + "/" + kind.label(), benchmark, kind, variants);
    all.add(added);
    return added;
  }

  private static List<Variant> oursAnd(Variant ours, List<Variant> peers) {
    List<Variant> variants = new ArrayList<>();
    variants.add(ours);
    variants.addAll(peers);
    return variants;
  }

  private static List<Variant> steady(Variant ours, ThreadKind kind) {
    return oursAnd(ours, kind == LOOP ? STEADY_ON_LOOP : STEADY_ON_PLAIN);
  }

  private static List<Variant> changing() {
    return oursAnd(Variant.LIBRARY, EVERY_PEER);
  }

  private void pairs() {
    for (ThreadKind kind : ThreadKind.values()) {
      for (String memory : List.of("direct", "heap")) {
        for (int kib : new int[] {0, 1, 8, 16, 32, 64, 256, 1024}) {
          int bytes = kib == 0 ? 64 : kib * KIB;
          Case added =
              pair("pair/" + memory, memory, bytes, kind, steady(Variant.LIBRARY, kind))
                  .half()
                  .aimingAt(pairTarget(bytes, kind));
          boolean seen = memory.equals("direct") ? kib <= 1 || kib == 64 : kib == 1;
          if (seen && (kind == LOOP || (kib == 1 && memory.equals("direct")))) {
            added.first();
          }
        }
      }
    }
  }

  private static Target pairTarget(int bytes, ThreadKind kind) {
    if (bytes > LARGEST_SMALL_BYTES) {
      return Target.RUN;
    }
    return kind == LOOP ? Target.PAIR_LOOP : Target.PAIR_PLAIN;
  }

  private Case pair(String id, String memory, int bytes, ThreadKind kind, List<Variant> variants) {
    return add(id + "/" + size(bytes), "PairBenchmark." + memory, kind, variants)
        .with("bytes", bytes);
  }

  private void engine() {
    for (int bytes : new int[] {64, KIB, 64 * KIB}) {
      pair("engine/direct", "direct", bytes, LOOP, List.of(Variant.ENGINE, Variant.ADAPTIVE_BEST));
    }
  }

  private void bridge() {
    for (int bytes : new int[] {64, KIB, 8 * KIB, 16 * KIB, 64 * KIB, MIB}) {
      Case added =
          pair("bridge/direct", "direct", bytes, LOOP, steady(Variant.BRIDGE, LOOP))
              .aimingAt(Target.BRIDGE);
      if (bytes == KIB) {
        added.first();
      }
      pair("bridge/heap", "heap", bytes, LOOP, steady(Variant.BRIDGE, LOOP))
          .aimingAt(Target.BRIDGE);
    }
    for (int bytes : new int[] {64, KIB, 64 * KIB}) {
      pair("bridge/direct", "direct", bytes, PLAIN, steady(Variant.BRIDGE, PLAIN))
          .aimingAt(Target.BRIDGE);
    }
  }

  private void nettyAllocator() {
    List<Variant> variants =
        List.of(
            Variant.NETTY_ALLOCATOR,
            Variant.NETTY_ALLOCATOR_SAMPLED,
            Variant.POOLED_BEST,
            Variant.ADAPTIVE_BEST);
    for (ThreadKind kind : ThreadKind.values()) {
      for (int bytes : new int[] {64, KIB, 8 * KIB, 64 * KIB}) {
        pair("netty-allocator/direct", "direct", bytes, kind, variants)
            .half()
            .aimingAt(Target.NETTY_ALLOCATOR);
      }
    }
  }

  private void leaks() {
    List<Variant> variants =
        List.of(
            Variant.BRIDGE_SAMPLED,
            Variant.BRIDGE_DEFAULTS,
            Variant.BRIDGE,
            Variant.POOLED_LEAKS,
            Variant.ADAPTIVE_LEAKS);
    for (int bytes : new int[] {64, KIB, 16 * KIB}) {
      Case added = pair("leaks/direct", "direct", bytes, LOOP, variants).aimingAt(Target.LEAKS);
      if (bytes == KIB) {
        added.first();
      }
    }
    for (int bytes : new int[] {64, KIB, 16 * KIB, MIB, 8 * MIB}) {
      pair(
              "leaks/library",
              "direct",
              bytes,
              LOOP,
              List.of(Variant.LIBRARY, Variant.LIBRARY_UNWATCHED))
          .aimingAt(Target.LEAKS);
    }
  }

  private void uncached() {
    List<Variant> variants = List.of(Variant.LIBRARY_UNCACHED, Variant.POOLED_UNCACHED);
    for (String memory : List.of("direct", "heap")) {
      for (int bytes : new int[] {8 * KIB, 16 * KIB, 64 * KIB}) {
        Case added =
            pair("I1-no-cache/" + memory, memory, bytes, PLAIN, variants)
                .half()
                .aimingAt(Target.UNCACHED);
        if (bytes == 16 * KIB && memory.equals("direct")) {
          added.first();
        }
      }
    }
  }

  private void large() {
    for (int mib : new int[] {1, 4, 16}) {
      Case untouched =
          add("large/untouched/" + size(mib * MIB), "LargeBenchmark.untouched", LOOP, changing())
              .with("bytes", mib * MIB)
              .aimingAt(Target.LARGE_UNTOUCHED);
      Case touched =
          add("large/touched/" + size(mib * MIB), "LargeBenchmark.touched", LOOP, changing())
              .with("bytes", mib * MIB)
              .aimingAt(Target.LARGE_TOUCHED);
      if (mib == 4) {
        untouched.first();
        touched.first();
      }
    }
  }

  private void lifetimes() {
    for (ThreadKind kind : ThreadKind.values()) {
      for (SizeMix mix : new SizeMix[] {SizeMix.PROXY, SizeMix.GATEWAY}) {
        for (int live : new int[] {128, 1024, 65_536}) {
          String label = mix.name().toLowerCase(Locale.ROOT);
          Case added =
              add(
                      "lifetime/" + label + "/" + live + "-live",
                      "LifetimeBenchmark.replace",
                      kind,
                      changing())
                  .with("live", live)
                  .with("mix", mix)
                  .aimingAt(live == 128 ? Target.NONE : Target.LIFETIME);
          boolean ends = live == (mix == SizeMix.PROXY ? 1024 : 65_536);
          if (kind == LOOP && ends) {
            added.first();
          }
        }
      }
    }
  }

  private void handOffs() {
    for (ThreadKind kind : ThreadKind.values()) {
      for (int bytes : new int[] {KIB, 16 * KIB}) {
        Case added =
            add("hand-off/" + size(bytes), "HandOffBenchmark.handOff", kind, changing())
                .with("bytes", bytes)
                .netOfNothing()
                .countingMiddleHalf()
                .aimingAt(Target.SHARED);
        if (kind == LOOP && bytes == KIB) {
          added.first();
        }
      }
    }
  }

  private void larson() {
    for (ThreadKind kind : ThreadKind.values()) {
      Case added =
          add("larson/" + SHARING + "-threads", "LarsonBenchmark.replace", kind, changing())
              .onThreads(SHARING)
              .countingMiddleHalf()
              .aimingAt(Target.SHARED);
      if (kind == LOOP) {
        added.first();
      }
    }
  }

  private void cacheScratch() {
    add("cache-scratch/" + SHARING + "-threads", "CacheScratchBenchmark.scratch", LOOP, changing())
        .onThreads(SHARING);
  }

  private void batches() {
    add("sh6/1-thread", "BatchBenchmark.sh6", LOOP, changing());
    for (ThreadKind kind : ThreadKind.values()) {
      Case added =
          add("sh8/" + SHARING + "-threads", "BatchBenchmark.sh8", kind, changing())
              .onThreads(SHARING)
              .countingMiddleHalf()
              .aimingAt(Target.SHARED);
      if (kind == LOOP) {
        added.first();
      }
    }
  }

  private void phases() {
    add("mstress/4-threads", "PhasesBenchmark.phase", LOOP, changing()).first();
    add("mstress/4-threads", "PhasesBenchmark.phase", PLAIN, changing());
  }

  private void growth() {
    add("growth/64B-to-1MiB", "GrowthBenchmark.grow", LOOP, changing()).first();
  }

  private void shortThreads() {
    add("short-threads/10000", "ShortThreadsBenchmark.threads", LOOP, changing())
        .netOfNothing()
        .first();
    add("short-threads/10000", "ShortThreadsBenchmark.threads", PLAIN, changing()).netOfNothing();
  }

  private void virtualThreads() {
    add("virtual-threads/10000", "VirtualThreadsBenchmark.threads", PLAIN, changing())
        .fromJdk(FIRST_JDK_WITH_VIRTUAL_THREADS)
        .aimingAt(Target.VIRTUAL)
        .first();
  }

  private void crowd() {
    for (ThreadKind kind : ThreadKind.values()) {
      Case added =
          pair("crowd-" + CROWD + "/direct", "direct", KIB, kind, steady(Variant.LIBRARY, kind))
              .onThreads(CROWD)
              .aimingAt(Target.CROWD);
      if (kind == LOOP) {
        added.first();
      }
    }
  }

  /** Returns a size such as 64B, 16KiB or 4MiB. */
  static String size(int bytes) {
    if (bytes >= MIB) {
      return bytes / MIB + "MiB";
    }
    return bytes >= KIB ? bytes / KIB + "KiB" : bytes + "B";
  }
}
