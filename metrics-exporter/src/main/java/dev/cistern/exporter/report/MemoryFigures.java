/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Detail;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.exporter.schema.Text;

/** Figures of the memory of a process, and of the conclusions from it. */
public final class MemoryFigures {
  private static final int MAX_PARTS = 32;
  private static final int MAX_FINDINGS = 32;
  private static final int MAX_LIMITS = 64;
  private static final int MAX_NEEDS = 128;

  /** A part of the resident memory. */
  public static final Scope<MemoryReport.PartBytes> PART =
      HostFigures.HOST
          .child(2, "memory_parts", MAX_PARTS, report -> report.memory().parts())
          .label("part", each -> each.part().label());

  /** A finding. */
  public static final Scope<Finding> FINDING =
      HostFigures.HOST
          .child(3, "findings", MAX_FINDINGS, report -> report.diagnosis().findings())
          .detail(Detail.CORE)
          .label("kind", finding -> finding.kind().label());

  /** A limit of memory. */
  public static final Scope<Diagnosis.Limit> LIMIT =
      HostFigures.HOST
          .child(4, "limits", MAX_LIMITS, report -> report.diagnosis().limits())
          .label("limit", each -> each.name())
          .withSeries(6);

  /** A term of the recommended limits. */
  public static final Scope<Diagnosis.AdviceTerm> ADVICE =
      HostFigures.HOST
          .child(5, "advice", MAX_PARTS, report -> report.diagnosis().advice())
          .detail(Detail.INTERNALS)
          .label("term", each -> each.term());

  /** Memory that an allocator has not needed. */
  public static final Scope<Diagnosis.Need> NEED =
      HostFigures.HOST
          .child(6, "needs", MAX_NEEDS, report -> report.diagnosis().needs())
          .label("pool", each -> each.pool())
          .label("memory", each -> each.memory())
          .label("allocator", each -> each.allocator())
          .withSeries(6);

  /** One of the largest allocations. Its site is a text, not a label. */
  public static final Scope<Diagnosis.Largest> LARGEST =
      HostFigures.HOST
          .child(7, "largest_allocations", MAX_PARTS, report -> report.diagnosis().largest())
          .detail(Detail.INTERNALS)
          .label("span", each -> each.span())
          .label("rank", each -> Integer.toString(each.rank()));

  /** Resident memory. */
  public static final Figure<HostReport> RESIDENT_BYTES =
      HostFigures.HOST
          .gauge(20, "cistern_process_resident_bytes", report -> report.memory().residentBytes())
          .help(
              "Current bytes of resident memory of the process, measured once a minute; absent"
                  + " outside Linux.")
          .kept();

  /** Time of the measurement. */
  public static final Figure<HostReport> MEASURED_TIME =
      HostFigures.HOST
          .gauge(21, "cistern_memory_measured_timestamp_seconds", MemoryFigures::measuredMillis)
          .help("Time of the measurement of the parts of the resident memory, since the epoch.")
          .internal();

  /** Time since the first reading. */
  public static final Figure<HostReport> WATCHED =
      HostFigures.HOST
          .gauge(22, "cistern_diagnosis_age_seconds", report -> report.diagnosis().watchedMillis())
          .help("Time since the process began to watch its own memory for findings.")
          .internal();

  /** Recommended limit of direct memory. */
  public static final Figure<HostReport> RECOMMENDED_DIRECT =
      HostFigures.HOST
          .gauge(
              23,
              "cistern_recommended_direct_limit_bytes",
              report -> advice(report, Diagnosis.AdviceTerm.DIRECT))
          .help(
              "Current bytes of the recommended -XX:MaxDirectMemorySize, from the peak of the last"
                  + " hour; absent in the first ten minutes.");

  /** Recommended limit of the container. */
  public static final Figure<HostReport> RECOMMENDED_CONTAINER =
      HostFigures.HOST
          .gauge(
              24,
              "cistern_recommended_container_limit_bytes",
              report -> advice(report, Diagnosis.AdviceTerm.CONTAINER))
          .help(
              "Current bytes of the recommended memory limit of the container, from the peaks of"
                  + " the last hour; absent in the first ten minutes.");

  /** Failed rules. */
  public static final Figure<HostReport> FAILED_RULES =
      HostFigures.HOST
          .gauge(
              25,
              "cistern_diagnosis_failed_rules",
              report ->
                  report.diagnosis().watchedMillis() == Figure.ABSENT
                      ? Figure.ABSENT
                      : report.diagnosis().failedRules().size())
          .help(
              "Current number of rules that failed in the last diagnosis, so that their findings"
                  + " are missing.")
          .internal();

  /** Direct buffers that may wait for the garbage collector. */
  public static final Figure<HostReport> COLLECTABLE_BYTES =
      HostFigures.HOST
          .gauge(
              26,
              "cistern_collectable_direct_bytes",
              report -> report.diagnosis().collector().bytes())
          .help(
              "Current bytes of direct buffers outside of pools: a garbage collection frees those"
                  + " that are unused.");

  /** Bytes that the last collection freed. */
  public static final Figure<HostReport> COLLECTED_BYTES =
      HostFigures.HOST
          .gauge(
              27,
              "cistern_collected_direct_bytes",
              report -> report.diagnosis().collector().freedBytes())
          .help("Bytes of direct buffers outside of pools that the last garbage collection freed.")
          .internal();

  /** Time since the last collection. */
  public static final Figure<HostReport> COLLECTION_AGE =
      HostFigures.HOST
          .gauge(
              28,
              "cistern_collection_age_seconds",
              report -> report.diagnosis().collector().ageMillis())
          .help("Time since the last garbage collection of any kind.")
          .internal();

  /** Source of the parts. */
  public static final Text<HostReport> BASIS =
      HostFigures.HOST.text(
          20, "memory_basis", "source of the JVM's own parts", report -> report.memory().basis());

  /** Names of failed rules. */
  public static final Text<HostReport> FAILED_RULE_NAMES =
      HostFigures.HOST.text(
          21,
          "failed_rules",
          "rules that failed in the last diagnosis",
          report -> String.join(", ", report.diagnosis().failedRules()));

  /** Bytes of a part. */
  public static final Figure<MemoryReport.PartBytes> PART_BYTES =
      PART.gauge(1, "cistern_process_memory_bytes", each -> each.bytes())
          .help(
              "Current bytes of resident memory of the process by part, measured once a minute. The"
                  + " parts add up to cistern_process_resident_bytes; rest is what no part"
                  + " explains.");

  /** Confidence of a finding. */
  public static final Figure<Finding> CONFIDENCE =
      FINDING
          .gauge(1, "cistern_finding", finding -> finding.confidence().ordinal() + 1)
          .help("Confidence of a finding: 1 low, 2 medium, 3 high; absent if nothing was found.");

  /** Level of a finding. */
  public static final Figure<Finding> LEVEL =
      FINDING
          .gauge(2, "cistern_finding_level", finding -> finding.level().ordinal() + 1)
          .help("Importance of a finding: 1 notice, 2 warning, 3 critical.");

  /** Memory that a finding explains. */
  public static final Figure<Finding> FINDING_BYTES =
      FINDING
          .gauge(3, "cistern_finding_memory_bytes", Finding::bytes)
          .help("Current bytes of memory that a finding explains.");

  /** Begin of a finding. */
  public static final Figure<Finding> FINDING_SINCE =
      FINDING
          .gauge(
              4,
              "cistern_finding_since_timestamp_seconds",
              finding -> finding.sinceMillis() == 0 ? Figure.ABSENT : finding.sinceMillis())
          .help("Time of the beginning of the cause of a finding, since the epoch.")
          .internal();

  /** Sentence of a finding. */
  public static final Text<Finding> WHAT =
      FINDING.text(1, "what", "the cause in one sentence", Finding::what);

  /** Evidence of a finding. */
  public static final Text<Finding> EVIDENCE =
      FINDING.text(
          2,
          "evidence",
          "figures that the finding rests on, a line each",
          finding -> String.join("\n", finding.evidence()));

  /** Next step. */
  public static final Text<Finding> NEXT = FINDING.text(3, "next", "next step", Finding::next);

  /** Site of a finding. */
  public static final Text<Finding> SITE =
      FINDING.text(4, "site", "allocation site", Finding::site);

  /** A limit. */
  public static final Figure<Diagnosis.Limit> LIMIT_BYTES =
      LIMIT
          .gauge(1, "cistern_memory_limit_bytes", Diagnosis.Limit::limitBytes)
          .help(
              "Current bytes of a memory limit: direct (JVM), container, or that of a copy of"
                  + " Netty. Absent if there is none.");

  /** Use of a limit. */
  public static final Figure<Diagnosis.Limit> LIMIT_USED_BYTES =
      LIMIT
          .gauge(2, "cistern_memory_limit_used_bytes", Diagnosis.Limit::usedBytes)
          .help(
              "Current bytes of memory in use that counts against a limit, without the free memory"
                  + " of pools.");

  /** Time until a limit is reached. */
  public static final Figure<Diagnosis.Limit> EXHAUSTION =
      LIMIT
          .gauge(3, "cistern_memory_exhaustion_seconds", Diagnosis.Limit::millis)
          .help(
              "Time until a limit is reached at the rate of the last minutes; absent if use does"
                  + " not grow.");

  /** Lower end of the time until a limit is reached. */
  public static final Figure<Diagnosis.Limit> EXHAUSTION_EARLIEST =
      LIMIT
          .gauge(4, "cistern_memory_exhaustion_earliest_seconds", Diagnosis.Limit::earliestMillis)
          .help("Lower end of the range of cistern_memory_exhaustion_seconds.")
          .internal();

  /** Upper end of the time until a limit is reached. */
  public static final Figure<Diagnosis.Limit> EXHAUSTION_LATEST =
      LIMIT
          .gauge(5, "cistern_memory_exhaustion_latest_seconds", Diagnosis.Limit::latestMillis)
          .help("Upper end of the range of cistern_memory_exhaustion_seconds; absent if open.")
          .internal();

  /** Value of a term. */
  public static final Figure<Diagnosis.AdviceTerm> ADVICE_BYTES =
      ADVICE
          .gauge(1, "cistern_limit_advice_bytes", Diagnosis.AdviceTerm::bytes)
          .help(
              "Current bytes of a term of the recommended limits, such as a peak of the last"
                  + " hour.");

  /** Memory that was not needed. */
  public static final Figure<Diagnosis.Need> DEBT_BYTES =
      NEED.gauge(1, "cistern_idle_debt_bytes", Diagnosis.Need::debtBytes)
          .help(
              "Current bytes of reserved memory of an allocator beyond the largest need of the last"
                  + " ten minutes.");

  /** Resident part of the memory that was not needed. */
  public static final Figure<Diagnosis.Need> RESIDENT_DEBT_BYTES =
      NEED.gauge(2, "cistern_idle_debt_resident_bytes", Diagnosis.Need::residentDebtBytes)
          .help("Current bytes of the resident part of cistern_idle_debt_bytes.")
          .internal();

  /** Time since the memory was needed. */
  public static final Figure<Diagnosis.Need> IDLE_TIME =
      NEED.gauge(3, "cistern_idle_debt_age_seconds", Diagnosis.Need::idleMillis)
          .help("Time since more than half of the reserved memory of an allocator was needed.")
          .internal();

  /** Reserved memory of the allocator. */
  public static final Figure<Diagnosis.Need> NEED_RESERVED_BYTES =
      NEED.gauge(4, "cistern_idle_debt_reserved_bytes", Diagnosis.Need::reservedBytes)
          .help(
              "Current bytes of reserved memory of an allocator, of which the idle debt is a part.")
          .internal();

  /** Size of an allocation. */
  public static final Figure<Diagnosis.Largest> LARGEST_BYTES =
      LARGEST
          .gauge(1, "cistern_largest_allocation_bytes", Diagnosis.Largest::bytes)
          .help("Bytes requested by one of the largest single allocations that were sampled.");

  /** Time of an allocation. */
  public static final Figure<Diagnosis.Largest> LARGEST_TIME =
      LARGEST
          .gauge(2, "cistern_largest_allocation_timestamp_seconds", Diagnosis.Largest::timeMillis)
          .help("Time of one of the largest allocations, since the epoch.");

  /** Site of an allocation. */
  public static final Text<Diagnosis.Largest> LARGEST_SITE =
      LARGEST.text(1, "site", "allocation site", Diagnosis.Largest::site);

  /** Pool of an allocation. */
  public static final Text<Diagnosis.Largest> LARGEST_POOL =
      LARGEST.text(2, "pool", "copy of Netty or allocator", Diagnosis.Largest::pool);

  /** Memory of an allocation. */
  public static final Text<Diagnosis.Largest> LARGEST_MEMORY =
      LARGEST.text(3, "memory", "direct or heap", Diagnosis.Largest::memory);

  private MemoryFigures() {}

  private static long measuredMillis(HostReport report) {
    long millis = report.memory().timeMillis();
    return millis == 0 ? Figure.ABSENT : millis;
  }

  private static long advice(HostReport report, String term) {
    return report.diagnosis().advice().stream()
        .filter(each -> each.term().equals(term))
        .mapToLong(Diagnosis.AdviceTerm::bytes)
        .findFirst()
        .orElse(Figure.ABSENT);
  }
}
