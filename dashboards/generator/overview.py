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
        "Pooled buffers of all selected JVMs: memory, traffic, leaks, and the JVMs with most memory.",
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
        "Selected JVMs that run. Scrape each JVM one way only, directly or through a sidecar: a JVM that is scraped both ways counts twice.",
        "short",
        total(select("cistern_host_up")),
    )
    add_stat(
        page,
        "Reserved",
        "Memory reserved by the pools, direct and heap: pinned, cached and free.",
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
        "Direct memory use",
        "Highest direct memory use of any pool of any JVM, as % of the limit of that pool. CisternDirectMemoryNearLimit fires above 90 %,"
        " without the free bytes of the pool.",
        "percentunit",
        limit_used_ratio(page.queries),
        colors=[(0.8, "orange"), (0.9, "red")],
    )
    add_stat(
        page,
        "Cache hit ratio",
        "Allocations that a thread cache served without its arena. Empty while nothing is allocated.",
        "percentunit",
        hit_ratio(page.queries),
    )
    add_stat(
        page,
        "Leak rate",
        "Leaked bytes per second, estimated from the leaks found. The first leak of a site begins its series and"
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
        "Pinned: in use. Cached: unused, in thread caches. Free: reserved, but neither pinned nor cached. Limit: the sum over all JVMs of the"
        " largest limit of a pool. Pools of Cistern have the limit of the JVM; other users of direct memory count, too. An observed"
        " copy of Netty has the limit that Netty counts, if Netty counts one.",
        "bytes",
        *memory_by_state(page.queries, "direct"),
        (direct_limit(page.queries), "limit"),
        stacked=True,
        lines=("limit",),
    )
    add_graph(
        page,
        "Heap memory",
        "Buffers on the Java heap. Pinned: in use. Cached: unused, in thread caches. Free: reserved, but neither pinned nor cached.",
        "bytes",
        *memory_by_state(page.queries, "heap"),
        stacked=True,
    )
    add_graph(
        page,
        "Reserved by application",
        "Memory reserved by the pools of all JVMs of an application.",
        "bytes",
        (total(select("cistern_reserved_bytes"), "application"), "{{application}}"),
    )
    add_graph(
        page,
        "Highest direct memory use by application",
        "Highest direct memory use of any pool of any JVM of an application, as % of the limit of that pool. Near 100 %, allocations fail.",
        "percentunit",
        (limit_used_ratio(page.queries, "application"), "{{application}}"),
    )


def add_top(page):
    select, rate = page.queries.select, page.queries.rate
    jvm = ("application", "host_id", "instance")
    top = f"and on (host_id, instance) topk({TOP}, {total(select('cistern_reserved_bytes'), 'host_id', 'instance')})"
    page.row("JVMs")
    add_table(
        page,
        "Top JVMs",
        f"The {TOP} JVMs with most reserved memory. Click on instance for the dashboard of the JVM. Leaked bytes are an"
        " estimate, since the start of the JVM.",
        Column(f"{total(select('cistern_reserved_bytes'), *jvm)} {top}", "Reserved", "bytes"),
        Column(f"{total(select('cistern_pinned_bytes'), *jvm)} {top}", "Pinned", "bytes"),
        Column(f"{total(select('cistern_cached_bytes'), *jvm)} {top}", "Cached", "bytes"),
        Column(f"{limit_used_ratio(page.queries, *jvm)} {top}", "Direct memory use", "percentunit"),
        Column(f"{total(rate('cistern_allocations_total'), *jvm)} {top}", "Allocations", "ops"),
        Column(f"{hit_ratio(page.queries, *jvm)} {top}", "Cache hit ratio", "percentunit"),
        Column(f"{total(page.queries.over(SITES, 'cistern_leaked_bytes_total'), *jvm)} {top}", "Leaked", "bytes"),
        links={"instance": [TO_JVM]},
        sort="Reserved",
        height=10,
    )


def add_traffic(page):
    rate = page.queries.rate
    page.row("Traffic and leaks by application")
    add_graph(
        page,
        "Allocations by application",
        "Buffers allocated per second.",
        "ops",
        (total(rate("cistern_allocations_total"), "application"), "{{application}}"),
        width=8,
    )
    add_graph(
        page,
        "Cache hit ratio by application",
        "Allocations that a thread cache served without its arena. No line while nothing is allocated.",
        "percentunit",
        (hit_ratio(page.queries, "application"), "{{application}}"),
        width=8,
    )
    add_graph(
        page,
        "Leak rate by application",
        "Leaked bytes per second, estimated from the leaks found. A line above zero is a leak that continues.",
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
        "Exporters and sidecars of each job that respond, and those that cannot read their pools. An endpoint that is down is not shown"
        " here: see the metric up of Prometheus.",
        "short",
        (f"count by (job) ({selector('cistern_up')} == 1)", "{{job}}"),
        (f"count by (job) ({selector('cistern_up')} == 0)", "{{job}}, cannot read its pools"),
        width=8,
    )
    add_graph(
        page,
        "Scrape duration",
        "Time to read all pools: at each moment, the five slowest endpoints.",
        "s",
        (f"topk(5, {selector('cistern_scrape_duration_seconds')})", "{{instance}}"),
        width=8,
    )
    add_graph(
        page,
        "Requests refused",
        "Refused requests by reason: no login, not for this client, too many, too slow, too large. Connections that"
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
        "Failed scrapes and pages, web configurations that could not be used, dumps that failed or were skipped, and files that a sidecar"
        " could not read, keep or remove. The log of the process shows the cause.",
        "ops",
        *[
            (total(rate(metric), "job"), "{{job}} " + legend)
            for metric, legend in [
                ("cistern_scrape_errors_total", "scrapes"),
                ("cistern_http_page_failures_total", "pages"),
                ("cistern_web_config_reload_failures_total", "web configurations"),
                ("cistern_dump_failures_total", "dumps"),
                ("cistern_dumps_skipped_total", "skipped dumps"),
                ("cistern_sidecar_failures_total", "files of a sidecar"),
            ]
        ],
    )
    add_graph(
        page,
        "Pushes",
        "Requests with metrics or profiles to OpenTelemetry and Pyroscope: accepted, failed (with those that were tried again), and dropped.",
        "ops",
        (total(rate("cistern_pushes_total"), "job", "receiver"), "{{job}} {{receiver}} accepted"),
        (total(rate("cistern_push_failures_total"), "job", "receiver"), "{{job}} {{receiver}} failed"),
        (total(rate("cistern_push_dropped_total"), "job", "receiver"), "{{job}} {{receiver}} dropped"),
        width=12,
    )
    add_graph(
        page,
        "Pushed bytes",
        "Bytes of the accepted requests to OpenTelemetry and Pyroscope.",
        "binBps",
        (total(rate("cistern_push_bytes_total"), "job", "receiver"), "{{job}} {{receiver}}"),
        width=12,
    )
    add_table(
        page,
        "Certificates and refused files",
        "Expiry time of the TLS certificate of an endpoint, and time when it read its web configuration; files that a sidecar refuses now,"
        " with the reason in its log; time when a receiver last accepted a push.",
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
        Column(
            f"max by (job, instance) ({selector('cistern_push_last_success_timestamp_seconds')}) * 1000",
            "Last accepted push",
            "dateTimeAsIso",
        ),
        width=12,
    )
