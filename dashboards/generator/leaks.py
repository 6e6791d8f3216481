# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""Leaks: who is suspected, what is held where, what has leaked, what the dead have left."""

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

# The rest of the sites has no stacks, to which links could lead.
NAMED = 'site!="other"'
TOP = 20


def page():
    leaks = Page(
        "Cistern / Leaks",
        "cistern-leaks",
        "Who holds ever more memory, where it was allocated, what has leaked, and what ended JVMs have left.",
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
        "What is allocated and not released, an estimate from samples.",
        "bytes",
        total(over(SITES_AND_AGES, "cistern_live_bytes")),
        width=4,
    )
    add_stat(
        page,
        "Lost bytes",
        "The part of the live bytes whose buffers were garbage collected unreleased: it comes back when the JVM ends.",
        "bytes",
        total(select("cistern_live_lost_bytes")),
        width=4,
        colors=[(1, "red")],
    )
    add_stat(
        page,
        "Leaks found",
        "Watched buffers that were garbage collected unreleased, since the JVMs started. Each has happened; there were more than"
        " those that were watched.",
        "short",
        total(over(SITES, "cistern_leaks_total")),
        width=4,
        colors=[(1, "red")],
    )
    add_stat(
        page,
        "Leak rate",
        "Leaked bytes per second that the leaks found stand for, an estimate. The first leak of a site begins its series and"
        " has no rate: leaks found and lost bytes have it.",
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
        f"count(({ended}) and on (host_id) {select('cistern_host_exited_cleanly')} == 0) or vector(0)",
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
        "JVMs that have a site whose old bytes grow more than chance explains; a row for each address that tells of it."
        f" Click on host_id: /live lists suspects first. {REACHABLE}",
        Column(
            f"{total(select('cistern_suspect_sites', at=at), *labels)} > 0",
            "Suspect sites",
        ),
        links={"host_id": [TO_LIVE, TO_LEAKS, TO_PROFILE, TO_JVM]},
        sort="Suspect sites",
        height=5,
    )
    add_table(
        page,
        "Sites that hold old bytes",
        f"The {TOP} sites that hold most of what was allocated ten seconds ago or earlier, estimates from samples, without the rest that"
        " has no series of its own; a row for each"
        f" address that tells of it. Click on site or host_id for the stacks. {REACHABLE}",
        Column(f"topk({TOP}, {old} > 0)", "Old bytes", "bytes"),
        Column(f"{live} and topk({TOP}, {old} > 0)", "Live bytes", "bytes"),
        Column(f"{buffers} and topk({TOP}, {old} > 0)", "Buffers"),
        links={"host_id": [TO_LIVE, TO_PROFILE, TO_JVM], "site": [TO_LIVE_SITE]},
        sort="Old bytes",
    )


def add_live(page):
    select, over = page.queries.select, page.queries.over
    page.row("Live bytes")
    add_graph(
        page,
        "Old live bytes by site",
        f"What was allocated ten seconds ago or earlier and is not released: at each moment, the {TOP} sites that hold most of it. A line"
        " that only rises is a leak, long before the"
        " garbage collector has seen it; one that levels off is a cache.",
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
        "How long ago the live bytes were allocated. Old bytes that stay are a cache, and old bytes that grow a leak.",
        "bytes",
        (total(over(SITES, "cistern_live_bytes"), "age"), "{{age}}"),
        stacked=True,
        width=8,
    )
    add_graph(
        page,
        "Live, lost, and the error",
        "All live bytes; the part that is lost, since its buffers were garbage collected unreleased; the standard error of the"
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
        "Watched buffers that were garbage collected unreleased, since each JVM started, and the leaked bytes that they stand for"
        " (an estimate), without the rest of the sites that has no series of its own; a row for each address that tells of it, also of"
        " JVMs that have ended. Click on site or host_id for the"
        f" stacks. {REACHABLE}",
        Column(f"{select('cistern_leaks_total', NAMED, at=at)} > 0", "Leaks found"),
        Column(f"{select('cistern_leaked_bytes_total', NAMED, at=at)} > 0", "Leaked bytes", "bytes"),
        links={"host_id": [TO_LEAKS, TO_PROFILE, TO_JVM], "site": [TO_SITE]},
        sort="Leaked bytes",
    )
    add_graph(
        page,
        "Leak rate by site",
        f"Leaked bytes per second that the leaks found stand for, an estimate: at each moment, the {TOP} sites that leak most. The first"
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
        "What sidecars know of JVMs that have ended, for an hour by default; after that, the sidecar's page /postmortem/ lists"
        f" them. Click on host_id for their last figures, leaks and profile. {REACHABLE}",
        Column(
            f"{select('cistern_host_heartbeat_timestamp_seconds', at=at)} * 1000 {ended}",
            "Last seen alive",
            "dateTimeAsIso",
        ),
        Column(
            f"{select('cistern_host_exited_cleanly', at=at)} {ended}",
            "How",
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
        "JVMs that are gone and whose last state a sidecar keeps, and those that it removed since they were too old or too many, since"
        " its start.",
        "short",
        (total(selector("cistern_sidecar_postmortems")), "kept"),
        (total(selector("cistern_sidecar_postmortems_removed_total")), "removed"),
        width=12,
    )
    add_graph(
        page,
        "Bytes of post-mortems",
        "What sidecars keep of JVMs that are gone; retentionBytes is the limit of each.",
        "bytes",
        (f"sum by (instance) ({selector('cistern_sidecar_postmortem_bytes')})", "{{instance}}"),
        width=12,
    )


def add_detector(page):
    select, rate = page.queries.select, page.queries.rate
    page.row("The detector itself")
    add_graph(
        page,
        "Samples",
        "Allocations that are drawn as samples, per second, and those of them that could not be taken up, for lack of memory.",
        "ops",
        (total(rate("cistern_leak_samples_total")), "drawn"),
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
        "What it could not keep",
        "Samples that were not watched, or without their stack, since there were too many; leaks without a place in the store;"
        " failures; old samples whose growth was not followed. Above zero, figures here are too low.",
        "ops",
        (total(rate("cistern_leak_samples_untracked_total")), "not watched"),
        (total(rate("cistern_leak_samples_without_stack_total")), "without a stack"),
        (total(rate("cistern_leak_records_dropped_total")), "leaks without a place"),
        (total(rate("cistern_leak_watch_failures_total")), "failures"),
        (total(rate("cistern_live_trends_dropped_total")), "growth not followed"),
        width=6,
    )
    add_graph(
        page,
        "Sampling interval",
        "Mean bytes between two samples: the largest that is configured, and the largest in force of any thread, which is above it where"
        " a thread would draw too many samples.",
        "bytes",
        (f"max({select('cistern_sample_interval_bytes')})", "configured"),
        (f"max({select('cistern_sample_interval_largest_bytes')})", "largest in force"),
        width=6,
    )
