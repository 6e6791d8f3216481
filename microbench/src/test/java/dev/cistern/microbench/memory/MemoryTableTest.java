/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoryTableTest {
  private static final long MIB = 1 << 20;

  private static Outcome outcome(Scenario scenario, SubjectKind kind, String... lines) {
    Outcome outcome = new Outcome(scenario, kind);
    for (String line : lines) {
      outcome.read(line);
    }
    return outcome;
  }

  private static String point(String label, long reservedMib) {
    return "point " + label + " " + new Point(reservedMib * MIB, -1, 0, 0, 8 * MIB).encode();
  }

  @Test
  void aPointSurvivesItsLine() {
    Point point = new Point(1, -1, 3, 4, 5);
    assertThat(Point.decode(point.encode())).isEqualTo(point);
  }

  @Test
  void anUnknownLineIsIgnored() {
    Outcome outcome = outcome(Scenario.BURST_HALF, SubjectKind.CISTERN, "WARNING: a b c", "", "x");
    assertThat(outcome.lastIdle()).isNull();
    assertThat(outcome.number("kept-bytes")).isNaN();
  }

  @Test
  void theBurstIsJudgedAfterTwentySeconds() {
    long most = 4L * Target.arenas(); // a chunk for each, and nothing for the threads
    Outcome lost =
        outcome(
            Scenario.BURST_HALF,
            SubjectKind.CISTERN,
            point("idle-10", 1),
            point("idle-20", most + 1),
            point("idle-60", 1));
    assertThat(Target.of(lost, null)).singleElement().matches(target -> !target.isMet());
    Outcome won = outcome(Scenario.BURST_HALF, SubjectKind.CISTERN, point("idle-20", most));
    assertThat(Target.of(won, null)).singleElement().matches(Target::isMet);
  }

  @Test
  void theTraceIsComparedWithPooledAtItsDefaults() {
    Outcome pooled = outcome(Scenario.TRACE_SOCKET, SubjectKind.POOLED, point("peak", 100));
    Outcome ours =
        outcome(
            Scenario.TRACE_SOCKET,
            SubjectKind.CISTERN,
            "number heap-before " + 4 * MIB,
            point("crest", 80),
            point("peak", 95));
    List<Target> targets = Target.of(ours, pooled);
    assertThat(targets.get(0).value()).isEqualTo(0.95);
    assertThat(targets.get(0).isMet()).isFalse();
    assertThat(targets.get(1).value()).isEqualTo(5.0);
    assertThat(targets.get(1).isMet()).isTrue();
    assertThat(new MemoryTable(List.of(pooled, ours)).text())
        .contains("| Cistern | peak reserved / pooled's | 0.95 | 0.90 | NOT MET |")
        .contains("0.95 at peak");
  }

  @Test
  void aTargetWithoutAMeasurementIsNotMet() {
    Outcome failed = outcome(Scenario.LONG_LIVED_KIB, SubjectKind.ADAPTIVE);
    failed.fail("out of memory");
    assertThat(Target.of(failed, null)).noneMatch(Target::isMet);
    assertThat(new MemoryTable(List.of(failed)).text()).contains("failed: out of memory");
  }

  @Test
  void theJsonHasAllPointsAndNumbers() {
    Outcome outcome =
        outcome(Scenario.BURST_HALF, SubjectKind.CISTERN, point("peak", 2), "number kept-bytes 7");
    assertThat(MemoryJson.of(Map.of("revision", "1a"), List.of(outcome), List.of()))
        .contains("\"revision\": \"1a\"", "\"scenario\": \"burst-half\"", "\"kept-bytes\": 7.0")
        .contains("\"peak\": {\"reserved\": 2097152, \"pinned\": -1");
  }

  @Test
  void growthOverShortThreadsIsARatio() {
    Outcome outcome =
        outcome(
            Scenario.SHORT_THREADS,
            SubjectKind.BRIDGE,
            point(ShortThreads.label(1_000), 10),
            point(ShortThreads.label(10_000), 12));
    List<Target> targets = Target.of(outcome, null);
    assertThat(targets.get(0).value()).isEqualTo(1.2);
    assertThat(targets.get(0).isMet()).isFalse();
    assertThat(targets.get(1).value()).isZero();
  }

  @Test
  void burstsMayNotLeaveMoreFromPauseToPause() {
    long most = 16 + 4L * Target.arenas();
    Outcome grows =
        outcome(
            Scenario.BURST_CYCLES,
            SubjectKind.POOLED,
            point(BurstCycles.label(1), 16),
            point(BurstCycles.label(BurstCycles.CYCLES), most + 1));
    assertThat(Target.of(grows, null)).singleElement().matches(target -> !target.isMet());
    Outcome flat =
        outcome(
            Scenario.BURST_CYCLES,
            SubjectKind.CISTERN,
            point(BurstCycles.label(1), 16),
            point(BurstCycles.label(2), 12),
            point(BurstCycles.label(BurstCycles.CYCLES), most));
    assertThat(Target.of(flat, null)).singleElement().matches(Target::isMet);
    assertThat(new MemoryTable(List.of(grows, flat)).text())
        .contains("Cistern: 16.0 / 0.0, 12.0 / 0.0, ");
  }

  @Test
  void aHostIsJudgedByTheMostThatAnyBurstLeaves() {
    long start = 100 * MIB;
    BurstOutcome flat = burst(start, start + 24 * MIB, start);
    assertThat(flat.target().isMet()).isTrue();
    BurstOutcome grows = burst(start, start, start + 25 * MIB);
    assertThat(grows.target().isMet()).isFalse();
    assertThat(HttpBursts.text(List.of(flat, grows)))
        .contains("| Netty 4.1, agent | 17 | 100 | 124, 100 | 800 | 1, 2 |")
        .contains("| 25.00 | 24.00 | NOT MET |");
    assertThat(MemoryJson.of(Map.of(), List.of(), List.of(flat))).contains("\"millis\": [1, 2]");
  }

  private static BurstOutcome burst(long start, Long... after) {
    return new BurstOutcome(
        BurstSubject.AGENT_41, 17, start, 800 * MIB, List.of(after), List.of(1L, 2L), "");
  }

  @Test
  void theHistogramIsReadByClassAndByPrefix() {
    String[] lines = {
      " num     #instances         #bytes  class name (module)",
      "   1:            10            800  dev.cistern.buffer.PooledByteBuf",
      "   2:             5             50  dev.cistern.pool.Bin",
      "   3:             7             70  [B (java.base@17)",
      "Total            22            920",
    };
    assertThat(ClassHistogram.sum(lines, "dev.cistern.buffer.PooledByteBuf", true))
        .containsExactly(10, 800);
    assertThat(ClassHistogram.sum(lines, "dev.cistern.", false)).containsExactly(15, 850);
  }
}
