/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Figure;
import java.util.List;

/**
 * Conclusions from the reports of a process so far.
 *
 * @param watchedMillis time since the first report, in milliseconds; {@link Figure#ABSENT} if the
 *     process makes no diagnosis
 * @param findings findings, the most important first
 * @param failedRules names of rules that failed
 * @param limits limits of memory, with the time until they are reached
 * @param advice terms of the recommended limits; empty until there are enough readings
 * @param needs memory that each allocator has not needed recently
 * @param largest the largest allocations
 * @param collector direct buffers that may wait for the garbage collector
 */
public record Diagnosis(
    long watchedMillis,
    List<Finding> findings,
    List<String> failedRules,
    List<Limit> limits,
    List<AdviceTerm> advice,
    List<Need> needs,
    List<Largest> largest,
    Collectable collector) {
  /** Diagnosis of a process that has none. */
  public static final Diagnosis NONE =
      new Diagnosis(
          Figure.ABSENT,
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          Collectable.NONE);

  /** Copies the lists. */
  public Diagnosis {
    findings = List.copyOf(findings);
    failedRules = List.copyOf(failedRules);
    limits = List.copyOf(limits);
    advice = List.copyOf(advice);
    needs = List.copyOf(needs);
    largest = List.copyOf(largest);
  }

  /**
   * Direct buffers outside of pools, whose memory the garbage collector frees.
   *
   * @param bytes their bytes now; {@link Figure#ABSENT} if they are not known; then the other
   *     values are absent, too
   * @param freedBytes bytes that the last collection freed; absent before the first collection
   * @param ageMillis time since the last collection; absent before the first collection
   */
  public record Collectable(long bytes, long freedBytes, long ageMillis) {
    /** Value if nothing is known. */
    public static final Collectable NONE =
        new Collectable(Figure.ABSENT, Figure.ABSENT, Figure.ABSENT);
  }

  /**
   * A limit of memory.
   *
   * @param name {@code direct} for the JVM's limit of direct memory, {@code container}, or the name
   *     of a copy of Netty that has a separate limit
   * @param usedBytes bytes in use, without free bytes of pools
   * @param limitBytes the limit
   * @param millis time until the limit is reached at the present rate; {@link Figure#ABSENT} if use
   *     does not grow
   * @param earliestMillis lower end of the range of that time
   * @param latestMillis upper end of the range; {@link Figure#ABSENT} if it is open
   */
  public record Limit(
      String name,
      long usedBytes,
      long limitBytes,
      long millis,
      long earliestMillis,
      long latestMillis) {
    /** Returns a limit that use does not approach. */
    public static Limit of(String name, long usedBytes, long limitBytes) {
      return new Limit(name, usedBytes, limitBytes, Figure.ABSENT, Figure.ABSENT, Figure.ABSENT);
    }
  }

  /**
   * A term of the recommended limits, or a recommended limit.
   *
   * @param term its name
   * @param bytes its value
   */
  public record AdviceTerm(String term, long bytes) {
    /** Recommended limit of direct memory. */
    public static final String DIRECT = "recommended_direct_limit";

    /** Recommended limit of the container. */
    public static final String CONTAINER = "recommended_container_limit";
  }

  /**
   * Memory that an allocator has reserved and not needed for ten minutes.
   *
   * @param pool name of the copy of Netty, or of the allocator of the library
   * @param memory {@code direct} or {@code heap}
   * @param allocator name of Netty's own allocator; {@code cistern} for Cistern's pool
   * @param reservedBytes reserved bytes
   * @param debtBytes reserved bytes beyond the largest need of the last ten minutes
   * @param residentDebtBytes the resident part of {@code debtBytes}
   * @param idleMillis time since more than half of the reserved bytes was needed
   */
  public record Need(
      String pool,
      String memory,
      String allocator,
      long reservedBytes,
      long debtBytes,
      long residentDebtBytes,
      long idleMillis) {}

  /**
   * One of the largest allocations.
   *
   * @param rank its rank, from 1, among the allocations of its span
   * @param span {@code hour} or {@code start}
   * @param pool name of the copy of Netty, or of the allocator
   * @param memory {@code direct} or {@code heap}
   * @param site allocation site
   * @param bytes requested bytes
   * @param timeMillis time of the allocation, in milliseconds since the epoch
   */
  public record Largest(
      int rank,
      String span,
      String pool,
      String memory,
      String site,
      long bytes,
      long timeMillis) {}
}
