/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A cause of memory use that a rule has found in a process.
 *
 * @param kind kind of the finding
 * @param level importance of the finding
 * @param confidence probability that the finding is right
 * @param bytes memory that the finding explains, in bytes
 * @param sinceMillis begin of the use, in milliseconds since the epoch; 0 if it is unknown
 * @param what the cause in one sentence, without a full stop
 * @param evidence the figures that prove it, as short clauses
 * @param next the next step, as a clause
 * @param site allocation site of the memory; empty if there is none
 */
public record Finding(
    Kind kind,
    Level level,
    Confidence confidence,
    long bytes,
    long sinceMillis,
    String what,
    List<String> evidence,
    String next,
    String site) {

  /** Copies the list. */
  public Finding {
    evidence = List.copyOf(evidence);
  }

  /** Returns the same finding with another begin. */
  public Finding since(long millis) {
    return new Finding(kind, level, confidence, bytes, millis, what, evidence, next, site);
  }

  /** Kinds of findings. The name in lower case is the value of the label {@code kind}. */
  public enum Kind {
    /** Buffers that were never released. */
    LEAK,
    /** A site whose old bytes grow: a leak, or a cache that fills. */
    GROWTH,
    /** Peers that read more slowly than the application writes. */
    SLOW_CONSUMER,
    /** Received data that the application has not consumed. */
    UNREAD_BODIES,
    /** Large buffers that only small slices keep. */
    PINNED_BY_SLICES,
    /** Received data of calls that were cancelled or failed, or whose streams have ended. */
    ORPHANED_BY_CANCEL,
    /** Memory that an allocator keeps after a peak. */
    RETENTION,
    /** Direct buffers that only a garbage collection frees. */
    COLLECTOR,
    /** Many allocators that could be a single one. */
    DUPLICATE_ALLOCATORS,
    /** A single allocation that is far larger than the rest. */
    GIANT_REQUEST,
    /** Threads whose stacks and caches hold memory. */
    MANY_THREADS,
    /** Peaks without a fault that reach the limit. */
    LIMIT_TOO_SMALL,
    /** Direct buffers that the application holds, outside Netty. */
    JDK_DIRECT,
    /** Mapped files that grow. */
    MAPPED_FILES,
    /** Metaspace that grows. */
    METASPACE,
    /** A Java heap that fills. */
    JAVA_HEAP,
    /** Native memory that malloc keeps. */
    MALLOC,
    /** Native memory that grows. */
    NATIVE,
    /** Faults inside Cistern. */
    FAULTS,
    /** Allocations that failed. */
    FAILED_ALLOCATIONS,
    /** Allocations that fell back to Netty. */
    FALLBACKS,
    /** A process that was killed or has crashed. */
    PROCESS_DIED,
    /** A process that has ended by itself. */
    PROCESS_ENDED,
    /** A process whose report is old. */
    STALE_REPORT;

    /** Returns the value of the label, which is also its section in docs/diagnosing.md. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the kind with this label, or null if this version does not know it. */
    public static @Nullable Kind of(String label) {
      for (Kind kind : values()) {
        if (kind.label().equals(label)) {
          return kind;
        }
      }
      return null;
    }
  }

  /** Importance of a finding, in ascending order. */
  public enum Level {
    /** Information. */
    NOTICE,
    /** A change is needed. */
    WARNING,
    /** A change is needed now. */
    CRITICAL;

    /** Returns its name in JSON. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Confidence of a finding. The number in metrics is 1 for low to 3 for high. */
  public enum Confidence {
    /** Another cause may look the same. */
    LOW,
    /** Likely. */
    MEDIUM,
    /** Nearly certain. */
    HIGH;

    /** Returns its name in JSON. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
