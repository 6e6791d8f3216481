/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static dev.cistern.microbench.ThreadKind.LOOP;
import static dev.cistern.microbench.ThreadKind.PLAIN;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Cases that compare the library with Netty's allocators at their best settings, in the patterns
 * that have a target for the engine. The name of each case begins with {@code engine/}.
 */
final class EngineCases {
  private static final List<Variant> PEERS =
      List.of(Variant.LIBRARY, Variant.POOLED_BEST, Variant.ADAPTIVE_BEST);
  private static final List<Variant> PEERS_AND_FLOOR =
      List.of(Variant.LIBRARY, Variant.POOLED_BEST, Variant.ADAPTIVE_BEST, Variant.FLOOR);

  private static final int KIB = 1 << 10;
  private static final int CROWD = 8;

  /** 15 s. */
  private static final int CROWD_WARMUPS = 38;

  /** 5 s. */
  private static final int TAIL_WARMUPS = 12;

  private final List<Case> all = new ArrayList<>();

  private EngineCases() {
    pairs();
    lifetimes();
    handOffs();
    crowd();
    tail();
  }

  static List<Case> all() {
    return new EngineCases().all;
  }

  private Case add(
      String what, String benchmark, ThreadKind kind, List<Variant> variants, Target target) {
    Case added =
        new Case("engine/" + what + "/" + kind.label(), benchmark, kind, variants).aimingAt(target);
    all.add(added);
    return added;
  }

  private void pairs() {
    for (int bytes : new int[] {64, 256, KIB, 4 * KIB, 8 * KIB, 16 * KIB}) {
      pair(bytes, LOOP, PEERS_AND_FLOOR, Target.ENGINE_PAIR_LOOP);
      pair(bytes, PLAIN, PEERS, Target.ENGINE_PAIR_PLAIN);
    }
    for (int bytes : new int[] {64 * KIB, KIB * KIB}) {
      pair(bytes, LOOP, PEERS, Target.ENGINE_RUN);
      pair(bytes, PLAIN, PEERS, Target.ENGINE_RUN);
    }
  }

  private void pair(int bytes, ThreadKind kind, List<Variant> variants, Target target) {
    add("pair/" + Cases.size(bytes), "PairBenchmark.direct", kind, variants, target)
        .with("bytes", bytes)
        .half();
  }

  private void lifetimes() {
    for (ThreadKind kind : ThreadKind.values()) {
      for (SizeMix mix : new SizeMix[] {SizeMix.PROXY, SizeMix.GATEWAY}) {
        String label = mix.name().toLowerCase(Locale.ROOT);
        lifetime("lifetime/" + label, "replace", kind, Target.ENGINE_LIFETIME)
            .with("live", 1024)
            .with("mix", mix);
      }
    }
  }

  private Case lifetime(String what, String method, ThreadKind kind, Target target) {
    return add(what, "LifetimeBenchmark." + method, kind, PEERS, target);
  }

  private void handOffs() {
    handOff(KIB, Target.ENGINE_HAND_OFF_SMALL);
    handOff(16 * KIB, Target.ENGINE_HAND_OFF_LARGE);
  }

  private void handOff(int bytes, Target target) {
    add("hand-off/" + Cases.size(bytes), "HandOffBenchmark.handOff", LOOP, PEERS, target)
        .with("bytes", bytes)
        .countingMiddleHalf();
  }

  /**
   * Adds cases with more threads than cores, after a long warm-up and from the start of the JVM.
   */
  private void crowd() {
    lifetime("crowd", "replace", LOOP, Target.ENGINE_LIFETIME)
        .with("live", 256)
        .onThreads(CROWD)
        .byThroughput()
        .warmingUp(CROWD_WARMUPS);
    lifetime("start", "replace", LOOP, Target.ENGINE_START)
        .with("live", 256)
        .onThreads(CROWD)
        .byThroughput()
        .fromStart();
  }

  private void tail() {
    lifetime("tail", "timedReplace", LOOP, Target.ENGINE_TAIL)
        .onThreads(2)
        .warmingUp(TAIL_WARMUPS)
        .countedBy(LifetimeBenchmark.AllocationTimes.P9999);
  }
}
