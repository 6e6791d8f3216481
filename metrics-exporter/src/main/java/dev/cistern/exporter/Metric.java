/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.leak.report.Age;
import io.prometheus.metrics.model.registry.MetricType;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Every metric family, once: its type, unit, help and labels. docs/metrics.md says more about each;
 * a test compares the two.
 */
@SuppressWarnings("ImmutableEnumChecker") // Nobody changes the labels; the metadata never changes.
enum Metric {
  // The exporter
  UP(
      Of.EXPORTER,
      Type.GAUGE,
      "cistern_up",
      "1 if the pools could be asked in this scrape, else 0."),
  SCRAPE_DURATION_SECONDS(
      Of.EXPORTER,
      Type.GAUGE,
      "cistern_scrape_duration_seconds",
      "Time that it took to ask all pools."),
  SCRAPE_ERRORS(
      Of.EXPORTER,
      Type.COUNTER,
      "cistern_scrape_errors_total",
      "Scrapes in which the pools could not be asked."),
  DUMPS(
      Of.EXPORTER,
      Type.COUNTER,
      "cistern_dumps_total",
      "Dumps of the diagnostics that were written."),
  DUMP_FAILURES(
      Of.EXPORTER,
      Type.COUNTER,
      "cistern_dump_failures_total",
      "Dumps that could not be written or tidied up."),
  DUMPS_SKIPPED(
      Of.EXPORTER,
      Type.COUNTER,
      "cistern_dumps_skipped_total",
      "Dumps that were not written because another one was, or had been just before."),

  REQUESTS_REFUSED(
      Of.EXPORTER,
      Type.COUNTER,
      "cistern_http_requests_refused_total",
      "Requests that got no page, by reason.",
      "reason"),
  CONNECTIONS_REJECTED(
      Of.EXPORTER,
      Type.COUNTER,
      "cistern_http_connections_rejected_total",
      "Connections that the endpoint closed because it held too many."),
  PAGE_FAILURES(
      Of.EXPORTER,
      Type.COUNTER,
      "cistern_http_page_failures_total",
      "Requests that failed inside a page."),
  WEB_CONFIG_RELOAD_FAILURES(
      Of.EXPORTER,
      Type.COUNTER,
      "cistern_web_config_reload_failures_total",
      "Versions of the web configuration that could not be used."),
  WEB_CONFIG_LOAD_SECONDS(
      Of.EXPORTER,
      Type.GAUGE,
      "cistern_web_config_load_timestamp_seconds",
      "When the web configuration in force was read."),
  WEB_CERTIFICATE_EXPIRY_SECONDS(
      Of.EXPORTER,
      Type.GAUGE,
      "cistern_web_certificate_expiry_timestamp_seconds",
      "When the certificate of the endpoint ends."),

  // The sidecar
  SIDECAR_FILES_REFUSED(
      Of.EXPORTER,
      Type.GAUGE,
      "cistern_sidecar_files_refused",
      "Files in the directory of stats files that are refused now."),
  SIDECAR_FAILURES(
      Of.EXPORTER,
      Type.COUNTER,
      "cistern_sidecar_failures_total",
      "Times that a file or a directory could not be read, kept or removed."),
  SIDECAR_POSTMORTEMS(
      Of.EXPORTER,
      Type.GAUGE,
      "cistern_sidecar_postmortems",
      "Processes that are gone and whose last state is kept."),
  SIDECAR_POSTMORTEM_BYTES(
      Of.EXPORTER, Type.GAUGE, "cistern_sidecar_postmortem_bytes", "Bytes of all that is kept."),
  SIDECAR_POSTMORTEMS_REMOVED(
      Of.EXPORTER,
      Type.COUNTER,
      "cistern_sidecar_postmortems_removed_total",
      "Post-mortems that were removed, since they were too old or too many."),

  CONTROL_COMMANDS(
      Of.EXPORTER,
      Type.COUNTER,
      "cistern_control_commands_total",
      "Number of commands to hosts since start, by result.",
      "result"),

  // The host
  HOST_UP(Type.GAUGE, "cistern_host_up", "1 if the process runs, 0 once it is gone."),
  HOST_EXITED_CLEANLY(
      Type.GAUGE,
      "cistern_host_exited_cleanly",
      "1 once the process has shut down as it should, else 0."),
  HOST_HEARTBEAT_SECONDS(
      Type.GAUGE,
      "cistern_host_heartbeat_timestamp_seconds",
      "When the process was last seen alive."),
  BUILD_INFO(Type.INFO, "cistern_build_info", "Version of Cistern in this process.", "version"),
  HOST_INFO(
      Type.INFO,
      "cistern_host_info",
      "Where the process runs, as it is told.",
      "pod",
      "container",
      "pid"),
  START_TIME_SECONDS(
      Type.GAUGE, "cistern_start_time_seconds", "When Cistern started in this process."),
  AGENT_FAILURES(
      Type.COUNTER,
      "cistern_agent_failures_total",
      "Faults of the agent itself, such as a copy of Netty that it could not serve."),
  CONTROL_REFUSALS(
      Type.COUNTER,
      "cistern_control_refusals_total",
      "Number of control files and commands of them that were refused since start."),
  SERIES_DROPPED(
      Type.COUNTER,
      "cistern_series_dropped_total",
      "Series that scrapes left out since the budget of the process was spent."),

  // Its stats file
  STATS_FILE_WRITES(
      Type.COUNTER, "cistern_stats_file_writes_total", "Reports written to the stats file."),
  STATS_FILE_FAILURES(
      Type.COUNTER,
      "cistern_stats_file_failures_total",
      "Times that the stats file could not be made, written, or grow."),
  STATS_FILE_ROWS_DROPPED(
      Type.GAUGE,
      "cistern_stats_file_rows_dropped",
      "Rows and stacks that the stats file's last report leaves out, so that it fits."),

  // A copy of Netty
  NETTY_COPY_INFO(
      Type.INFO,
      "cistern_netty_copy_info",
      "A copy of Netty in this process and what Cistern does there.",
      "pool",
      "version",
      "mode"),
  MODE_INFO(
      Type.INFO,
      "cistern_mode_info",
      "Mode of a Netty copy, and what changed it last.",
      "pool",
      "mode",
      "source"),
  ALLOCATOR_INFO(
      Type.INFO,
      "cistern_allocator_info",
      "An allocator of a Netty copy, and whether it is served, observed or bypassed.",
      "pool",
      "allocator",
      "class",
      "created_by",
      "service"),
  SERVED_ALLOCATIONS(
      Type.COUNTER,
      "cistern_served_allocations_total",
      "Allocations of the application that Cistern served.",
      "pool"),
  FALLBACK_ALLOCATIONS(
      Type.COUNTER,
      "cistern_fallback_allocations_total",
      "Allocations left to the application's own allocator because memory was short.",
      "pool"),
  BRIDGE_FAILURES(
      Type.COUNTER,
      "cistern_bridge_failures_total",
      "Faults inside Cistern's pool, each of which left one allocation to the application's own"
          + " allocator, or a release to the maintenance thread.",
      "pool"),

  // Memory of a pool
  RESERVED_BYTES(
      Type.GAUGE,
      "cistern_reserved_bytes",
      "Memory that the pool holds: pinned, cached and free.",
      Labels.POOL),
  PINNED_BYTES(
      Type.GAUGE, "cistern_pinned_bytes", "Memory of buffers that are in use.", Labels.POOL),
  CACHED_BYTES(
      Type.GAUGE,
      "cistern_cached_bytes",
      "Memory of unused slots that wait in thread caches.",
      Labels.POOL),
  FREE_BYTES(
      Type.GAUGE,
      "cistern_free_bytes",
      "Reserved memory that is neither pinned nor cached.",
      Labels.POOL),
  RESIDENT_BYTES(
      Type.GAUGE,
      "cistern_resident_bytes",
      "Current bytes of the pool's reserved memory that are resident, measured up to a minute ago.",
      Labels.POOL),
  MEMORY_WAY(
      Type.GAUGE,
      "cistern_memory_way",
      "1 for the way in which the pool allocates native memory.",
      Labels.POOL_WAY),
  LIMIT_BYTES(
      Type.GAUGE,
      "cistern_limit_bytes",
      "Limit of the memory that the pool draws from; absent if there is none.",
      Labels.POOL),
  LIMIT_USED_BYTES(
      Type.GAUGE,
      "cistern_limit_used_bytes",
      "Memory counted against the limit, by this pool and others.",
      Labels.POOL),
  HUGE_RESERVED_BYTES(
      Type.GAUGE,
      "cistern_huge_reserved_bytes",
      "Part of the reserved memory that is in extents larger than a chunk.",
      Labels.POOL),
  HUGE_PINNED_BYTES(
      Type.GAUGE,
      "cistern_huge_pinned_bytes",
      "Part of the pinned memory that is in extents larger than a chunk.",
      Labels.POOL),
  HUGE_CACHED_BYTES(
      Type.GAUGE,
      "cistern_huge_cached_bytes",
      "Memory of huge extents that wait to be used again.",
      Labels.POOL),

  // Traffic of a pool
  ALLOCATIONS(
      Type.COUNTER, "cistern_allocations_total", "Buffers handed out.", Labels.POOL_SIZE_GROUP),
  DEALLOCATIONS(
      Type.COUNTER, "cistern_deallocations_total", "Buffers released.", Labels.POOL_SIZE_GROUP),
  FAILED_ALLOCATIONS(
      Type.COUNTER,
      "cistern_failed_allocations_total",
      "Allocations that failed for lack of memory.",
      Labels.POOL),
  REQUESTED_BYTES(
      Type.COUNTER,
      "cistern_requested_bytes_total",
      "Bytes that were asked for in all allocations.",
      Labels.POOL),
  ROUNDED_BYTES(
      Type.COUNTER,
      "cistern_rounded_bytes_total",
      "Bytes that were handed out in all allocations, after rounding up to a size class.",
      Labels.POOL),

  // Thread caches
  THREAD_CACHES(Type.GAUGE, "cistern_thread_caches", "Thread caches in use.", Labels.POOL),
  THREAD_CACHE_REQUESTS(
      Type.COUNTER,
      "cistern_thread_cache_requests_total",
      "Allocations that asked a thread cache.",
      Labels.POOL),
  THREAD_CACHE_HITS(
      Type.COUNTER,
      "cistern_thread_cache_hits_total",
      "Allocations that a thread cache served from what it had.",
      Labels.POOL),
  THREAD_CACHE_MISSES(
      Type.COUNTER,
      "cistern_thread_cache_misses_total",
      "Allocations for which a thread cache went to its arena.",
      Labels.POOL),
  THREAD_CACHE_REFILLS(
      Type.COUNTER,
      "cistern_thread_cache_refills_total",
      "Allocations that found nothing at hand and got their cache new slots: the misses, and those"
          + " served from what other threads had released.",
      Labels.POOL),
  THREAD_CACHE_TRIMS(
      Type.COUNTER,
      "cistern_thread_cache_trims_total",
      "Times that a thread cache, or one size class of it, freed what it had not used.",
      Labels.POOL),
  THREAD_CACHES_REVOKED(
      Type.COUNTER,
      "cistern_thread_caches_revoked_total",
      "Thread caches taken from threads that live and sleep.",
      Labels.POOL),
  THREAD_CACHES_GIVEN_UP(
      Type.COUNTER,
      "cistern_thread_caches_given_up_total",
      "Thread caches given up by their thread, after its death, or in its sleep.",
      Labels.POOL),
  SHARED_CACHE_WAITS(
      Type.COUNTER,
      "cistern_shared_cache_waits_total",
      "Times that a thread without a cache of its own waited for a shared one.",
      Labels.POOL),
  REMOTE_RELEASES(
      Type.COUNTER,
      "cistern_remote_releases_total",
      "Buffers released by another thread than the one whose cache owns their slot.",
      Labels.POOL),

  // Arenas and chunks
  ARENAS(Type.GAUGE, "cistern_arenas", "Arenas of the pool.", Labels.POOL),
  ARENA_LOCK_WAITS(
      Type.COUNTER,
      "cistern_arena_lock_waits_total",
      "Times that a thread found the lock of an arena taken.",
      Labels.POOL),
  CHUNK_SIZE_BYTES(Type.GAUGE, "cistern_chunk_size_bytes", "Size of a chunk.", Labels.POOL),
  CHUNKS(Type.GAUGE, "cistern_chunks", "Chunks by usage band.", Labels.POOL_BAND),
  CHUNK_ALLOCATIONS(
      Type.COUNTER,
      "cistern_chunk_allocations_total",
      "Chunks that the pool took from its source of memory.",
      Labels.POOL),
  CHUNK_DEALLOCATIONS(
      Type.COUNTER,
      "cistern_chunk_deallocations_total",
      "Chunks that the pool gave back to its source of memory.",
      Labels.POOL),
  SUBPAGES(
      Type.GAUGE, "cistern_subpages", "Runs that are cut into slots of one size.", Labels.POOL),
  ORPHANED_SUBPAGES(
      Type.GAUGE,
      "cistern_orphaned_subpages",
      "Subpages whose thread is gone and that wait for another.",
      Labels.POOL),
  ORPHAN_ADOPTIONS(
      Type.COUNTER,
      "cistern_orphan_adoptions_total",
      "Times that a subpage whose thread is gone got another.",
      Labels.POOL),

  // Single arenas and sizes, on request
  ARENA_RESERVED_BYTES(
      Type.GAUGE, "cistern_arena_reserved_bytes", "Memory of an arena's chunks.", Labels.ARENA),
  ARENA_PINNED_BYTES(
      Type.GAUGE,
      "cistern_arena_pinned_bytes",
      "Memory of buffers from an arena that are in use.",
      Labels.ARENA),
  ARENA_CACHED_BYTES(
      Type.GAUGE,
      "cistern_arena_cached_bytes",
      "Memory of an arena's unused slots that wait in thread caches.",
      Labels.ARENA),
  ARENA_THREAD_CACHES(
      Type.GAUGE,
      "cistern_arena_thread_caches",
      "Thread caches that draw from an arena.",
      Labels.ARENA),
  ARENA_SUBPAGES(
      Type.GAUGE, "cistern_arena_subpages", "Subpages in an arena's chunks.", Labels.ARENA),
  ARENA_ALLOCATIONS(
      Type.COUNTER,
      "cistern_arena_allocations_total",
      "Buffers handed out from an arena's chunks.",
      Labels.ARENA),
  ARENA_DEALLOCATIONS(
      Type.COUNTER,
      "cistern_arena_deallocations_total",
      "Buffers from an arena's chunks that were released.",
      Labels.ARENA),
  ARENA_CHUNKS(
      Type.GAUGE,
      "cistern_arena_chunks",
      "Chunks of an arena by usage band.",
      "pool",
      "memory",
      "arena",
      "band"),
  SIZE_ALLOCATIONS(
      Type.COUNTER,
      "cistern_size_allocations_total",
      "Buffers handed out, by size class.",
      Labels.SIZE),
  SIZE_DEALLOCATIONS(
      Type.COUNTER,
      "cistern_size_deallocations_total",
      "Buffers released, by size class.",
      Labels.SIZE),
  SIZE_CACHED_BYTES(
      Type.GAUGE,
      "cistern_size_cached_bytes",
      "Memory of unused slots in thread caches, by size class.",
      Labels.SIZE),
  SIZE_REQUESTED_BYTES(
      Type.COUNTER,
      "cistern_size_requested_bytes_total",
      "Bytes that were asked for, by the size class that served them.",
      Labels.SIZE),
  SIZE_MISSES(
      Type.COUNTER,
      "cistern_size_misses_total",
      "Allocations for which a thread cache went to its arena, by size class.",
      Labels.SIZE),

  // Netty's own allocators
  NETTY_ALLOCATORS(
      Type.GAUGE, "cistern_netty_allocators", "Allocators of Netty's own that were seen.", "pool"),
  NETTY_ALLOCATORS_DROPPED(
      Type.COUNTER,
      "cistern_netty_allocators_dropped_total",
      "Times that such an allocator was seen that found no place, since too many are alive.",
      "pool"),
  NETTY_ALLOCATOR_RESERVED_BYTES(
      Type.GAUGE,
      "cistern_netty_allocator_reserved_bytes",
      "Memory that an allocator of Netty's own holds, in chunks and huge buffers.",
      Labels.POOL_ALLOCATOR),
  NETTY_ALLOCATOR_PINNED_BYTES(
      Type.GAUGE,
      "cistern_netty_allocator_pinned_bytes",
      "Memory of buffers of a pooled allocator of Netty's own that are in use.",
      Labels.POOL_ALLOCATOR),
  NETTY_ARENA_ALLOCATIONS(
      Type.COUNTER,
      "cistern_netty_arena_allocations_total",
      "Allocations from arenas of Netty's own; what a thread cache served is not among them.",
      Labels.POOL_SIZE_GROUP),
  NETTY_ARENA_DEALLOCATIONS(
      Type.COUNTER,
      "cistern_netty_arena_deallocations_total",
      "What came back to arenas of Netty's own; what went to a thread cache is not among it.",
      Labels.POOL_SIZE_GROUP),

  // Leaks
  LEAKS(
      Type.COUNTER,
      "cistern_leaks_total",
      "Watched buffers that were garbage collected unreleased, by allocation site.",
      Labels.POOL_SITE),
  LEAKED_BYTES(
      Type.COUNTER,
      "cistern_leaked_bytes_total",
      "Leaked bytes that the watched leaks stand for, an unbiased estimate, by allocation site.",
      Labels.POOL_SITE),
  LEAK_SAMPLES(
      Type.COUNTER,
      "cistern_leak_samples_total",
      "Allocations that were drawn as samples.",
      Labels.POOL),
  LEAK_SAMPLES_FAILED(
      Type.COUNTER,
      "cistern_leak_samples_failed_total",
      "Samples that could not be taken up, for lack of memory most likely.",
      Labels.POOL),
  LEAK_TRACKERS(
      Type.GAUGE,
      "cistern_leak_trackers",
      "Sampled buffers that are watched now: allocated and not yet released.",
      "pool"),
  LEAK_SAMPLES_UNTRACKED(
      Type.COUNTER,
      "cistern_leak_samples_untracked_total",
      "Samples that were not watched because too many were already.",
      "pool"),
  LEAK_RECORDS_DROPPED(
      Type.COUNTER,
      "cistern_leak_records_dropped_total",
      "Leaks that found no place in the store of records.",
      "pool"),
  LEAK_SAMPLES_WITHOUT_STACK(
      Type.COUNTER,
      "cistern_leak_samples_without_stack_total",
      "Samples whose stack could not be kept because too many were waiting.",
      "pool"),
  LEAK_WATCH_FAILURES(
      Type.COUNTER,
      "cistern_leak_watch_failures_total",
      "Times that watching a buffer failed, or a hint that the application gave.",
      "pool"),

  // The live profile
  LIVE_BYTES(
      Type.GAUGE,
      "cistern_live_bytes",
      "Bytes that are allocated and not released, an unbiased estimate, by allocation site and"
          + " age.",
      "pool",
      "memory",
      "site",
      "age"),
  LIVE_BUFFERS(
      Type.GAUGE,
      "cistern_live_buffers",
      "Buffers that are allocated and not released, an unbiased estimate, by allocation site.",
      Labels.POOL_SITE),
  LIVE_ERROR_BYTES(
      Type.GAUGE,
      "cistern_live_error_bytes",
      "Standard error of the live bytes of all sites and ages together.",
      Labels.POOL),
  LIVE_LOST_BYTES(
      Type.GAUGE,
      "cistern_live_lost_bytes",
      "Part of the live bytes whose buffers were garbage collected unreleased, an estimate.",
      Labels.POOL),
  SUSPECT_SITES(
      Type.GAUGE, "cistern_suspect_sites", "Allocation sites whose old bytes grow.", Labels.POOL),
  LIVE_TRENDS_DROPPED(
      Type.COUNTER,
      "cistern_live_trends_dropped_total",
      "Old samples of sites whose growth was not followed because too many were already.",
      "pool"),
  SAMPLE_INTERVAL_BYTES(
      Type.GAUGE,
      "cistern_sample_interval_bytes",
      "Mean bytes between two samples, as configured; 0 if there are none.",
      Labels.POOL),
  LARGEST_SAMPLE_INTERVAL_BYTES(
      Type.GAUGE,
      "cistern_sample_interval_largest_bytes",
      "The largest mean in force of any thread, each of which raises its own where it draws too"
          + " many.",
      Labels.POOL);

  /** What a family tells of. */
  private enum Of {
    EXPORTER,
    HOST
  }

  /** What kind of metric a family is. */
  enum Type {
    GAUGE(MetricType.GAUGE, ""),
    COUNTER(MetricType.COUNTER, "_total"),
    INFO(MetricType.INFO, "_info");

    private final MetricType registered;

    /** What the exposed name has and the client library adds by itself. */
    private final String suffix;

    Type(MetricType registered, String suffix) {
      this.registered = registered;
      this.suffix = suffix;
    }

    /** The name of this type in docs/metrics.md. */
    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Labels that many families share. */
  private static final class Labels {
    /** Before all others in each family of a host. */
    static final String[] HOST = {"host_id", "application"};

    static final String[] POOL = {"pool", "memory"};
    static final String[] POOL_SIZE_GROUP = {"pool", "memory", "size_group"};
    static final String[] POOL_BAND = {"pool", "memory", "band"};
    static final String[] POOL_WAY = {"pool", "memory", "way"};
    static final String[] POOL_ALLOCATOR = {"pool", "memory", "allocator"};
    static final String[] ARENA = {"pool", "memory", "arena"};
    static final String[] SIZE = {"pool", "memory", "size"};
    static final String[] POOL_SITE = {"pool", "memory", "site"};

    private Labels() {}
  }

  private final Type type;
  private final String exposedName;
  private final String[] labels;
  private final String[] allLabels;
  private final MetricMetadata metadata;

  Metric(Type type, String exposedName, String help, String... labels) {
    this(Of.HOST, type, exposedName, help, labels);
  }

  Metric(Of of, Type type, String exposedName, String help, String... labels) {
    this.type = type;
    this.exposedName = exposedName;
    this.labels = labels;
    this.allLabels = of == Of.EXPORTER ? labels : withHost(labels);
    String name = exposedName.substring(0, exposedName.length() - type.suffix.length());
    this.metadata = new MetricMetadata(name, help, unit(name));
  }

  private static String[] withHost(String[] labels) {
    String[] all = new String[Labels.HOST.length + labels.length];
    System.arraycopy(Labels.HOST, 0, all, 0, Labels.HOST.length);
    System.arraycopy(labels, 0, all, Labels.HOST.length, labels.length);
    return all;
  }

  private static @Nullable Unit unit(String name) {
    if (name.endsWith("_bytes")) {
      return Unit.BYTES;
    }
    return name.endsWith("_seconds") ? Unit.SECONDS : null;
  }

  /** The value of the label {@code age}, which is the name in JSON too. */
  static String label(Age age) {
    return switch (age) {
      case UNDER_10_SECONDS -> "under_10s";
      case UNDER_1_MINUTE -> "under_1m";
      case UNDER_10_MINUTES -> "under_10m";
      case OLDER -> "older";
    };
  }

  Type type() {
    return type;
  }

  /** The name that Prometheus shows. */
  String exposedName() {
    return exposedName;
  }

  /** Whether it tells of a host, and so carries the labels of that host; else of the exporter. */
  boolean isOfHost() {
    return allLabels.length > labels.length;
  }

  MetricMetadata metadata() {
    return metadata;
  }

  /** The names of the labels, in the order in which values are given; not to be changed. */
  String[] labels() {
    return labels;
  }

  /** The names of all labels, first those of the host; not to be changed. */
  String[] allLabels() {
    return allLabels;
  }

  MetricFamilyDescriptor descriptor() {
    return MetricFamilyDescriptor.of(type.registered, metadata, List.of(allLabels));
  }
}
