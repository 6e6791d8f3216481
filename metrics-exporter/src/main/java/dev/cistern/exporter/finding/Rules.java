/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All rules, and the order of their findings. */
final class Rules {
  private static final List<Rule> ALL =
      List.of(
          new LeakRule(),
          new GrowthRule(),
          new SlowConsumerRule(),
          new UnreadBodiesRule(),
          new PinnedBySlicesRule(),
          new OrphanedByCancelRule(),
          new RetentionRule(),
          new CollectorRule(),
          new DuplicatesRule(),
          new GiantRule(),
          new ThreadsRule(),
          new LimitRule(),
          new PartRule(),
          new JavaHeapRule(),
          new MallocRule(),
          new FaultsRule());

  private static final Comparator<Finding> ORDER =
      Comparator.comparing(Finding::level, Comparator.reverseOrder())
          .thenComparing(Finding::confidence, Comparator.reverseOrder())
          .thenComparing(Finding::bytes, Comparator.reverseOrder());

  /** Kinds that count allocations that failed or fell back because of too little memory. */
  private static final Set<Kind> SHORTAGE = EnumSet.of(Kind.FAILED_ALLOCATIONS, Kind.FALLBACKS);

  /**
   * Kinds of memory that is not the pools' own. It can contain buffers that a holder keeps.
   * Therefore a cause explains such a finding only if it has most of its bytes.
   */
  private static final Set<Kind> OUTSIDE =
      EnumSet.of(Kind.COLLECTOR, Kind.JDK_DIRECT, Kind.JAVA_HEAP);

  /** Effects of each kind of cause. */
  private static final Map<Kind, Set<Kind>> EFFECTS = effects();

  private Rules() {}

  private static Map<Kind, Set<Kind>> effects() {
    Set<Kind> shortage = and(SHORTAGE, Kind.LIMIT_TOO_SMALL);
    Set<Kind> ofHolders = and(shortage, Kind.GROWTH);
    ofHolders.addAll(OUTSIDE);
    Map<Kind, Set<Kind>> effects = new EnumMap<>(Kind.class);
    effects.put(Kind.SLOW_CONSUMER, and(ofHolders, Kind.RETENTION));
    effects.put(Kind.UNREAD_BODIES, ofHolders);
    effects.put(Kind.PINNED_BY_SLICES, and(ofHolders, Kind.UNREAD_BODIES));
    effects.put(Kind.ORPHANED_BY_CANCEL, and(ofHolders, Kind.LEAK, Kind.UNREAD_BODIES));
    effects.put(Kind.LEAK, and(shortage, Kind.GROWTH));
    effects.put(Kind.GROWTH, shortage);
    effects.put(Kind.RETENTION, shortage);
    effects.put(Kind.COLLECTOR, shortage);
    effects.put(Kind.JDK_DIRECT, shortage);
    effects.put(Kind.GIANT_REQUEST, and(shortage, Kind.RETENTION, Kind.MALLOC));
    effects.put(Kind.DUPLICATE_ALLOCATORS, and(shortage, Kind.RETENTION, Kind.MALLOC));
    effects.put(Kind.MANY_THREADS, EnumSet.of(Kind.RETENTION, Kind.MALLOC));
    return effects;
  }

  private static Set<Kind> and(Set<Kind> kinds, Kind... more) {
    Set<Kind> all = EnumSet.copyOf(kinds);
    all.addAll(List.of(more));
    return all;
  }

  /**
   * Findings of all rules.
   *
   * @param findings the most important first
   * @param failed names of rules that failed
   */
  record Result(List<Finding> findings, List<String> failed) {}

  /** Applies all rules, even if one of them fails. */
  static Result apply(Facts facts) {
    return apply(facts, ALL);
  }

  static Result apply(Facts facts, List<Rule> rules) {
    List<Finding> found = new ArrayList<>();
    List<String> failed = new ArrayList<>();
    for (Rule rule : rules) {
      try {
        found.addAll(rule.find(facts));
      } catch (RuntimeException | LinkageError failure) {
        failed.add(rule.getClass().getSimpleName());
      }
    }
    return new Result(ranked(found), failed);
  }

  /**
   * Returns the findings by importance, one of each kind. A cause above {@link Level#NOTICE} ranks
   * before its effects, whatever their level is. A cause of that level ranks before an effect of
   * the same level if its confidence is not lower and it explains most of the effect.
   */
  static List<Finding> ranked(List<Finding> findings) {
    Map<Kind, Finding> kinds = new EnumMap<>(Kind.class);
    for (Finding finding : findings) {
      kinds.merge(
          finding.kind(), finding, (one, other) -> ORDER.compare(one, other) <= 0 ? one : other);
    }
    if (kinds.containsKey(Kind.LIMIT_TOO_SMALL)) { // the finding for the limit counts both
      kinds.keySet().removeAll(SHORTAGE);
    }
    List<Finding> sorted = new ArrayList<>(kinds.values());
    sorted.sort(ORDER);
    List<Finding> ranked = new ArrayList<>();
    Set<Kind> added = EnumSet.noneOf(Kind.class);
    sorted.forEach(finding -> add(ranked, finding, sorted, added));
    return ranked;
  }

  /** Adds a finding after its causes, and after the causes of these. */
  private static void add(List<Finding> to, Finding finding, List<Finding> all, Set<Kind> added) {
    if (added.add(finding.kind())) {
      for (Finding cause : all) {
        if (isCause(cause, finding)) {
          add(to, cause, all, added);
        }
      }
      to.add(finding);
    }
  }

  private static boolean isCause(Finding cause, Finding of) {
    boolean hasMost = 2 * cause.bytes() >= of.bytes();
    boolean isImportant =
        cause.level() != Level.NOTICE
            || (of.level() == Level.NOTICE
                && cause.confidence().compareTo(of.confidence()) >= 0
                && hasMost);
    return isImportant
        && (hasMost || !OUTSIDE.contains(of.kind()))
        && EFFECTS.getOrDefault(cause.kind(), Set.of()).contains(of.kind());
  }
}
