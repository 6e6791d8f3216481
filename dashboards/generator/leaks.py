# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""Leaks: suspects, live bytes, leaks, and post-mortems of ended JVMs."""

from .frame import Page
from .links import (
    REACHABLE,
    TO_JVM,
    TO_LAST_PROFILE,
    TO_LEAKS,
    TO_LIVE,
    TO_LIVE_SITE,
    TO_POST_MORTEM,
    TO_PROFILE,
    TO_SITE,
)
from .panels import Column, add_graph, add_stat, add_table
from .queries import AGES, SITES, SITES_AND_AGES, total

OLD = 'age!="under_10s"'

# The series site="other" has no stacks, so links leave it out.
NAMED = 'site!="other"'
TOP = 20


def page():
    leaks = Page(
        "Cistern / Leaks",
        "cistern-leaks",
        "Sites that hold more and more memory, leaks by site, and post-mortems of ended JVMs.",
    )
    add_summary(leaks)
    add_suspects(leaks)
    add_live(leaks)
    add_leaks(leaks)
    add_post_mortems(leaks)
    add_detector(leaks)
    return leaks


def add_summary(page):
    select, over = page.queries.select, page.queries.over
    ended = f"{select('cistern_host_up')} == 0"
    add_stat(
        page,
        "Suspect sites",
        "Sites whose old bytes grow more than chance explains.",
        "short",
        total(select("cistern_suspect_sites")),
        width=4,
        colors=[(1, "orange")],
    )
    add_stat(
        page,
        "Live bytes",
        "Bytes that are allocated and not released, an estimate from samples.",
        "bytes",
        total(over(SITES_AND_AGES, "cistern_live_bytes")),
        width=4,
    )
    add_stat(
        page,
        "Lost bytes",
        "The part of the live bytes whose buffers were garbage collected unreleased: it is freed when the JVM ends.",
        "bytes",
        total(select("cistern_live_lost_bytes")),
        width=4,
        colors=[(1, "red")],
    )
    add_stat(
        page,
        "Leaks found",
        "Watched buffers that were garbage collected unreleased, since the JVMs started. Buffers that are not watched leak, too,"
        " so there are more leaks than this.",
        "short",
        total(over(SITES, "cistern_leaks_total")),
        width=4,
        colors=[(1, "red")],
    )
    add_stat(
        page,
        "Leak rate",
        "Leaked bytes per second, estimated from the leaks found. The first leak of a site begins its series and"
        " has no rate: leaks found and lost bytes include it.",
        "binBps",
        total(page.queries.rate_over(SITES, "cistern_leaked_bytes_total")),
        width=4,
        colors=[(0.001, "red")],
    )
    add_stat(
        page,
        "Killed or crashed",
        "JVMs that have ended without shutting down, of those that a sidecar still shows: for an hour by default.",
        "short",
        f"count(({ended}) and on (host_id, instance) {select('cistern_host_exited_cleanly')} == 0) or vector(0)",
        width=4,
        colors=[(1, "orange")],
    )


def add_suspects(page):
    select, over = page.queries.select, page.queries.over
    page.row("Suspects")
    labels = ("application", "host_id", "instance", "pool", "memory")
    at = ["instance"]
    old = over(AGES, "cistern_live_bytes", OLD, NAMED, at=at)
    live = over(AGES, "cistern_live_bytes", NAMED, at=at)
    buffers = select("cistern_live_buffers", NAMED, at=at)
    add_table(
        page,
        "JVMs with suspects",
        "JVMs that have a site whose old bytes grow more than chance explains; a row for each address that reports it."
        f" Click on instance: /live lists suspects first. {REACHABLE}",
        Column(
            f"{total(select('cistern_suspect_sites', at=at), *labels)} > 0",
            "Suspect sites",
        ),
        links={"instance": [TO_LIVE, TO_LEAKS, TO_PROFILE, TO_JVM]},
        sort="Suspect sites",
        height=5,
    )
    add_table(
        page,
        "Sites that hold old bytes",
        f"The {TOP} sites with most bytes that were allocated ten seconds ago or earlier, estimates from samples, without the sites that"
        " have no series; a row for each"
        f" address that reports the site. Click on site or instance for the stacks. {REACHABLE}",
        Column(f"topk({TOP}, {old} > 0)", "Old bytes", "bytes"),
        Column(f"{live} and topk({TOP}, {old} > 0)", "Live bytes", "bytes"),
        Column(f"{buffers} and topk({TOP}, {old} > 0)", "Buffers"),
        links={"instance": [TO_LIVE, TO_PROFILE, TO_JVM], "site": [TO_LIVE_SITE]},
        sort="Old bytes",
    )


def add_live(page):
    select, over = page.queries.select, page.queries.over
    page.row("Live bytes")
    add_graph(
        page,
        "Old live bytes by site",
        f"Bytes that were allocated ten seconds ago or earlier and are not released: at each moment, the {TOP} sites with most of them. A line"
        " that only rises is a leak, long before the"
        " garbage collector finds it; one that levels off is a cache.",
        "bytes",
        (f"topk({TOP}, {total(over(AGES, 'cistern_live_bytes', OLD), 'site')})", "{{site}}"),
        width=16,
    )
    add_graph(
        page,
        "Suspect sites by application",
        "Sites whose old bytes grow more than chance explains.",
        "short",
        (total(select("cistern_suspect_sites"), "application"), "{{application}}"),
        width=8,
    )
    add_graph(
        page,
        "Live bytes by age",
        "Live bytes by the time since their allocation. Old bytes that stay are a cache; old bytes that grow are a leak.",
        "bytes",
        (total(over(SITES, "cistern_live_bytes"), "age"), "{{age}}"),
        stacked=True,
        width=8,
    )
    add_graph(
        page,
        "Live, lost, and the error",
        "All live bytes; the part that is lost, because its buffers were garbage collected unreleased; the standard error of the"
        " live bytes.",
        "bytes",
        (total(over(SITES_AND_AGES, "cistern_live_bytes")), "live"),
        (total(select("cistern_live_lost_bytes")), "lost"),
        (f"sqrt({total(select('cistern_live_error_bytes') + ' ^ 2')})", "standard error"),
        width=8,
    )
    add_graph(
        page,
        "Live buffers by site",
        f"Buffers that are allocated and not released: at each moment, the {TOP} sites with most of them; an estimate from samples.",
        "short",
        (f"topk({TOP}, {total(select('cistern_live_buffers'), 'site')})", "{{site}}"),
        width=8,
    )


def add_leaks(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("Leaks")
    at = ["instance"]
    add_table(
        page,
        "Leaks by site",
        "Watched buffers that were garbage collected unreleased, since each JVM started, and the estimated bytes of all leaks,"
        " without the sites that have no series; a row for each address that reports the site, also of"
        " ended JVMs. Click on site or instance for the"
        f" stacks. {REACHABLE}",
        Column(f"{select('cistern_leaks_total', NAMED, at=at)} > 0", "Leaks found"),
        Column(f"{select('cistern_leaked_bytes_total', NAMED, at=at)} > 0", "Leaked bytes", "bytes"),
        links={"instance": [TO_LEAKS, TO_PROFILE, TO_JVM], "site": [TO_SITE]},
        sort="Leaked bytes",
    )
    add_graph(
        page,
        "Leak rate by site",
        f"Leaked bytes per second, estimated from the leaks found: at each moment, the {TOP} sites that leak most. The first"
        " leak of a site begins its series and has no rate.",
        "binBps",
        (f"topk({TOP}, {total(rate('cistern_leaked_bytes_total'), 'site')})", "{{site}}"),
        width=24,
    )


def add_post_mortems(page):
    select, over, selector = page.queries.select, page.queries.over, page.queries.selector
    page.row("Post-mortems")
    at = ["instance"]
    ended = f"and on (host_id, instance) {select('cistern_host_up', at=at)} == 0"
    add_table(
        page,
        "JVMs that have ended",
        "Ended JVMs that sidecars still show, for an hour by default; after that, the sidecar's page /postmortem/ lists"
        f" them. Click on host_id for their last figures, leaks and profile. {REACHABLE}",
        Column(
            f"{select('cistern_host_heartbeat_timestamp_seconds', at=at)} * 1000 {ended}",
            "Last seen alive",
            "dateTimeAsIso",
        ),
        Column(
            f"{select('cistern_host_exited_cleanly', at=at)} {ended}",
            "Exit",
            words={0: "killed or crashed", 1: "has shut down"},
        ),
        Column(
            f"{total(over(SITES, 'cistern_leaked_bytes_total', at=at), 'application', 'host_id', 'instance')} {ended}",
            "Leaked bytes",
            "bytes",
        ),
        links={"host_id": [TO_POST_MORTEM, TO_LAST_PROFILE]},
        sort="Last seen alive",
    )
    add_graph(
        page,
        "Post-mortems kept",
        "Ended JVMs whose last state a sidecar keeps, and post-mortems that it removed since its start because they were too old or too"
        " many.",
        "short",
        (total(selector("cistern_sidecar_postmortems")), "kept"),
        (total(selector("cistern_sidecar_postmortems_removed_total")), "removed"),
        width=12,
    )
    add_graph(
        page,
        "Bytes of post-mortems",
        "Bytes of the post-mortems that each sidecar keeps; retentionBytes is its limit.",
        "bytes",
        (f"sum by (instance) ({selector('cistern_sidecar_postmortem_bytes')})", "{{instance}}"),
        width=12,
    )


def add_detector(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("Leak detector")
    add_graph(
        page,
        "Samples",
        "Allocations that are sampled, per second, and samples that failed for lack of memory.",
        "ops",
        (total(rate("cistern_leak_samples_total")), "sampled"),
        (total(rate("cistern_leak_samples_failed_total")), "failed"),
        width=6,
    )
    add_graph(
        page,
        "Samples in use",
        "Sampled buffers that are watched now: allocated and not released.",
        "short",
        (total(select("cistern_leak_trackers"), "application"), "{{application}}"),
        width=6,
    )
    add_graph(
        page,
        "Data dropped by the detector",
        "Samples that were not watched, or that have no stack, because there were too many; leaks that the full store dropped;"
        " failures; old samples whose growth was not followed. Above zero, the figures of this dashboard are too low.",
        "ops",
        (total(rate("cistern_leak_samples_untracked_total")), "not watched"),
        (total(rate("cistern_leak_samples_without_stack_total")), "without a stack"),
        (total(rate("cistern_leak_records_dropped_total")), "leaks not stored"),
        (total(rate("cistern_leak_watch_failures_total")), "failures"),
        (total(rate("cistern_live_trends_dropped_total")), "growth not followed"),
        width=6,
    )
    add_graph(
        page,
        "Sampling interval",
        "Mean bytes between two samples: the largest that is configured, and the largest in force of any thread. The second is higher if"
        " a thread would take too many samples.",
        "bytes",
        (f"max({select('cistern_sample_interval_bytes')})", "configured"),
        (f"max({select('cistern_sample_interval_largest_bytes')})", "largest in force"),
        width=6,
    )
