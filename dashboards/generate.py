# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""Generates the Grafana dashboards. Called by dashboards/generate; every panel is one call below."""

import json
import pathlib
import re
import sys

from grafana_foundation_sdk.builders import common as common_builders
from grafana_foundation_sdk.builders import dashboard as builders
from grafana_foundation_sdk.builders import prometheus, stat, table, timeseries
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import common, dashboard
from grafana_foundation_sdk.models.prometheus import PromQueryFormat

DIRECTORY = pathlib.Path(__file__).parent
DATASOURCE = dashboard.DataSourceRef(type_val="prometheus", uid="${datasource}")
SELECTOR = 'job=~"$job", instance=~"$instance"'

OLD = 'age!="under_10s"'

WIDTH = 24
STAT_HEIGHT = 4
GRAPH_HEIGHT = 8


def labels_by_metric():
    """What docs/metrics.md says of each metric: the labels that it has beside those of its process."""
    rows = re.findall(
        r"^\| `(cistern_\w+)` \|[^|]*\|[^|]*\|([^|]*)\|",
        (DIRECTORY.parent / "docs" / "metrics.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    return {metric: re.findall(r"`(\w+)`", labels) for metric, labels in rows}


LABELS = labels_by_metric()


def selector(metric, *matchers):
    """A selector with the matchers that every one has."""
    return metric + "{" + ", ".join([SELECTOR, *matchers]) + "}"


def once(metric, expr):
    """Counts a process once, whether it is scraped itself, through a sidecar, or both."""
    return f"max by ({', '.join(['host_id', 'application', *LABELS[metric]])}) ({expr})"


def select(metric, *matchers):
    return once(metric, selector(metric, *matchers))


def rate(metric, *matchers):
    return once(metric, f"rate({selector(metric, *matchers)}[$__rate_interval])")


def target(expr, legend, ref_id="A"):
    return (
        prometheus.Dataquery()
        .datasource(DATASOURCE)
        .ref_id(ref_id)
        .expr(expr)
        .legend_format(legend)
        .range()
    )


def instant(expr, ref_id="A"):
    return (
        prometheus.Dataquery()
        .datasource(DATASOURCE)
        .ref_id(ref_id)
        .expr(expr)
        .format(PromQueryFormat.TABLE)
        .instant()
    )


class Page:
    """A dashboard under construction: places panels from left to right, and numbers them."""

    def __init__(self, title, uid, description):
        self.board = (
            builders.Dashboard(title)
            .uid(uid)
            .description(description)
            .tags(["cistern"])
            .readonly()
            .time("now-1h", "now")
            .refresh("30s")
            .timezone("browser")
            .tooltip(dashboard.DashboardCursorSync.CROSSHAIR)
        )
        self.next_id = 1
        self.x = 0
        self.y = 0
        self.row_height = 0
        self.add_variables()
        self.add_annotations()

    def add_variables(self):
        self.board.with_variable(
            builders.DatasourceVariable("datasource").label("Data source").type("prometheus")
        )
        for name, label, query in [
            ("job", "Job", "label_values(cistern_up, job)"),
            ("instance", "Instance", 'label_values(cistern_up{job=~"$job"}, instance)'),
        ]:
            self.board.with_variable(
                builders.QueryVariable(name)
                .label(label)
                .datasource(DATASOURCE)
                .query({"query": query, "refId": name})
                .refresh(dashboard.VariableRefresh.ON_TIME_RANGE_CHANGED)
                .sort(dashboard.VariableSort.ALPHABETICAL_ASC)
                .multi(True)
                .include_all(True)
                .all_value(".+")
                .current(dashboard.VariableOption(selected=True, text="All", value="$__all"))
            )

    def add_annotations(self):
        restarts = (
            builders.AnnotationQuery()
            .name("Restarts")
            .datasource(DATASOURCE)
            .enable(True)
            .icon_color("blue")
            # A process that starts anew has a new host_id, and so new series.
            .expr(f"changes(max by (job, instance, application)"
                  f" ({selector('cistern_start_time_seconds')})[$__interval:]) > 0")
        )
        self.board.annotation(restarts)

    def position(self, width, height):
        if self.x + width > WIDTH:
            self.new_line()
        position = dashboard.GridPos(x=self.x, y=self.y, w=width, h=height)
        self.x += width
        self.row_height = max(self.row_height, height)
        return position

    def new_line(self):
        self.x = 0
        self.y += self.row_height
        self.row_height = 0

    def panel_id(self):
        panel_id = self.next_id
        self.next_id += 1
        return panel_id

    def row(self, title):
        self.new_line()
        self.board.with_row(
            builders.Row(title)
            .id(self.panel_id())
            .grid_pos(dashboard.GridPos(x=0, y=self.y, w=WIDTH, h=1))
        )
        self.y += 1

    def add(self, panel, title, description, unit, width, height):
        self.board.with_panel(
            panel.id(self.panel_id())
            .title(title)
            .description(description)
            .datasource(DATASOURCE)
            .unit(unit)
            .grid_pos(self.position(width, height))
        )

    def stat(self, title, description, unit, expr, width=4):
        panel = (
            stat.Panel()
            .graph_mode(common.BigValueGraphMode.AREA)
            .color_mode(common.BigValueColorMode.VALUE)
            .thresholds(
                builders.ThresholdsConfig()
                .mode(dashboard.ThresholdsMode.ABSOLUTE)
                .steps([dashboard.Threshold(color="text", value=None)])
            )
            .reduce_options(common_builders.ReduceDataOptions().calcs(["lastNotNull"]))
            .with_target(target(expr, title))
        )
        self.add(panel, title, description, unit, width, STAT_HEIGHT)

    def graph(self, title, description, unit, *series, stacked=False, width=12):
        panel = (
            timeseries.Panel()
            .line_width(1)
            .fill_opacity(40 if stacked else 8)
            .show_points(common.VisibilityMode.NEVER)
            .axis_soft_min(0)
            .tooltip(
                common_builders.VizTooltipOptions()
                .mode(common.TooltipDisplayMode.MULTI)
                .sort(common.SortOrder.DESCENDING)
            )
            .legend(
                common_builders.VizLegendOptions()
                .show_legend(True)
                .display_mode(common.LegendDisplayMode.LIST)
                .placement(common.LegendPlacement.BOTTOM)
            )
        )
        if stacked:
            panel.stacking(
                common_builders.StackingConfig().mode(common.StackingMode.NORMAL).group("A")
            )
        for index, (expr, legend) in enumerate(series):
            panel.with_target(target(expr, legend, chr(ord("A") + index)))
        self.add(panel, title, description, unit, width, GRAPH_HEIGHT)

    def table(self, title, description, unit, columns, *exprs, width=12):
        """A table of instant queries joined by their labels; columns maps fields to headings."""
        panel = table.Panel().with_transformation(
            dashboard.DataTransformerConfig(id_val="merge", options={})
        )
        panel.with_transformation(
            dashboard.DataTransformerConfig(
                id_val="organize",
                options={"excludeByName": {"Time": True}, "renameByName": columns},
            )
        )
        for index, expr in enumerate(exprs):
            panel.with_target(instant(expr, chr(ord("A") + index)))
        self.add(panel, title, description, unit, width, GRAPH_HEIGHT)
        return panel


def hit_ratio(by):
    hits = rate("cistern_thread_cache_hits_total")
    requests = rate("cistern_thread_cache_requests_total")
    return f"sum{by}({hits}) / (sum{by}({requests}) > 0)"


def memory_by_state(kind):
    matcher = f'memory="{kind}"'
    return [
        (f"sum({select('cistern_' + state + '_bytes', matcher)})", state)
        for state in ("pinned", "cached", "free")
    ]


def overview():
    page = Page(
        "Cistern / Overview",
        "cistern-overview",
        "Pooled buffers of all selected processes: memory, traffic, thread caches, chunks, leaks, live buffers.",
    )
    add_summary(page)
    add_memory(page)
    add_traffic(page)
    add_chunks(page)
    add_netty(page)
    add_leaks(page)
    add_live(page)
    add_processes(page)
    return page.board


def add_summary(page):
    page.stat(
        "Processes",
        "Selected processes that ran at the last scrape, those behind a sidecar too.",
        "short",
        f"sum({select('cistern_host_up')})",
    )
    page.stat(
        "Reserved",
        "Memory that the pools hold: pinned, cached and free.",
        "bytes",
        f"sum({select('cistern_reserved_bytes')})",
    )
    page.stat(
        "Pinned", "Memory of buffers in use.", "bytes", f"sum({select('cistern_pinned_bytes')})"
    )
    page.stat(
        "Allocations",
        "Buffers handed out per second.",
        "ops",
        f"sum({rate('cistern_allocations_total')})",
    )
    page.stat(
        "Cache hit ratio",
        "Allocations that a thread cache served from what it had. Empty while nothing is allocated.",
        "percentunit",
        hit_ratio(""),
    )
    page.stat(
        "Leaks found",
        "Watched buffers that were never released, since the processes started.",
        "short",
        f"sum({select('cistern_leaks_total')})",
    )


def add_memory(page):
    page.row("Memory")
    for kind in ("direct", "heap"):
        page.graph(
            f"Reserved {kind} memory",
            "Pinned: in use. Cached: unused, in thread caches. Free: reserved and neither of both.",
            "bytes",
            *memory_by_state(kind),
            stacked=True,
        )
    page.graph(
        "Reserved by process",
        "Memory that the pools of each process hold.",
        "bytes",
        (f"sum by (application, host_id) ({select('cistern_reserved_bytes')})", "{{application}} {{host_id}}"),
    )
    page.graph(
        "Direct memory in use of its limit",
        "Near 100 %, allocations fail. The limit is the JVM's; other users of direct memory count too.",
        "percentunit",
        (
            f"max by (application, host_id) ({select('cistern_limit_used_bytes')}"
            f" / {select('cistern_limit_bytes')})",
            "{{application}} {{host_id}}",
        ),
    )


def add_traffic(page):
    page.row("Traffic and thread caches")
    page.graph(
        "Allocations by size",
        "Small: a slot of a subpage. Normal: a run of pages. Huge: larger than a chunk.",
        "ops",
        (f"sum by (size_group) ({rate('cistern_allocations_total')})", "{{size_group}}"),
    )
    page.graph(
        "Requested and rounded bytes",
        "The gap is what rounding up to size classes costs.",
        "Bps",
        (f"sum({rate('cistern_requested_bytes_total')})", "requested"),
        (f"sum({rate('cistern_rounded_bytes_total')})", "rounded"),
    )
    page.graph(
        "Cache hit ratio by process",
        "Allocations that a thread cache served from what it had. No line while nothing is allocated.",
        "percentunit",
        (hit_ratio(" by (application, host_id) "), "{{application}} {{host_id}}"),
    )
    page.graph(
        "Traffic past the thread caches",
        "Misses: a cache went to its arena. Refills: those, and when it took over what other threads had"
        " released. Trims: it gave back what it had not used. Remote releases: another thread than the"
        " cache's own released a buffer. Orphans adopted: a subpage of a thread that is gone got another."
        " Waits: for a shared cache, by threads that have none of their own."
        " Revoked: the cache of a thread that sleeps was taken from it.",
        "ops",
        (f"sum({rate('cistern_thread_cache_misses_total')})", "misses"),
        (f"sum({rate('cistern_thread_cache_refills_total')})", "refills"),
        (f"sum({rate('cistern_thread_cache_trims_total')})", "trims"),
        (f"sum({rate('cistern_remote_releases_total')})", "remote releases"),
        (f"sum({rate('cistern_thread_caches_revoked_total')})", "revoked"),
        (f"sum({rate('cistern_thread_caches_given_up_total')})", "caches given up"),
        (f"sum({rate('cistern_orphan_adoptions_total')})", "orphans adopted"),
        (f"sum({rate('cistern_shared_cache_waits_total')})", "waits"),
    )
    page.graph(
        "Served, left to Netty, failed",
        "Allocations that Cistern served, that it left to Netty's own allocator, that found no memory.",
        "ops",
        (f"sum({rate('cistern_served_allocations_total')})", "served"),
        (f"sum({rate('cistern_fallback_allocations_total')})", "left to Netty"),
        (f"sum({rate('cistern_failed_allocations_total')})", "failed"),
        width=8,
    )
    page.graph(
        "Buffers in use",
        "Handed out and not yet released. A line that only rises is a leak or a queue.",
        "short",
        (
            f"sum by (size_group) ({select('cistern_allocations_total')}"
            f" - {select('cistern_deallocations_total')})",
            "{{size_group}}",
        ),
        width=8,
    )
    page.graph(
        "Thread caches",
        "Caches of living threads.",
        "short",
        (f"sum by (application, host_id) ({select('cistern_thread_caches')})", "{{application}} {{host_id}}"),
        width=8,
    )


def add_chunks(page):
    page.row("Arenas and chunks")
    page.graph(
        "Chunks by usage band",
        "Many chunks in low bands: memory is held by few buffers each, and cannot be given back.",
        "short",
        (f"sum by (band) ({select('cistern_chunks')})", "{{band}}"),
        stacked=True,
    )
    page.graph(
        "Chunk churn and lock waits",
        "Chunks taken from and given back to the system, and threads that waited for an arena.",
        "ops",
        (f"sum({rate('cistern_chunk_allocations_total')})", "chunks taken"),
        (f"sum({rate('cistern_chunk_deallocations_total')})", "chunks given back"),
        (f"sum({rate('cistern_arena_lock_waits_total')})", "lock waits"),
    )
    page.graph(
        "Huge extents",
        "Memory of allocations larger than a chunk: in use, and kept for the next one.",
        "bytes",
        (f"sum({select('cistern_huge_pinned_bytes')})", "pinned"),
        (f"sum({select('cistern_huge_cached_bytes')})", "cached"),
        stacked=True,
    )
    page.graph(
        "Subpages",
        "Runs cut into slots of one size, and those of them whose thread is gone.",
        "short",
        (f"sum({select('cistern_subpages')})", "all"),
        (f"sum({select('cistern_orphaned_subpages')})", "orphaned"),
    )


def add_netty(page):
    page.row("Netty's own allocators (mode observe)")
    page.graph(
        "Reserved by allocator",
        "Memory that each allocator of Netty's own holds; the first eight of a copy by name, the rest as other.",
        "bytes",
        (f"sum by (allocator) ({select('cistern_netty_allocator_reserved_bytes')})", "{{allocator}}"),
        stacked=True,
        width=8,
    )
    page.graph(
        "In use by allocator",
        "Memory of buffers that are in use; pooled allocators only.",
        "bytes",
        (f"sum by (allocator) ({select('cistern_netty_allocator_pinned_bytes')})", "{{allocator}}"),
        stacked=True,
        width=8,
    )
    page.graph(
        "Arena traffic",
        "Allocations from arenas and what comes back; what thread caches serve is in neither.",
        "ops",
        (f"sum({rate('cistern_netty_arena_allocations_total')})", "allocations"),
        (f"sum({rate('cistern_netty_arena_deallocations_total')})", "deallocations"),
        width=8,
    )


def add_leaks(page):
    page.row("Leaks")
    labels = "application, host_id, pool, memory, site"
    page.table(
        "Leaks by site",
        "Watched buffers that were garbage collected unreleased, since each process started, and the"
        " leaked bytes that they stand for (an estimate). Stacks: /leaks on the process's own machine.",
        "short",
        {
            "application": "Application",
            "host_id": "Process",
            "pool": "Pool",
            "memory": "Memory",
            "site": "Site",
            "Value #A": "Leaks found",
            "Value #B": "Leaked bytes",
        },
        f"sum by ({labels}) ({select('cistern_leaks_total')})",
        f"sum by ({labels}) ({select('cistern_leaked_bytes_total')})",
        width=24,
    ).override_by_name("Leaked bytes", [dashboard.DynamicConfigValue(id_val="unit", value="bytes")])
    page.graph(
        "Leaked bytes by site",
        "Estimate of the bytes leaked since each process started. A slope is a leak that goes on.",
        "bytes",
        (f"sum by (site) ({select('cistern_leaked_bytes_total')})", "{{site}}"),
    )
    page.graph(
        "Samples in use",
        "Sampled buffers that are watched now, and what the detector could not keep.",
        "short",
        (f"sum({select('cistern_leak_trackers')})", "watched"),
        (f"sum({select('cistern_leak_samples_untracked_total')})", "not watched, since the start"),
        (f"sum({select('cistern_leak_samples_failed_total')})", "failed, since the start"),
        (f"sum({select('cistern_leak_samples_without_stack_total')})", "without a stack, since the start"),
        (f"sum({select('cistern_leak_watch_failures_total')})", "watching failed, since the start"),
        (f"sum({select('cistern_leak_records_dropped_total')})", "records dropped, since the start"),
        (f"sum({select('cistern_live_trends_dropped_total')})", "growth not followed, since the start"),
    )


def add_live(page):
    page.row("Live buffers")
    page.graph(
        "Live bytes by site",
        "Estimate from samples of what is allocated and not released. Stacks: /live on the process's own"
        " machine.",
        "bytes",
        (f"sum by (site) ({select('cistern_live_bytes')})", "{{site}}"),
    )
    page.graph(
        "Old live bytes by site",
        "Of these, what was allocated ten seconds ago or earlier. A line that only rises is a leak, long"
        " before the garbage collector has seen it.",
        "bytes",
        (f"sum by (site) ({select('cistern_live_bytes', OLD)})", "{{site}}"),
    )
    page.graph(
        "Live bytes by age",
        "How long ago all live bytes were allocated. Error: the standard error of their sum; lost: bytes"
        " whose buffers were garbage collected unreleased.",
        "bytes",
        (f"sum by (age) ({select('cistern_live_bytes')})", "{{age}}"),
        (f"sqrt(sum({select('cistern_live_error_bytes')} ^ 2))", "error"),
        (f"sum({select('cistern_live_lost_bytes')})", "lost"),
    )
    page.graph(
        "Live buffers by site",
        "Estimate from samples of the buffers that are allocated and not released.",
        "short",
        (f"sum by (site) ({select('cistern_live_buffers')})", "{{site}}"),
    )
    page.graph(
        "Suspect sites",
        "Sites whose old bytes grow, as /live lists them.",
        "short",
        (f"sum by (memory) ({select('cistern_suspect_sites')})", "{{memory}}"),
    )
    page.graph(
        "Sampling interval",
        "Mean bytes between two samples: the largest in force of any thread. Above the configured one"
        " where a thread would draw too many samples.",
        "bytes",
        (f"max by (memory) ({select('cistern_sample_interval_largest_bytes')})", "{{memory}}"),
    )


def add_processes(page):
    page.row("Processes")
    page.table(
        "Copies of Netty",
        "Each copy of Netty in each process, its version, and what Cistern does there.",
        "short",
        {
            "application": "Application",
            "host_id": "Process",
            "pool": "Pool",
            "version": "Version",
            "mode": "Mode",
            "Value": "Copies",
        },
        f"sum by (application, host_id, pool, version, mode) ({select('cistern_netty_copy_info')})",
    )
    page.graph(
        "Faults",
        "Faults that Cistern kept from the application, and scrapes that failed, since the start.",
        "short",
        (f"sum({select('cistern_agent_failures_total')})", "agent"),
        (f"sum({select('cistern_bridge_failures_total')})", "bridge"),
        (f"sum({selector('cistern_scrape_errors_total')})", "scrapes"),
    )


def main(arguments):
    check = arguments == ["--check"]
    stale = []
    for name, board in {"overview.json": overview()}.items():
        text = json.dumps(board.build(), cls=JSONEncoder, indent=2, sort_keys=True) + "\n"
        file = DIRECTORY / name
        if not check:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            stale.append(name)
    if stale:
        sys.exit(f"dashboards/{', '.join(stale)}: not what dashboards/generate writes; run it")


if __name__ == "__main__":
    main(sys.argv[1:])
