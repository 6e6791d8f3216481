# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""JVM: the inside of one, its pools, arenas, chunks, size classes and thread caches."""

from .frame import Page
from .links import REACHABLE, TO_LEAKS, TO_LIVE, TO_PAGE, TO_PROFILE
from .panels import Column, add_graph, add_stat, add_table
from .queries import SITES, direct_limit, hit_ratio, limit_used_ratio, memory_by_state, total

DETAIL = "Empty unless the agent or the sidecar has detail={} or detail=all."


def page():
    jvm = Page(
        "Cistern / JVM",
        "cistern-jvm",
        "The pools of one JVM: memory, traffic, thread caches, chunks, arenas and size classes.",
        one_jvm=True,
    )
    add_summary(jvm)
    add_memory(jvm)
    add_traffic(jvm)
    add_thread_caches(jvm)
    add_chunks(jvm)
    add_arenas(jvm)
    add_sizes(jvm)
    add_netty(jvm)
    add_agent(jvm)
    return jvm


def add_summary(page):
    select, rate = page.queries.select, page.queries.rate
    add_stat(
        page,
        "State",
        "Whether it runs. That it has ended only a sidecar can tell.",
        "short",
        f"max({select('cistern_host_up')})",
        words={0: "has ended", 1: "runs"},
    )
    add_stat(
        page,
        "Since its start",
        "Time since Cistern started in it, while it runs.",
        "s",
        f"time() - max({select('cistern_start_time_seconds')} and on (host_id) {select('cistern_host_up')} == 1)",
    )
    add_stat(
        page, "Reserved", "Memory that its pools hold, direct and heap.", "bytes", total(select("cistern_reserved_bytes"))
    )
    add_stat(page, "Pinned", "Memory of buffers in use.", "bytes", total(select("cistern_pinned_bytes")))
    add_stat(
        page,
        "Of its direct limit",
        "Direct memory that is used, of its limit; other users of direct memory count, too. CisternDirectMemoryNearLimit fires above 90 %,"
        " without what its pools have free.",
        "percentunit",
        limit_used_ratio(page.queries),
        colors=[(0.8, "orange"), (0.9, "red")],
    )
    add_stat(page, "Allocations", "Buffers handed out per second.", "ops", total(rate("cistern_allocations_total")))
    add_stat(
        page,
        "Cache hit ratio",
        "Allocations that a thread cache served from what it had. Empty while nothing is allocated.",
        "percentunit",
        hit_ratio(page.queries),
    )
    add_stat(
        page,
        "Leaked bytes",
        "What leaks have cost since its start, an estimate.",
        "bytes",
        total(page.queries.over(SITES, "cistern_leaked_bytes_total")),
        colors=[(1, "red")],
    )
    at = ["instance"]
    add_table(
        page,
        "Where it runs",
        f"Pod, container and process id as it is told or sees them; a row for each address that tells of it. {REACHABLE}",
        Column(select("cistern_host_info", at=at)),
        Column(select("cistern_build_info", at=at)),
        Column(
            f"{select('cistern_host_heartbeat_timestamp_seconds', at=at)} * 1000", "Last seen alive", "dateTimeAsIso"
        ),
        links={"host_id": [TO_PAGE, TO_LIVE, TO_LEAKS, TO_PROFILE]},
        width=12,
    )
    add_table(
        page,
        "Copies of Netty",
        "Each copy of Netty, its version, and what Cistern does there: swap, observe or off.",
        Column(f"{select('cistern_netty_copy_info')}", "Copies"),
        width=12,
    )
    add_table(
        page,
        "Last change of the mode",
        "The mode of each copy of Netty and the source of its last change, such as settings, jmx, file, sidecar, failure or back_off.",
        Column(f"{select('cistern_mode_info')}", "Copies"),
        width=12,
    )


def add_memory(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("Memory")
    add_graph(
        page,
        "Direct memory",
        "Pinned: in use. Cached: unused, in thread caches. Free: reserved and neither of both. Resident: reserved memory that takes"
        " physical memory, measured up to a minute ago. The limit is the JVM's; other users of direct memory count against it, too."
        " If Netty is only observed, there is no limit, and resident memory is not known.",
        "bytes",
        *memory_by_state(page.queries, "direct"),
        (direct_limit(page.queries), "limit"),
        (total(select("cistern_resident_bytes")), "resident"),
        stacked=True,
        lines=("limit", "resident"),
    )
    add_graph(
        page,
        "Heap memory",
        "Buffers on the Java heap. Pinned: in use. Cached: unused, in thread caches. Free: reserved and neither of both.",
        "bytes",
        *memory_by_state(page.queries, "heap"),
        stacked=True,
    )
    pinned, cached = total(select("cistern_pinned_bytes")), total(select("cistern_cached_bytes"))
    requested = total(rate("cistern_requested_bytes_total"))
    rounded = total(rate("cistern_rounded_bytes_total"))
    add_graph(
        page,
        "Fragmentation",
        "Nothing is lost at 100 %. Pinned of reserved: what is left is cached, or free in chunks that are held. Pinned of pinned and"
        " cached: what is left waits in thread caches. Requested of rounded: what is left is lost to size classes. The first two have no"
        " line while nothing is pinned, nor where nobody tells what is: an adaptive allocator of Netty's own that is only observed.",
        "percentunit",
        (f"({pinned} > 0) / {total(select('cistern_reserved_bytes'))}", "pinned of reserved"),
        (f"({pinned} > 0) / ({pinned} + {cached})", "pinned of pinned and cached"),
        (f"{requested} / ({rounded} > 0)", "requested of rounded"),
    )
    add_graph(
        page,
        "Huge extents",
        "Memory of allocations larger than a chunk: all that is reserved for them, what is in use, and what is kept for the next one.",
        "bytes",
        (total(select("cistern_huge_reserved_bytes")), "reserved"),
        (total(select("cistern_huge_pinned_bytes")), "pinned"),
        (total(select("cistern_huge_cached_bytes")), "kept"),
    )


def add_traffic(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("Traffic")
    add_graph(
        page,
        "Allocations by size",
        "Small: a slot of a subpage. Normal: a run of pages. Huge: larger than a chunk.",
        "ops",
        (total(rate("cistern_allocations_total"), "size_group"), "{{size_group}}"),
        width=8,
    )
    add_graph(
        page,
        "Buffers in use",
        "Handed out and not yet released. A line that only rises is a leak or a queue.",
        "short",
        (
            f"{total(select('cistern_allocations_total'), 'size_group')}"
            f" - {total(select('cistern_deallocations_total'), 'size_group')}",
            "{{size_group}}",
        ),
        width=8,
    )
    add_graph(
        page,
        "Served, left to Netty, failed",
        "Allocations that Cistern served, that it left to Netty's own allocator, that found no memory.",
        "ops",
        (total(rate("cistern_served_allocations_total")), "served"),
        (total(rate("cistern_fallback_allocations_total")), "left to Netty"),
        (total(rate("cistern_failed_allocations_total")), "failed"),
        width=8,
    )


def add_thread_caches(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("Thread caches")
    add_graph(
        page,
        "Cache hit ratio by memory",
        "Allocations that a thread cache served from what it had. No line while nothing is allocated.",
        "percentunit",
        (hit_ratio(page.queries, "memory"), "{{memory}}"),
        width=8,
    )
    add_graph(
        page,
        "Traffic past the thread caches",
        "Misses: a cache went to its arena. Refills: those, and when it took over what other threads had released. Trims: it gave"
        " back what it had not used. Remote releases: another thread than the cache's own released a buffer. Orphans adopted: a"
        " subpage of a thread that is gone got another. Waits: for a shared cache, by threads that have none of their own. Revoked:"
        " the cache of a thread that sleeps was taken from it. Given up: by a thread that has died, or sleeps.",
        "ops",
        (total(rate("cistern_thread_cache_misses_total")), "misses"),
        (total(rate("cistern_thread_cache_refills_total")), "refills"),
        (total(rate("cistern_thread_cache_trims_total")), "trims"),
        (total(rate("cistern_remote_releases_total")), "remote releases"),
        (total(rate("cistern_orphan_adoptions_total")), "orphans adopted"),
        (total(rate("cistern_shared_cache_waits_total")), "waits"),
        (total(rate("cistern_thread_caches_revoked_total")), "revoked"),
        (total(rate("cistern_thread_caches_given_up_total")), "given up"),
        width=8,
    )
    add_graph(
        page,
        "Thread caches",
        "Caches of living threads.",
        "short",
        (total(select("cistern_thread_caches"), "memory"), "{{memory}}"),
        width=8,
    )


def add_chunks(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("Chunks")
    add_graph(
        page,
        "Chunks by usage band",
        "Many chunks in low bands: memory is held by few buffers each, and cannot be given back.",
        "short",
        (total(select("cistern_chunks"), "band"), "{{band}}"),
        stacked=True,
        width=8,
    )
    add_graph(
        page,
        "Chunk churn and lock waits",
        "Chunks taken from and given back to the source of memory, and threads that waited for an arena.",
        "ops",
        (total(rate("cistern_chunk_allocations_total")), "chunks taken"),
        (total(rate("cistern_chunk_deallocations_total")), "chunks given back"),
        (total(rate("cistern_arena_lock_waits_total")), "lock waits"),
        width=8,
    )
    add_graph(
        page,
        "Subpages",
        "Runs cut into slots of one size, and those of them whose thread is gone.",
        "short",
        (total(select("cistern_subpages")), "all"),
        (total(select("cistern_orphaned_subpages")), "orphaned"),
        width=8,
    )


def add_arenas(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("Arenas")
    labels = ("pool", "memory", "arena")
    add_table(
        page,
        "Pools",
        "Arenas of each pool, size of its chunks, and its reserved memory. Of native memory also the part that is resident, and the way in"
        " which it is allocated: mapped memory returns to the operating system, malloc and host may keep it.",
        Column(total(select("cistern_arenas"), "pool", "memory"), "Arenas"),
        Column(f"max by (pool, memory) ({select('cistern_chunk_size_bytes')})", "Chunk size", "bytes"),
        Column(total(select("cistern_reserved_bytes"), "pool", "memory"), "Reserved", "bytes"),
        Column(total(select("cistern_resident_bytes"), "pool", "memory"), "Resident", "bytes"),
        Column(f"max by (pool, memory, way) ({select('cistern_memory_way')})"),
        sort="Reserved",
        width=8,
    )
    add_graph(
        page,
        "Reserved by arena",
        f"Memory of each arena's chunks, direct and heap. {DETAIL.format('arenas')}",
        "bytes",
        (total(select("cistern_arena_reserved_bytes"), "memory", "arena"), "{{memory}} {{arena}}"),
        stacked=True,
        width=8,
    )
    add_graph(
        page,
        "Chunks by arena and band",
        f"Chunks of each arena that has any, by usage band. {DETAIL.format('arenas')}",
        "short",
        (
            f"{total(select('cistern_arena_chunks'), 'memory', 'arena', 'band')}"
            f" and on (memory, arena) {total(select('cistern_arena_reserved_bytes'), 'memory', 'arena')} > 0",
            "{{memory}} {{arena}} {{band}}",
        ),
        stacked=True,
        width=8,
    )

    def figure(metric):
        return total(select(metric), *labels)

    add_table(
        page,
        "Arenas",
        "Arenas with very different figures: their threads do different work, or there are fewer threads than arenas."
        f" {DETAIL.format('arenas')}",
        Column(figure("cistern_arena_reserved_bytes"), "Reserved", "bytes"),
        Column(figure("cistern_arena_pinned_bytes"), "Pinned", "bytes"),
        Column(figure("cistern_arena_cached_bytes"), "Cached", "bytes"),
        Column(figure("cistern_arena_thread_caches"), "Thread caches"),
        Column(figure("cistern_arena_subpages"), "Subpages"),
        Column(total(rate("cistern_arena_allocations_total"), *labels), "Allocations", "ops"),
        Column(total(rate("cistern_arena_deallocations_total"), *labels), "Releases", "ops"),
        numbers={"arena": "short"},
        sort="Reserved",
    )


def add_sizes(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("Size classes")
    labels = ("memory", "size")
    allocations = total(rate("cistern_size_allocations_total"), *labels)
    requested = total(rate("cistern_size_requested_bytes_total"), *labels)
    misses = total(rate("cistern_size_misses_total"), *labels)
    handed_out = total(select("cistern_size_allocations_total"), *labels)
    used = f"and on (memory, size) {handed_out} > 0"
    add_table(
        page,
        "Size classes",
        "Those that were asked for since the start, by the bytes of a slot. Requested: the mean of what was asked for, so that the difference to the"
        " size is lost; misses: the"
        f" part of the allocations for which a thread cache went to its arena. {DETAIL.format('sizes')}",
        Column(f"{allocations} {used}", "Allocations", "ops"),
        Column(
            f"{handed_out} - {total(select('cistern_size_deallocations_total'), *labels)} {used}",
            "In use",
        ),
        Column(f"{total(select('cistern_size_cached_bytes'), *labels)} {used}", "Cached", "bytes"),
        Column(f"{requested} / ({allocations} > 0)", "Requested", "bytes"),
        Column(f"{misses} / ({allocations} > 0)", "Misses", "percentunit"),
        numbers={"size": "bytes"},
        sort="Allocations",
        width=14,
    )
    add_graph(
        page,
        "Cached by size class",
        f"Unused slots in thread caches: at each moment, the ten sizes that hold most. {DETAIL.format('sizes')}",
        "bytes",
        (f"topk(10, {total(select('cistern_size_cached_bytes'), *labels)})", "{{memory}} {{size}}"),
        width=10,
    )


def add_netty(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("Netty's own allocators (mode observe)")
    mode = "Empty where no copy of Netty is observed."
    add_graph(
        page,
        "Reserved by allocator",
        f"Memory that each allocator of Netty's own holds; the first eight of a copy by name, the rest as other. {mode}",
        "bytes",
        (total(select("cistern_netty_allocator_reserved_bytes"), "allocator"), "{{allocator}}"),
        stacked=True,
        width=6,
    )
    add_graph(
        page,
        "In use by allocator",
        f"Memory of buffers that are in use; pooled allocators only. {mode}",
        "bytes",
        (total(select("cistern_netty_allocator_pinned_bytes"), "allocator"), "{{allocator}}"),
        stacked=True,
        width=6,
    )
    add_graph(
        page,
        "Arena traffic",
        f"Allocations from arenas and what comes back; what thread caches serve is in neither. {mode}",
        "ops",
        (total(rate("cistern_netty_arena_allocations_total")), "allocations"),
        (total(rate("cistern_netty_arena_deallocations_total")), "deallocations"),
        width=6,
    )
    add_graph(
        page,
        "Allocators seen",
        f"Allocators that are alive, and, since the start, those that found no place among them. {mode}",
        "short",
        (total(select("cistern_netty_allocators")), "alive"),
        (total(select("cistern_netty_allocators_dropped_total")), "without a place"),
        width=6,
    )


def add_agent(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("Cistern itself")
    add_graph(
        page,
        "Faults",
        "Faults that Cistern kept from the application, and reports that it could not write to the stats file, since the start."
        " The log says why.",
        "short",
        (total(select("cistern_agent_failures_total")), "agent"),
        (total(select("cistern_bridge_failures_total")), "bridge"),
        (total(select("cistern_stats_file_failures_total")), "stats file"),
        width=8,
    )
    add_graph(
        page,
        "Reports to the stats file",
        "One a second by default, where there is a stats file. A sidecar knows the JVM as of the last one.",
        "ops",
        (total(rate("cistern_stats_file_writes_total")), "reports"),
        width=8,
    )
    add_graph(
        page,
        "What was left out",
        "Series that scrapes leave out since the budget is spent, per second: seriesLimit is the budget. Rows that the last report in the"
        " stats file leaves out: statsFileBytes gives it more room. Allocators whose buffers are neither served nor observed, such as those"
        " of UnpooledByteBufAllocator: cistern why names them. Commands of control files that the agent refused: its log has the cause.",
        "short",
        (total(rate("cistern_series_dropped_total")), "series per second"),
        (total(select("cistern_stats_file_rows_dropped")), "rows of the stats file"),
        (total(select("cistern_allocator_info", 'service="bypassed"')), "allocators"),
        (total(rate("cistern_control_refusals_total")), "refused commands per second"),
        width=8,
    )
