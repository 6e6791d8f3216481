# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""JVM: the pools, arenas, chunks, size classes and thread caches of one JVM."""

from .frame import Page
from .links import REACHABLE, TO_LEAKS, TO_LIVE, TO_PAGE, TO_PROFILE
from .panels import Column, add_graph, add_stat, add_table
from .queries import SITES, direct_limit, hit_ratio, limit_used_ratio, memory_by_state, total


def page():
    jvm = Page(
        "Cistern / JVM",
        "cistern-jvm",
        "The pools of one JVM: memory, traffic, thread caches, chunks, arenas and size classes.",
        one_jvm=True,
    )
    add_summary(jvm)
    add_process(jvm)
    add_memory(jvm)
    add_traffic(jvm)
    add_distributions(jvm)
    add_thread_caches(jvm)
    add_chunks(jvm)
    add_arenas(jvm)
    add_sizes(jvm)
    add_netty(jvm)
    add_channels(jvm)
    add_agent(jvm)
    return jvm


def add_summary(page):
    select, rate = page.queries.select, page.queries.rate
    add_stat(
        page,
        "State",
        "State of the JVM. Only a sidecar can show that the JVM has ended.",
        "short",
        f"max({select('cistern_host_up')})",
        words={0: "has ended", 1: "runs"},
    )
    add_stat(
        page,
        "Cistern uptime",
        "Time since Cistern started in the JVM. Empty after the JVM has ended.",
        "s",
        f"time() - max({select('cistern_start_time_seconds')} and on (host_id, instance) {select('cistern_host_up')} == 1)",
    )
    add_stat(
        page, "Reserved", "Memory reserved by the pools, direct and heap.", "bytes", total(select("cistern_reserved_bytes"))
    )
    add_stat(page, "Pinned", "Memory of buffers in use.", "bytes", total(select("cistern_pinned_bytes")))
    add_stat(
        page,
        "Direct memory use",
        "Highest direct memory use of a pool, as % of the limit of that pool. Other users of the same limit count, too."
        " CisternDirectMemoryNearLimit fires above 90 %, without the free bytes of the pool.",
        "percentunit",
        limit_used_ratio(page.queries),
        colors=[(0.8, "orange"), (0.9, "red")],
    )
    add_stat(page, "Allocations", "Buffers allocated per second.", "ops", total(rate("cistern_allocations_total")))
    add_stat(
        page,
        "Cache hit ratio",
        "Allocations that a thread cache served without its arena. Empty while nothing is allocated.",
        "percentunit",
        hit_ratio(page.queries),
    )
    add_stat(
        page,
        "Leaked bytes",
        "Bytes leaked since the start of the JVM, an estimate.",
        "bytes",
        total(page.queries.over(SITES, "cistern_leaked_bytes_total")),
        colors=[(1, "red")],
    )
    at = ["instance"]
    add_table(
        page,
        "Process",
        f"Pod, container and process ID of the JVM, with a row for each address that reports it. {REACHABLE}",
        Column(select("cistern_host_info", at=at)),
        Column(select("cistern_build_info", at=at)),
        Column(
            f"{select('cistern_host_heartbeat_timestamp_seconds', at=at)} * 1000", "Last seen alive", "dateTimeAsIso"
        ),
        links={"instance": [TO_PAGE, TO_LIVE, TO_LEAKS, TO_PROFILE]},
        width=12,
    )
    add_table(
        page,
        "Copies of Netty",
        "Each copy of Netty with its version and its mode: swap, observe or off.",
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


def add_process(page):
    select = page.queries.select
    page.row("Process")
    add_graph(
        page,
        "Resident memory by part",
        "Parts of the resident memory of the process, measured about once a minute. They add up to the resident memory; rest is memory"
        " that no part explains. The diagnosis of the process names the cause if a part is too large: cistern why.",
        "bytes",
        (f"sum by (part) ({select('cistern_process_memory_bytes')})", "{{part}}"),
        (total(select("cistern_process_resident_bytes")), "resident"),
        stacked=True,
        lines=("resident",),
    )
    add_graph(
        page,
        "Findings",
        "Causes of memory use that the process has found. Confidence: 1 low, 2 medium, 3 high. Importance: 1 notice, 2 warning, 3 critical."
        " No line if nothing was found.",
        "short",
        (f"max by (kind) ({select('cistern_finding')})", "{{kind}}, confidence"),
        (f"max by (kind) ({select('cistern_finding_level')})", "{{kind}}, importance"),
    )
    add_graph(
        page,
        "Memory of findings",
        "Memory that each finding explains.",
        "bytes",
        (f"max by (kind) ({select('cistern_finding_memory_bytes')})", "{{kind}}"),
    )
    add_graph(
        page,
        "Use of limits",
        "Memory in use of each limit, as % of it, without the free bytes of pools: that of direct buffers in the JVM, that of each copy of"
        " Netty with a limit of its own, and that of the container.",
        "percentunit",
        (
            f"max by (limit) ({select('cistern_memory_limit_used_bytes')})"
            f" / max by (limit) ({select('cistern_memory_limit_bytes')})",
            "{{limit}}",
        ),
    )
    add_graph(
        page,
        "Time until a limit is reached",
        "At the rate of the last minutes. No line if use does not grow. CisternMemoryExhaustionAhead fires below ten minutes.",
        "s",
        (f"min by (limit) ({select('cistern_memory_exhaustion_seconds')})", "{{limit}}"),
    )
    add_graph(
        page,
        "Recommended limits",
        "Recommended -XX:MaxDirectMemorySize and memory limit of the container, from the peaks of the last hour. No line in the first ten"
        " minutes.",
        "bytes",
        (total(select("cistern_recommended_direct_limit_bytes")), "direct memory"),
        (total(select("cistern_recommended_container_limit_bytes")), "container"),
    )
    add_graph(
        page,
        "Idle memory and collectable buffers",
        "Reserved memory of each allocator beyond the largest need of the last ten minutes, and direct buffers outside of pools."
        " A garbage collection frees those that are unused.",
        "bytes",
        (
            f"sum by (pool, memory, allocator) ({select('cistern_idle_debt_bytes')})",
            "{{pool}} {{memory}} {{allocator}}",
        ),
        (total(select("cistern_collectable_direct_bytes")), "direct buffers outside of pools"),
    )


def add_memory(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("Memory")
    add_graph(
        page,
        "Direct memory",
        "Pinned: in use. Cached: unused, in thread caches. Free: reserved, but neither pinned nor cached. Resident: reserved memory that uses"
        " physical memory, measured up to a minute ago; unknown for an observed copy of Netty. Limit: the largest limit of the pools. Pools"
        " of Cistern have the limit of the JVM; other users of direct memory count, too. An observed copy of Netty has the limit that"
        " Netty counts, if Netty counts one.",
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
        "Buffers on the Java heap. Pinned: in use. Cached: unused, in thread caches. Free: reserved, but neither pinned nor cached.",
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
        "No memory is lost at 100 %. Pinned of reserved: the rest is cached, or free in reserved chunks. Pinned of pinned and"
        " cached: the rest is in thread caches. Requested of rounded: the rest is lost to size classes. The first two have no"
        " line while nothing is pinned, or if pinned memory is unknown, as for an observed adaptive allocator of Netty.",
        "percentunit",
        (f"({pinned} > 0) / {total(select('cistern_reserved_bytes'))}", "pinned of reserved"),
        (f"({pinned} > 0) / ({pinned} + {cached})", "pinned of pinned and cached"),
        (f"{requested} / ({rounded} > 0)", "requested of rounded"),
    )
    add_graph(
        page,
        "Huge extents",
        "Memory of allocations larger than a chunk: reserved, in use (pinned), and kept for the next allocation.",
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
        "Buffers that are allocated and not yet released. A line that only rises is a leak or a queue.",
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
        "Allocations by outcome",
        "Allocations that Cistern served, that it left to the allocator of Netty, and that failed for lack of memory.",
        "ops",
        (total(rate("cistern_served_allocations_total")), "served"),
        (total(rate("cistern_fallback_allocations_total")), "left to Netty"),
        (total(rate("cistern_failed_allocations_total")), "failed"),
        width=8,
    )


def add_distributions(page):
    quantiles = page.queries.quantiles
    add_graph(
        page,
        "Requested sizes",
        "Half of the buffers, and 99 of 100, were requested with up to this size. Classic buckets: a value can be off by a factor of 16.",
        "bytes",
        *[(quantiles("cistern_requested_size_bytes", q), legend) for q, legend in ((0.5, "median"), (0.99, "99 %"))],
    )
    add_graph(
        page,
        "Lifetimes",
        "Half of the sampled buffers, and 99 of 100, were released within this time. Large buffers are more likely to be sampled."
        " Classic buckets: a value can be off by a factor of 16.",
        "s",
        *[(quantiles("cistern_sampled_lifetime_seconds", q), legend) for q, legend in ((0.5, "median"), (0.99, "99 %"))],
    )


def add_thread_caches(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("Thread caches")
    add_graph(
        page,
        "Cache hit ratio by memory",
        "Allocations that a thread cache served without its arena. No line while nothing is allocated.",
        "percentunit",
        (hit_ratio(page.queries, "memory"), "{{memory}}"),
        width=8,
    )
    add_graph(
        page,
        "Traffic past the thread caches",
        "Misses: a cache allocated from its arena. Refills: misses, and times that a cache took slots that other threads released. Trims: a cache"
        " returned unused slots. Remote releases: a thread other than the owner thread released a buffer. Orphans adopted: a subpage"
        " of an ended thread got a new owner thread. Waits: threads without a cache waited for a shared cache. Revoked: the cache of an"
        " idle thread was taken away. Given up: the thread of a cache ended or became idle.",
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
        "Thread caches of live threads.",
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
        "Chunks by the part that is in use. Many chunks in low bands: a few buffers keep each chunk, so it cannot be freed.",
        "short",
        (total(select("cistern_chunks"), "band"), "{{band}}"),
        stacked=True,
        width=8,
    )
    add_graph(
        page,
        "Chunk churn and lock waits",
        "Chunks allocated from and freed to the memory source, and threads that waited for the lock of an arena.",
        "ops",
        (total(rate("cistern_chunk_allocations_total")), "chunks allocated"),
        (total(rate("cistern_chunk_deallocations_total")), "chunks freed"),
        (total(rate("cistern_arena_lock_waits_total")), "lock waits"),
        width=8,
    )
    add_graph(
        page,
        "Subpages",
        "Runs divided into slots of one size, and the orphaned ones, which no thread cache owns.",
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
        "Arenas of each pool, size of its chunks, and its reserved memory. Native memory has also its resident part and the way of"
        " allocation: mapped memory returns to the operating system, malloc and host can keep it.",
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
        f"Memory of each arena's chunks, direct and heap.",
        "bytes",
        (total(select("cistern_arena_reserved_bytes"), "memory", "arena"), "{{memory}} {{arena}}"),
        stacked=True,
        width=8,
    )
    add_graph(
        page,
        "Chunks by arena and band",
        f"Chunks of each arena that has any, by usage band.",
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
        "Statistics of each arena. They differ much if threads do different work, or if there are fewer threads than arenas.",
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
        "Size classes that were used since the start, by the bytes of a slot. Requested: mean requested bytes; the difference to the size is"
        " wasted. Misses: part of the allocations that a thread cache could not serve without its arena.",
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
        "Unused slots in thread caches: at each moment, the ten sizes with most bytes.",
        "bytes",
        (f"topk(10, {total(select('cistern_size_cached_bytes'), *labels)})", "{{memory}} {{size}}"),
        width=10,
    )


def add_netty(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("Netty's own allocators (mode observe)")
    mode = "Empty if no copy of Netty is observed."
    add_graph(
        page,
        "Reserved by allocator",
        f"Memory reserved by each allocator of Netty. The first 16 pairs of allocator and memory of a copy have series;"
        f" cistern_series_dropped counts the rest. {mode}",
        "bytes",
        (total(select("cistern_netty_allocator_reserved_bytes"), "allocator"), "{{allocator}}"),
        stacked=True,
        width=6,
    )
    add_graph(
        page,
        "In use by allocator",
        f"Memory of buffers in use, by pooled allocator. {mode}",
        "bytes",
        (total(select("cistern_netty_allocator_pinned_bytes"), "allocator"), "{{allocator}}"),
        stacked=True,
        width=6,
    )
    add_graph(
        page,
        "Arena traffic",
        f"Allocations from arenas and releases to them, without those that thread caches serve. {mode}",
        "ops",
        (total(rate("cistern_netty_arena_allocations_total")), "allocations"),
        (total(rate("cistern_netty_arena_deallocations_total")), "deallocations"),
        width=6,
    )
    add_graph(
        page,
        "Allocators seen",
        f"Live allocators, and the number that was dropped since the start because too many were alive. {mode}",
        "short",
        (total(select("cistern_netty_allocators")), "alive"),
        (total(select("cistern_netty_allocators_dropped_total")), "dropped"),
        width=6,
    )


def add_channels(page):
    select = page.queries.select
    page.row("Channels of Netty")
    known = "Empty if the channels of no copy of Netty are watched."
    add_graph(
        page,
        "Outbound pending bytes",
        "Bytes that the application has written and channels have not sent, and the part that waits for the flow control of HTTP/2."
        " Channels can share the memory of a message, so that it can be more than the memory in use. CisternSlowConsumer fires above"
        f" 64 MiB if one channel has more than 1 MiB. {known}",
        "bytes",
        (total(select("cistern_outbound_pending_bytes"), "pool"), "{{pool}}"),
        (total(select("cistern_http2_pending_bytes"), "pool"), "{{pool}}, HTTP/2 streams"),
        width=8,
    )
    add_graph(
        page,
        "Largest channel",
        f"Pending bytes of the channel with the most. /live names the channel and its handlers. {known}",
        "bytes",
        (f"max by (pool) ({select('cistern_outbound_largest_pending_bytes')})", "{{pool}}"),
        width=8,
    )
    add_graph(
        page,
        "Channels not writable",
        "Channels whose pending bytes are above their high-water mark, and all open channels. An application that looks at isWritable"
        f" stops writing to these. {known}",
        "short",
        (total(select("cistern_outbound_unwritable_channels")), "not writable"),
        (total(select("cistern_outbound_channels")), "open"),
        width=8,
    )
    add_graph(
        page,
        "HTTP/2 unread bytes",
        f"Received bytes of open HTTP/2 streams that the application has not consumed. {known}",
        "bytes",
        (total(select("cistern_http2_unread_bytes"), "pool"), "{{pool}}"),
        width=8,
    )
    add_graph(
        page,
        "HTTP/2 streams",
        f"Open HTTP/2 streams. {known}",
        "short",
        (total(select("cistern_http2_streams"), "pool"), "{{pool}}"),
        width=8,
    )
    add_graph(
        page,
        "Pinned by slices",
        "Estimated bytes of live buffers that only slices keep, without the bytes that these cover. A copy of a slice would free"
        " them. /live names the sites.",
        "bytes",
        (total(select("cistern_slice_pinned_bytes"), "pool, memory"), "{{pool}}, {{memory}}"),
        width=8,
    )


def add_agent(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("Cistern agent")
    add_graph(
        page,
        "Faults",
        "Failures that Cistern hid from the application, and reports that it could not write to the stats file, since the start."
        " The log shows the cause.",
        "short",
        (total(select("cistern_agent_failures_total")), "agent"),
        (total(select("cistern_bridge_failures_total")), "bridge"),
        (total(select("cistern_stats_file_failures_total")), "stats file"),
        width=8,
    )
    add_graph(
        page,
        "Reports to the stats file",
        "Reports per second, by default one if there is a stats file, and the age of the last one in seconds. A sidecar shows the figures of the"
        " last report.",
        "short",
        (total(rate("cistern_stats_file_writes_total")), "reports per second"),
        (f"time() - max({select('cistern_report_timestamp_seconds')})", "age of the last, seconds"),
        width=8,
    )
    add_graph(
        page,
        "Dropped data",
        "Series that scrapes leave out because a process exceeds its limit: seriesLimit raises it. Rows that the last report in the"
        " stats file leaves out: statsFileBytes raises the limit. Allocators whose buffers are neither served nor observed, such as those"
        " of UnpooledByteBufAllocator: cistern why names them. Commands of control files that the agent refused: its log shows the cause. Channels that are not"
        " watched, because too many are open.",
        "short",
        (total(page.queries.selector_of_exporter("cistern_series_dropped")), "series"),
        (total(select("cistern_stats_file_rows_dropped")), "rows of the stats file"),
        (total(select("cistern_allocator_info", 'service="bypassed"')), "allocators"),
        (total(rate("cistern_control_refusals_total")), "refused commands per second"),
        (total(select("cistern_outbound_channels_dropped_total")), "channels"),
        width=8,
    )
