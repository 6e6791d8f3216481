/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Row;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.exporter.schema.Text;
import dev.cistern.stats.AllocatorInfo;
import dev.cistern.stats.NettyAllocatorReport;
import java.util.List;
import java.util.function.ToLongFunction;

/** Figures of copies of Netty, and of the allocators in them. */
public final class CopyFigures {
  /** Maximum number of copies of a process. A file with more is refused. */
  private static final int MAX_COPIES = 64;

  private static final int MAX_ALLOCATORS = 128;

  /** A copy of Netty, or an allocator of the library. */
  public static final Scope<PoolReport> COPY =
      HostFigures.HOST
          .child(1, "copies", MAX_COPIES, HostReport::copies)
          .label("pool", copy -> copy.pool());

  /** An allocator that was found. */
  public static final Scope<AllocatorInfo> ALLOCATOR =
      COPY.child(2, "allocators", MAX_ALLOCATORS, copy -> copy.netty().inventory())
          .label("allocator", each -> each.name())
          .withSeries(20);

  /** An observed allocator of Netty. */
  public static final Scope<NettyAllocatorReport> NETTY_ALLOCATOR =
      COPY.child(
              3,
              "netty_allocator_details",
              MAX_ALLOCATORS,
              copy -> copy.netty().allocators().stream().filter(each -> each.isAlive()).toList())
          .label("memory", each -> each.memory())
          .label("allocator", each -> each.name())
          .withSeries(16);

  /** Version of Netty. */
  public static final Text<PoolReport> VERSION =
      COPY.text(
          1,
          "version",
          "version of Netty; unknown if its jar does not have it",
          PoolReport::version);

  /** Mode. */
  public static final Text<PoolReport> MODE =
      COPY.text(2, "mode", "swap, observe, off, or library", PoolReport::mode);

  /** Source of the last change of the mode. */
  public static final Text<PoolReport> SOURCE =
      COPY.text(3, "source", "what changed the mode last", copy -> copy.modeChange().source());

  /** Cause of the mode. */
  public static final Text<PoolReport> REASON =
      COPY.text(
          4, "reason", "cause of the mode, if it is not the requested one", PoolReport::reason);

  /** Level of the leak detector. */
  public static final Text<PoolReport> LEAK_LEVEL =
      COPY.text(5, "leak_level", "level of the leak detector", copy -> copy.leaks().level());

  /** Time of the last change of the mode. */
  static final Figure<PoolReport> MODE_TIME =
      COPY.gauge(6, "cistern_mode_change_timestamp_seconds", CopyFigures::modeMillis)
          .help("Time of the last change of the mode, since the epoch.")
          .internal();

  /** Allocations of the application that Cistern served. */
  public static final Figure<PoolReport> SERVED =
      ofNetty(1, "cistern_served_allocations_total", PoolReport::served)
          .help("Number of the application's allocations that Cistern served since start.");

  /** Allocations left to the application's own allocator. */
  public static final Figure<PoolReport> FALLBACKS =
      ofNetty(2, "cistern_fallback_allocations_total", PoolReport::fellBack)
          .help(
              "Number of allocations that fell back to the application's own allocator since start"
                  + " because direct memory, Java heap or stack was short. These are not faults.");

  /** Faults in the pool. */
  public static final Figure<PoolReport> FAILURES =
      ofNetty(3, "cistern_bridge_failures_total", PoolReport::failures)
          .help(
              "Number of faults since start of Cistern's pool, or of the bridge that connects it to"
                  + " a copy of Netty. After a fault, Netty serves the allocation, or the agent's"
                  + " thread finishes the release.");

  private CopyFigures() {}

  private static long modeMillis(PoolReport copy) {
    long millis = copy.modeChange().timeMillis();
    return millis == 0 ? Figure.ABSENT : millis;
  }

  private static boolean isOfNetty(PoolReport copy) {
    return !copy.mode().equals(PoolReport.LIBRARY);
  }

  private static Figure<PoolReport> ofNetty(
      int number, String name, ToLongFunction<PoolReport> reader) {
    return COPY.counter(
            number, name, copy -> isOfNetty(copy) ? reader.applyAsLong(copy) : Figure.ABSENT)
        .core();
  }

  static {
    COPY.info(
            4,
            "cistern_netty_copy_info",
            List.of(VERSION, MODE),
            copy -> isOfNetty(copy) ? 1 : Figure.ABSENT)
        .help("Version and mode (swap, observe or off) of a copy of Netty in this process.")
        .core();
    COPY.info(
            5,
            "cistern_mode_info",
            List.of(MODE, SOURCE),
            copy -> isOfNetty(copy) ? 1 : Figure.ABSENT)
        .help("Mode of a copy of Netty, and the source of its last change.");
    detector();
  }

  private static void detector() {
    COPY.gauge(10, "cistern_leak_trackers", ifDiagnosed(copy -> copy.leaks().watched()))
        .help("Current number of watched samples: allocated and not yet released.")
        .internal();
    COPY.counter(
            11,
            "cistern_leak_samples_untracked_total",
            ifDiagnosed(copy -> copy.leaks().notWatched()))
        .help("Number of samples not watched since start because too many were already watched.");
    COPY.counter(
            12,
            "cistern_leak_records_dropped_total",
            ifDiagnosed(copy -> copy.leaks().foundOfOthers()))
        .help(
            "Number of leaks in cistern_leaks_total since start at sites that are not kept, of"
                + " which only the sum is known.")
        .internal();
    COPY.counter(
            13,
            "cistern_leak_samples_without_stack_total",
            ifDiagnosed(copy -> copy.leaks().withoutStack()))
        .help(
            "Number of samples since start whose stack could not be kept because too many were"
                + " waiting.")
        .internal();
    COPY.counter(
            14, "cistern_leak_watch_failures_total", ifDiagnosed(copy -> copy.leaks().failures()))
        .help(
            "Number of failures of leak detection since start, in watching a buffer or in a hint"
                + " that the application gave.");
    COPY.counter(
            15,
            "cistern_live_trends_dropped_total",
            ifDiagnosed(copy -> copy.live().trendsDropped()))
        .help(
            "Number of old samples since start of sites whose growth was not followed because too"
                + " many were already followed.")
        .internal();
  }

  private static ToLongFunction<PoolReport> ifDiagnosed(ToLongFunction<PoolReport> reader) {
    return copy -> copy.isDiagnosed() ? reader.applyAsLong(copy) : Figure.ABSENT;
  }

  static {
    COPY.gauge(
            20,
            "cistern_netty_allocators",
            copy -> copy.netty().allocators().isEmpty() ? Figure.ABSENT : copy.netty().instances())
        .help(
            "Current number of Netty's own allocators that are alive and were seen creating a"
                + " buffer; up to 64.");
    COPY.counter(
            21,
            "cistern_netty_allocators_dropped_total",
            copy ->
                copy.netty().allocators().isEmpty() && copy.netty().inventory().isEmpty()
                    ? Figure.ABSENT
                    : copy.netty().dropped())
        .help(
            "Number of times since start that an allocator was found but not recorded because too"
                + " many were alive.");
  }

  private static final Text<AllocatorInfo> SERVICE =
      ALLOCATOR.text(1, "service", "served, observed or bypassed", AllocatorInfo::service);

  private static final Text<AllocatorInfo> CLASS =
      ALLOCATOR.text(2, "class", "its class", AllocatorInfo::type);

  private static final Text<AllocatorInfo> CREATED_BY =
      ALLOCATOR.text(3, "created_by", "the frame that created it", AllocatorInfo::createdBy);

  private static final Text<AllocatorInfo> BYPASS_REASON =
      ALLOCATOR.text(4, "reason", "cause, if not all buffers are served", AllocatorInfo::reason);

  private static final Figure<AllocatorInfo> SERVICE_TIME =
      ALLOCATOR
          .gauge(2, "cistern_allocator_service_timestamp_seconds", AllocatorInfo::sinceMillis)
          .help(
              "Time of the last change of an allocator to served, observed or bypassed, since the"
                  + " epoch.")
          .internal();

  /** Memory that an allocator holds. */
  public static final Figure<NettyAllocatorReport> NETTY_RESERVED_BYTES =
      NETTY_ALLOCATOR
          .gauge(1, "cistern_netty_allocator_reserved_bytes", NettyAllocatorReport::reservedBytes)
          .help(
              "Current bytes of memory that one of Netty's own allocators reserves in chunks and"
                  + " huge buffers.");

  /** Memory of the allocator's buffers in use. */
  public static final Figure<NettyAllocatorReport> NETTY_PINNED_BYTES =
      NETTY_ALLOCATOR
          .gauge(
              2,
              "cistern_netty_allocator_pinned_bytes",
              each -> each.isPooled() ? each.pinnedBytes() : Figure.ABSENT)
          .help(
              "Current bytes of memory of the allocator's buffers in use; of pooled allocators"
                  + " only.");

  static {
    ALLOCATOR
        .info(1, "cistern_allocator_info", List.of(CLASS, CREATED_BY, SERVICE), each -> 1)
        .help(
            "Class, creator and service (served, observed or bypassed) of a discovered allocator of"
                + " a copy.");
  }

  /** Returns the allocator of a row, in the form of a report. */
  public static AllocatorInfo allocator(Row row) {
    return new AllocatorInfo(
        row.labels().get(0),
        row.get(CLASS),
        row.get(CREATED_BY),
        row.get(SERVICE),
        row.orZero(SERVICE_TIME),
        row.get(BYPASS_REASON));
  }
}
