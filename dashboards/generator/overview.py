# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""Overview: all JVMs."""

from .frame import Page
from .links import TO_JVM
from .panels import Column, add_graph, add_stat, add_table
from .queries import SITES, direct_limit, hit_ratio, limit_used_ratio, memory_by_state, total

TOP = 20


def page():
    overview = Page(
        "Cistern / Overview",
        "cistern-overview",
        "Pooled buffers of all selected JVMs: memory, traffic, leaks, and which JVMs hold most.",
    )
    add_summary(overview)
    add_memory(overview)
    add_top(overview)
    add_traffic(overview)
    add_exporters(overview)
    return overview


def add_summary(page):
    select = page.queries.select
    add_stat(
        page,
        "JVMs",
        "Selected JVMs that run, those behind a sidecar too. Each counts once, however it is scraped.",
        "short",
        total(select("cistern_host_up")),
    )
    add_stat(
        page,
        "Reserved",
        "Memory that the pools hold, direct and heap: pinned, cached and free.",
        "bytes",
        total(select("cistern_reserved_bytes")),
    )
    add_stat(page, "Pinned", "Memory of buffers in use.", "bytes", total(select("cistern_pinned_bytes")))
    add_stat(
        page,
        "Cached",
        "Memory of unused slots in thread caches: neither in use nor free for other threads.",
        "bytes",
        total(select("cistern_cached_bytes")),
    )
    add_stat(
        page,
        "Fullest JVM",
        "The largest share of its limit of direct memory that any JVM uses. CisternDirectMemoryNearLimit fires above 90 %, without what its"
        " pools have free.",
        "percentunit",
        limit_used_ratio(page.queries),
        colors=[(0.8, "orange"), (0.9, "red")],
    )
    add_stat(
        page,
        "Cache hit ratio",
        "Allocations that a thread cache served from what it had. Empty while nothing is allocated.",
        "percentunit",
        hit_ratio(page.queries),
    )
    add_stat(
        page,
        "Leak rate",
        "Leaked bytes per second that the leaks found stand for, an estimate. The first leak of a site begins its series and"
        " has no rate: the dashboard Leaks counts it.",
        "binBps",
        total(page.queries.rate_over(SITES, "cistern_leaked_bytes_total")),
        colors=[(0.001, "red")],
    )
    add_stat(
        page,
        "Suspect sites",
        "Sites whose old bytes grow more than chance explains; the dashboard Leaks names them.",
        "short",
        total(select("cistern_suspect_sites")),
        colors=[(1, "orange")],
    )


def add_memory(page):
    select = page.queries.select
    page.row("Memory")
    add_graph(
        page,
        "Direct memory",
        "Pinned: in use. Cached: unused, in thread caches. Free: reserved and neither of both. The limit is the sum of the"
        " limits of all JVMs that tell one; where Netty is only observed, none is told. Other users of direct memory"
        " count against it, too.",
        "bytes",
        *memory_by_state(page.queries, "direct"),
        (direct_limit(page.queries), "limit"),
        stacked=True,
        lines=("limit",),
    )
    add_graph(
        page,
        "Heap memory",
        "Buffers on the Java heap. Pinned: in use. Cached: unused, in thread caches. Free: reserved and neither of both.",
        "bytes",
        *memory_by_state(page.queries, "heap"),
        stacked=True,
    )
    add_graph(
        page,
        "Reserved by application",
        "Memory that the pools of all JVMs of an application hold.",
        "bytes",
        (total(select("cistern_reserved_bytes"), "application"), "{{application}}"),
    )
    add_graph(
        page,
        "Fullest JVM by application",
        "The largest share of its limit of direct memory that any JVM of an application uses. Near 100 %, allocations fail.",
        "percentunit",
        (limit_used_ratio(page.queries, "application"), "{{application}}"),
    )


def add_top(page):
    select, rate = page.queries.select, page.queries.rate
    jvm = ("application", "host_id")
    top = f"and on (host_id) topk({TOP}, {total(select('cistern_reserved_bytes'), 'host_id')})"
    page.row("JVMs")
    add_table(
        page,
        "Top JVMs",
        f"The {TOP} JVMs that hold most memory. A click on host_id leads to the JVM's own dashboard. Leaked bytes are an"
        " estimate, since the JVM's start.",
        Column(f"{total(select('cistern_reserved_bytes'), *jvm)} {top}", "Reserved", "bytes"),
        Column(f"{total(select('cistern_pinned_bytes'), *jvm)} {top}", "Pinned", "bytes"),
        Column(f"{total(select('cistern_cached_bytes'), *jvm)} {top}", "Cached", "bytes"),
        Column(f"{limit_used_ratio(page.queries, *jvm)} {top}", "Of its direct limit", "percentunit"),
        Column(f"{total(rate('cistern_allocations_total'), *jvm)} {top}", "Allocations", "ops"),
        Column(f"{hit_ratio(page.queries, *jvm)} {top}", "Cache hit ratio", "percentunit"),
        Column(f"{total(page.queries.over(SITES, 'cistern_leaked_bytes_total'), *jvm)} {top}", "Leaked", "bytes"),
        links={"host_id": [TO_JVM]},
        sort="Reserved",
        height=10,
    )


def add_traffic(page):
    rate = page.queries.rate
    page.row("Traffic and leaks by application")
    add_graph(
        page,
        "Allocations by application",
        "Buffers handed out per second.",
        "ops",
        (total(rate("cistern_allocations_total"), "application"), "{{application}}"),
        width=8,
    )
    add_graph(
        page,
        "Cache hit ratio by application",
        "Allocations that a thread cache served from what it had. No line while nothing is allocated.",
        "percentunit",
        (hit_ratio(page.queries, "application"), "{{application}}"),
        width=8,
    )
    add_graph(
        page,
        "Leak rate by application",
        "Leaked bytes per second that the leaks found stand for, an estimate. A line above zero is a leak that goes on.",
        "binBps",
        (total(page.queries.rate_over(SITES, "cistern_leaked_bytes_total"), "application"), "{{application}}"),
        width=8,
    )


def add_exporters(page):
    selector = page.queries.selector
    page.row("Exporters and sidecars")

    def rate(metric):
        return f"rate({selector(metric)}[$__rate_interval])"

    add_graph(
        page,
        "Endpoints",
        "Exporters and sidecars of each job that answer, and those of them that cannot ask their pools: these show nothing else. One that"
        " is down vanishes here: Prometheus' own metric up tells of it.",
        "short",
        (f"count by (job) ({selector('cistern_up')} == 1)", "{{job}}"),
        (f"count by (job) ({selector('cistern_up')} == 0)", "{{job}}, cannot ask its pools"),
        width=8,
    )
    add_graph(
        page,
        "Time of a scrape",
        "Time that it takes to ask all pools: at each moment, the five slowest.",
        "s",
        (f"topk(5, {selector('cistern_scrape_duration_seconds')})", "{{instance}}"),
        width=8,
    )
    add_graph(
        page,
        "Requests refused",
        "Requests that got no page, by reason: no login, not for this client, too many, too slow, too large. Connections that"
        " were closed because there were too many. Commands of POST /control by result.",
        "ops",
        (total(rate("cistern_http_requests_refused_total"), "job", "reason"), "{{job}} {{reason}}"),
        (total(rate("cistern_http_connections_rejected_total"), "job"), "{{job}} connections"),
        (total(rate("cistern_control_commands_total"), "job", "result"), "{{job}} commands {{result}}"),
        width=8,
    )
    add_graph(
        page,
        "Failures",
        "Scrapes and pages that failed, web configurations that could not be used, dumps that could not be written or were left"
        " out, files that a sidecar could not read, keep or remove. The log of the process says why.",
        "ops",
        *[
            (total(rate(metric), "job"), "{{job}} " + legend)
            for metric, legend in [
                ("cistern_scrape_errors_total", "scrapes"),
                ("cistern_http_page_failures_total", "pages"),
                ("cistern_web_config_reload_failures_total", "web configurations"),
                ("cistern_dump_failures_total", "dumps"),
                ("cistern_dumps_skipped_total", "dumps left out"),
                ("cistern_sidecar_failures_total", "files of a sidecar"),
            ]
        ],
    )
    add_table(
        page,
        "Certificates and refused files",
        "When the certificate of an endpoint with TLS ends, and when its web configuration was read; files in a sidecar's"
        " directory that it refuses now, for which its log gives the reason.",
        Column(
            f"max by (job, instance) ({selector('cistern_web_certificate_expiry_timestamp_seconds')}) * 1000",
            "Certificate ends",
            "dateTimeAsIso",
        ),
        Column(
            f"max by (job, instance) ({selector('cistern_web_config_load_timestamp_seconds')}) * 1000",
            "Configuration read",
            "dateTimeAsIso",
        ),
        Column(
            f"max by (job, instance) ({selector('cistern_sidecar_files_refused')})",
            "Files refused",
        ),
        width=12,
    )
