/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Detail;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Histogram;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.exporter.schema.Text;
import dev.cistern.exporter.schema.Unit;
import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.stats.ArenaStat;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.stats.SizeClassStat;
import dev.cistern.stats.SizeGroup;
import dev.cistern.stats.UsageBand;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** Figures of a pool, its size groups, usage bands, arenas and size classes. */
public final class PoolFigures {
  private static final int MAX_ARENAS = 1_024;
  private static final int MAX_SIZES = 256;

  /** A pool: one kind of memory of a copy or an allocator. */
  public static final Scope<PoolView> POOL =
      CopyFigures.COPY.child(1, "pools", 2, PoolView::of).label("memory", view -> view.memory());

  /** A size group. */
  public static final Scope<Group> GROUP =
      POOL.child(
              1,
              "size_groups",
              SizeGroup.values().length,
              view -> each(SizeGroup.values(), size -> new Group(view, size)))
          .label("size_group", group -> group.size().label());

  private static final Scope<InBand> BAND =
      POOL.child(
              2,
              "bands",
              UsageBand.values().length,
              view -> each(UsageBand.values(), band -> new InBand(view, band)))
          .label("band", each -> each.band().label());

  /** An arena. */
  public static final Scope<Arena> ARENA =
      POOL.child(3, "arena_details", MAX_ARENAS, Arena::of)
          .detail(Detail.ARENAS)
          .label("arena", arena -> Integer.toString(arena.number()));

  private static final Scope<ArenaBand> ARENA_BAND =
      ARENA
          .child(
              1,
              "bands",
              UsageBand.values().length,
              arena -> each(UsageBand.values(), band -> new ArenaBand(arena, band)))
          .detail(Detail.ARENAS)
          .label("band", each -> each.band().label());

  /** A size class. */
  public static final Scope<SizeClass> SIZE =
      POOL.child(4, "sizes", MAX_SIZES, SizeClass::of)
          .detail(Detail.SIZES)
          .label("size", size -> Integer.toString(size.bytes()));

  private PoolFigures() {}

  // ---- sources of the figures of the lower scopes

  private static <E, T> List<T> each(E[] values, Function<E, T> make) {
    return Arrays.stream(values).map(make).toList();
  }

  private static <T> List<T> each(int count, IntFunction<T> make) {
    return IntStream.range(0, count).mapToObj(make).toList();
  }

  /** A size group of a pool. */
  public record Group(PoolView view, SizeGroup size) {}

  private record InBand(PoolView view, UsageBand band) {}

  record Arena(PoolSnapshot pool, int number) {
    static List<Arena> of(PoolView view) {
      PoolSnapshot own = view.own();
      return own == null ? List.of() : each(own.arenas(), i -> new Arena(own, i));
    }

    long get(ArenaStat stat) {
      return pool.get(stat, number);
    }
  }

  private record ArenaBand(Arena arena, UsageBand band) {}

  record SizeClass(PoolSnapshot pool, int number) {
    static List<SizeClass> of(PoolView view) {
      PoolSnapshot own = view.own();
      return own == null ? List.of() : each(own.sizeClasses(), i -> new SizeClass(own, i));
    }

    int bytes() {
      return pool.sizeClassBytes(number);
    }

    long get(SizeClassStat stat) {
      return pool.get(stat, number);
    }
  }

  // ---- memory

  /** Reserved bytes. */
  public static final Figure<PoolView> RESERVED_BYTES =
      POOL.gauge(
              1,
              "cistern_reserved_bytes",
              view -> view.sum(PoolSnapshot::reservedBytes, NettyAllocatorReport::reservedBytes))
          .help(
              "Current bytes of memory that the pool reserves in chunks and huge extents: pinned,"
                  + " cached and free.")
          .core()
          .kept();

  /** Pinned bytes. */
  public static final Figure<PoolView> PINNED_BYTES =
      POOL.gauge(
              2,
              "cistern_pinned_bytes",
              view -> view.sum(PoolSnapshot::pinnedBytes, NettyAllocatorReport::pinnedBytes))
          .help("Current bytes of memory of buffers that are in use.")
          .core()
          .kept();

  /** Cached bytes. */
  public static final Figure<PoolView> CACHED_BYTES =
      POOL.gauge(
              3,
              "cistern_cached_bytes",
              view -> view.sum(PoolSnapshot::cachedBytes, NettyAllocatorReport::cachedBytes))
          .help(
              "Current bytes of unused slots in thread caches: neither in use nor free for other"
                  + " threads.")
          .core()
          .kept();

  /** Free bytes. */
  public static final Figure<PoolView> FREE_BYTES =
      POOL.gauge(
              4,
              "cistern_free_bytes",
              view -> view.sum(PoolSnapshot::freeBytes, NettyAllocatorReport::freePageBytes))
          .help("Current bytes of reserved memory that is neither pinned nor cached.")
          .core()
          .kept();

  /** Resident bytes. */
  public static final Figure<PoolView> RESIDENT_BYTES =
      POOL.gauge(5, "cistern_resident_bytes", PoolView::residentBytes)
          .help(
              "Current bytes of the pool's reserved memory that is resident, measured 10 to 60 s"
                  + " ago. Absent for heap memory, and if the operating system does not report it"
                  + " (only Linux does).")
          .core()
          .kept();

  /** Limit. */
  public static final Figure<PoolView> LIMIT_BYTES =
      POOL.gauge(6, "cistern_limit_bytes", PoolView::limitBytes)
          .help(
              "Current bytes of the limit of the memory that the pool allocates from: for direct"
                  + " memory that of the JVM, for an observed copy that of Netty. Absent if there"
                  + " is none.")
          .core()
          .kept();

  /** Memory that counts against the limit. */
  public static final Figure<PoolView> LIMIT_USED_BYTES =
      POOL.gauge(7, "cistern_limit_used_bytes", PoolView::limitUsedBytes)
          .help(
              "Current bytes of all memory counted against the limit: of this pool, of other pools"
                  + " and of unpooled buffers.")
          .core()
          .kept();

  /** Size of a chunk. */
  static final Figure<PoolView> CHUNK_SIZE_BYTES =
      POOL.gauge(52, "cistern_chunk_size_bytes", PoolView::chunkBytes)
          .help("Current bytes of one chunk.");

  /** Failed allocations. */
  public static final Figure<PoolView> FAILED_ALLOCATIONS =
      POOL.counter(20, "cistern_failed_allocations_total", own(PoolSnapshot::failedAllocations))
          .help("Number of allocations that failed since start because memory was short.")
          .core()
          .kept();

  /** Sites that are suspected of leaking. */
  public static final Figure<PoolView> SUSPECT_SITES =
      POOL.gauge(82, "cistern_suspect_sites", PoolView::suspectSites)
          .help(
              "Current number of allocation sites that are suspected of leaking because their old"
                  + " bytes grow.")
          .core()
          .kept();

  /** Standard error of the live bytes. */
  static final Figure<PoolView> LIVE_ERROR_BYTES =
      POOL.gauge(80, "cistern_live_error_bytes", PoolView::liveErrorBytes)
          .help(
              "Current bytes of the standard error of the live bytes of all sites and ages"
                  + " together.");

  /** Leaked live bytes. */
  public static final Figure<PoolView> LIVE_LOST_BYTES =
      POOL.gauge(81, "cistern_live_lost_bytes", PoolView::liveLostBytes)
          .help(
              "Current bytes of live buffers that were garbage collected unreleased, an estimate;"
                  + " they are never freed.");

  /** Bytes that slices keep but do not cover. */
  static final Figure<PoolView> SLICE_PINNED_BYTES =
      POOL.gauge(83, "cistern_slice_pinned_bytes", PoolView::slicePinnedBytes)
          .help(
              "Current bytes of live buffers that slices keep and do not cover, an estimate; absent"
                  + " if the channels of the copy are not watched.");

  /** Samples that failed. */
  public static final Figure<PoolView> FAILED_SAMPLES =
      POOL.counter(71, "cistern_leak_samples_failed_total", own(PoolStat.FAILED_SAMPLES))
          .help(
              "Number of samples since start that could not be recorded, probably because heap"
                  + " memory was short.")
          .internal();

  /** The largest current interval between two samples. */
  public static final Figure<PoolView> LARGEST_SAMPLE_INTERVAL_BYTES =
      POOL.gauge(
              73,
              "cistern_sample_interval_largest_bytes",
              own(PoolStat.LARGEST_SAMPLE_INTERVAL_BYTES))
          .help(
              "Current bytes of the largest mean interval between two samples of any thread. A"
                  + " thread raises its own interval to limit the number of samples.")
          .internal();

  /** Allocations of a size group. */
  public static final Figure<Group> ALLOCATIONS =
      GROUP
          .counter(
              1,
              "cistern_allocations_total",
              group -> group.view().own(pool -> pool.allocations(group.size())))
          .help("Number of buffers allocated since start.");

  /** Releases of a size group. */
  public static final Figure<Group> DEALLOCATIONS =
      GROUP
          .counter(
              2,
              "cistern_deallocations_total",
              group -> group.view().own(pool -> pool.deallocations(group.size())))
          .help("Number of buffers released since start.");

  /** Allocations from arenas of Netty's own allocators. */
  public static final Figure<Group> NETTY_ALLOCATIONS =
      GROUP
          .counter(
              3,
              "cistern_netty_arena_allocations_total",
              group -> group.view().netty(part -> part.allocations().get(group.size().ordinal())))
          .help(
              "Number of allocations from arenas of Netty's own allocators since start, without"
                  + " those that a thread cache served.");

  /** Releases to arenas of Netty's own allocators. */
  public static final Figure<Group> NETTY_DEALLOCATIONS =
      GROUP
          .counter(
              4,
              "cistern_netty_arena_deallocations_total",
              group -> group.view().netty(part -> part.deallocations().get(group.size().ordinal())))
          .help(
              "Number of releases to arenas of Netty's own allocators since start; the difference"
                  + " from the allocations is in use or in thread caches.");

  /** Method by which the pool allocates native memory. */
  public static final Text<PoolView> WAY =
      POOL.text(1, "way", "how the pool allocates native memory", PoolView::way);

  static {
    POOL.info(
            11,
            "cistern_memory_way",
            List.of(WAY),
            view -> view.way().isEmpty() ? Figure.ABSENT : 1)
        .help("1 for the way in which the pool allocated its newest native memory.");
    POOL.gauge(
            8,
            "cistern_huge_reserved_bytes",
            view -> view.sum(PoolSnapshot::hugeReservedBytes, NettyAllocatorReport::hugeBytes))
        .help("Current bytes of reserved memory in extents larger than a chunk.")
        .internal();
    POOL.gauge(
            9,
            "cistern_huge_pinned_bytes",
            view -> view.sum(PoolSnapshot::hugePinnedBytes, NettyAllocatorReport::hugeBytes))
        .help("Current bytes of pinned memory in extents larger than a chunk.")
        .internal();
    POOL.gauge(10, "cistern_huge_cached_bytes", own(PoolSnapshot::hugeCachedBytes))
        .help(
            "Current bytes of extents larger than a chunk that wait for their next use; part of the"
                + " free bytes.")
        .internal();
    traffic();
    threadCaches();
    chunks();
    arenas();
    sizes();
    samples();
  }

  private static ToLongFunction<PoolView> own(ToLongFunction<PoolSnapshot> figure) {
    return view -> view.own(figure);
  }

  private static ToLongFunction<PoolView> own(PoolStat stat) {
    return view -> view.own(stat);
  }

  private static void traffic() {
    POOL.counter(21, "cistern_requested_bytes_total", own(PoolStat.REQUESTED_BYTES_TOTAL))
        .help("Number of bytes requested by all allocations since start.");
    POOL.counter(22, "cistern_rounded_bytes_total", own(PoolStat.ROUNDED_BYTES_TOTAL))
        .help("Number of bytes allocated for them since start, after rounding up to a size class.");
  }

  private static void threadCaches() {
    POOL.gauge(
            30,
            "cistern_thread_caches",
            view -> view.sum(PoolSnapshot::threadCaches, NettyAllocatorReport::allThreadCaches))
        .help("Current number of thread caches of living threads.");
    POOL.counter(31, "cistern_thread_cache_requests_total", own(PoolSnapshot::threadCacheRequests))
        .help("Number of allocations that tried a thread cache since start.");
    POOL.counter(32, "cistern_thread_cache_hits_total", own(PoolStat.THREAD_CACHE_HITS))
        .help(
            "Number of allocations since start that tried a thread cache and found a free slot"
                + " there.");
    POOL.counter(33, "cistern_thread_cache_misses_total", own(PoolSnapshot::threadCacheMisses))
        .help(
            "Number of allocations since start that tried a thread cache and needed a subpage, an"
                + " orphan or a run of the arena.")
        .internal();
    POOL.counter(34, "cistern_thread_cache_refills_total", own(PoolStat.THREAD_CACHE_REFILLS))
        .help(
            "Number of allocations since start that tried a thread cache and needed new slots: the"
                + " misses, and those served from slots that other threads had released or from"
                + " another subpage of the cache.")
        .internal();
    POOL.counter(35, "cistern_thread_cache_trims_total", own(PoolStat.THREAD_CACHE_TRIMS))
        .help(
            "Number of times since start that a thread cache, or one size class of it, freed memory"
                + " that it had not used.")
        .internal();
    POOL.counter(36, "cistern_thread_caches_revoked_total", own(PoolStat.THREAD_CACHES_REVOKED))
        .help("Number of thread caches taken from idle threads since start.")
        .internal();
    POOL.counter(37, "cistern_thread_caches_given_up_total", own(PoolStat.THREAD_CACHES_GIVEN_UP))
        .help(
            "Number of thread caches retired since start by their thread, after its end, or while"
                + " it was idle.")
        .internal();
    POOL.counter(38, "cistern_shared_cache_waits_total", own(PoolStat.SHARED_CACHE_WAITS))
        .help(
            "Number of times since start that a thread without its own cache, such as a virtual"
                + " one, waited for a shared cache.");
    POOL.counter(39, "cistern_remote_releases_total", own(PoolSnapshot::remoteReleases))
        .help(
            "Number of buffers released since start by a thread other than the one whose cache owns"
                + " their slot.");
  }

  private static void chunks() {
    POOL.gauge(
            50,
            "cistern_arenas",
            view -> view.sum(PoolSnapshot::arenas, NettyAllocatorReport::arenas))
        .help("Current number of arenas of the pool.")
        .internal();
    POOL.counter(51, "cistern_arena_lock_waits_total", own(pool -> pool.sum(ArenaStat.LOCK_WAITS)))
        .help("Number of times since start that a thread found the lock of an arena taken.");
    POOL.counter(
            53,
            "cistern_chunk_allocations_total",
            own(pool -> pool.sum(ArenaStat.CHUNK_ALLOCATIONS)))
        .help("Number of chunks that the pool allocated from its memory source since start.")
        .internal();
    POOL.counter(
            54,
            "cistern_chunk_deallocations_total",
            own(pool -> pool.sum(ArenaStat.CHUNK_DEALLOCATIONS)))
        .help("Number of chunks that the pool freed since start.")
        .internal();
    POOL.gauge(55, "cistern_subpages", own(PoolSnapshot::subpages))
        .help("Current number of runs that are cut into slots of one size.")
        .internal();
    POOL.gauge(56, "cistern_orphaned_subpages", own(PoolStat.ORPHANED_SUBPAGES))
        .help(
            "Current number of subpages that no thread cache owns: their cache was retired, and no"
                + " other cache has adopted them.")
        .internal();
    POOL.counter(57, "cistern_orphan_adoptions_total", own(PoolStat.ORPHAN_ADOPTIONS))
        .help("Number of times since start that a thread cache adopted an orphaned subpage.")
        .internal();
    BAND.gauge(
            1,
            "cistern_chunks",
            each ->
                each.view()
                    .sum(
                        pool -> pool.chunks(each.band()),
                        part -> part.chunks().get(each.band().ordinal())))
        .help("Current number of chunks by usage band.");
  }

  private static void arenas() {
    ARENA
        .gauge(1, "cistern_arena_reserved_bytes", arena -> arena.get(ArenaStat.RESERVED_BYTES))
        .help("Current bytes of an arena's chunks. Huge extents belong to no arena.");
    ARENA
        .gauge(2, "cistern_arena_pinned_bytes", arena -> arena.get(ArenaStat.PINNED_BYTES))
        .help("Current bytes of memory of an arena's buffers that are in use.");
    ARENA
        .gauge(3, "cistern_arena_cached_bytes", arena -> arena.get(ArenaStat.CACHED_BYTES))
        .help("Current bytes of an arena's unused slots in thread caches.");
    ARENA
        .gauge(4, "cistern_arena_thread_caches", arena -> arena.get(ArenaStat.THREAD_CACHES))
        .help("Current number of thread caches that use an arena.");
    ARENA
        .gauge(5, "cistern_arena_subpages", arena -> arena.get(ArenaStat.SUBPAGES))
        .help("Current number of subpages in an arena's chunks.");
    ARENA
        .counter(
            6,
            "cistern_arena_allocations_total",
            arena ->
                arena.get(ArenaStat.SMALL_ALLOCATIONS) + arena.get(ArenaStat.NORMAL_ALLOCATIONS))
        .help("Number of buffers allocated from an arena's chunks since start.");
    ARENA
        .counter(
            7,
            "cistern_arena_deallocations_total",
            arena ->
                arena.get(ArenaStat.SMALL_DEALLOCATIONS)
                    + arena.get(ArenaStat.NORMAL_DEALLOCATIONS))
        .help("Number of buffers of an arena's chunks released since start, by any thread.");
    ARENA_BAND
        .gauge(1, "cistern_arena_chunks", each -> each.arena().get(ArenaStat.chunks(each.band())))
        .help("Current number of chunks of an arena by usage band.");
  }

  private static void sizes() {
    SIZE.counter(1, "cistern_size_allocations_total", size -> size.get(SizeClassStat.ALLOCATIONS))
        .help("Number of buffers allocated since start, by size class.");
    SIZE.counter(
            2, "cistern_size_deallocations_total", size -> size.get(SizeClassStat.DEALLOCATIONS))
        .help("Number of buffers released since start, by size class.");
    SIZE.gauge(
            3,
            "cistern_size_cached_bytes",
            size -> size.get(SizeClassStat.CACHED_SLOTS) * size.bytes())
        .help("Current bytes of unused slots in thread caches, by size class.");
    SIZE.counter(
            4,
            "cistern_size_requested_bytes_total",
            size -> size.get(SizeClassStat.REQUESTED_BYTES))
        .help("Number of bytes requested since start, by the size class that served them.");
    SIZE.counter(5, "cistern_size_misses_total", size -> size.get(SizeClassStat.MISSES))
        .help(
            "Number of allocations since start for which a thread cache needed its arena, by size"
                + " class.");
  }

  /** Exponent of the smallest size class, 16. */
  private static final int FIRST_SIZE = 4;

  /** Number of buckets, up to 16 MiB, the largest default size of a chunk. */
  private static final int SIZE_BUCKETS = 21;

  private static void samples() {
    POOL.histogram(
        place ->
            new Histogram<>(
                place,
                1,
                "cistern_requested_size_bytes",
                Unit.BYTES,
                Detail.NORMAL,
                "Sizes of the buffers that were requested, by the size classes that served them;"
                    + " buffers larger than a chunk have no upper bound.",
                FIRST_SIZE,
                SIZE_BUCKETS,
                view -> view.own() == null ? null : requestedSizes(view.own())));
    POOL.histogram(
        place ->
            new Histogram<>(
                place,
                2,
                "cistern_sampled_lifetime_seconds",
                Unit.MICROS,
                Detail.INTERNALS,
                "Time from allocation to release of the buffers that were sampled; large buffers"
                    + " are more likely to be sampled.",
                LifetimeReport.FIRST_EXPONENT,
                LifetimeReport.ENDS,
                view -> view.lifetimes() == null ? null : counts(view.lifetimes())));
    POOL.counter(70, "cistern_leak_samples_total", own(PoolStat.SAMPLES))
        .help("Number of allocations that were chosen as samples since start.");
    POOL.gauge(72, "cistern_sample_interval_bytes", own(PoolStat.SAMPLE_INTERVAL_BYTES))
        .help(
            "Current bytes of the mean interval between two samples, as configured; 0 if there are"
                + " none.")
        .internal();
  }

  private static long[] counts(LifetimeReport lifetimes) {
    List<Long> samples = lifetimes.samples();
    long[] counts = new long[samples.size() + 1];
    Arrays.setAll(counts, i -> i < samples.size() ? samples.get(i) : lifetimes.micros());
    return counts;
  }

  /**
   * Returns the histogram of requested sizes. A size class serves sizes up to its own, and each
   * power of two is a size class.
   */
  private static long[] requestedSizes(PoolSnapshot pool) {
    long[] counts = new long[SIZE_BUCKETS + 2];
    for (int i = 0; i < pool.sizeClasses(); i++) {
      int exponent = Integer.SIZE - Integer.numberOfLeadingZeros(pool.sizeClassBytes(i) - 1);
      int bucket = Math.min(Math.max(0, exponent - FIRST_SIZE), SIZE_BUCKETS);
      counts[bucket] += pool.get(SizeClassStat.ALLOCATIONS, i);
    }
    counts[SIZE_BUCKETS] += pool.get(PoolStat.HUGE_ALLOCATIONS);
    counts[SIZE_BUCKETS + 1] = pool.get(PoolStat.REQUESTED_BYTES_TOTAL);
    return counts;
  }
}
