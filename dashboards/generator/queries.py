# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""PromQL: selectors with the matchers that every one has, and each process counted once."""

import pathlib
import re

METRICS = pathlib.Path(__file__).parents[2] / "docs" / "metrics.md"

# What docs/metrics.md says of an exporter or a sidecar, and not of a process: without host_id.
OF_EXPORTERS = ("The exporter", "The sidecar")


def catalogue():
    """What docs/metrics.md says: the labels of each metric beside those of its process; None for exporters."""
    labels = {}
    for section in METRICS.read_text(encoding="utf-8").split("\n## ")[1:]:
        title = section.splitlines()[0]
        for metric, cell in re.findall(
            r"^\| `(cistern_\w+)` \|[^|]*\|[^|]*\|([^|]*)\|", section, re.MULTILINE
        ):
            labels[metric] = None if title in OF_EXPORTERS else re.findall(r"`(\w+)`", cell)
    return labels


LABELS = catalogue()

SITES = ("site",)
AGES = ("age",)
SITES_AND_AGES = ("site", "age")


def is_of_sites(expr):
    """Whether it asks for series of single sites, of which a fleet has very many."""
    return any(metric in expr for metric, labels in LABELS.items() if labels and "site" in labels)


class Queries:
    """The queries of one dashboard, all with the same matchers."""

    def __init__(self, *matchers):
        self.matchers = matchers

    def selector(self, metric, *matchers):
        return metric + "{" + ", ".join([*self.matchers, *matchers]) + "}"

    def select(self, metric, *matchers, at=()):
        """
        Counts a process once, whether it is scraped itself, through a sidecar, or both.

        at: labels of the scrape to keep all the same, for a table with a row for each way
        """
        return once(metric, self.selector(metric, *matchers), at)

    def over(self, leave_out, metric, *matchers, at=()):
        """
        The sum over some labels of each way in which a process is scraped, of which the larger counts. Two ways need not
        show the same sites, nor a buffer at the same age.
        """
        return once(metric, self.selector(metric, *matchers), at, leave_out)

    def rate_over(self, leave_out, metric, *matchers):
        return once(metric, f"rate({self.selector(metric, *matchers)}[$__rate_interval])", (), leave_out)

    def rate(self, metric, *matchers):
        return once(metric, f"rate({self.selector(metric, *matchers)}[$__rate_interval])")


def once(metric, expr, at=(), leave_out=()):
    if LABELS[metric] is None:
        raise ValueError(f"{metric} is of an exporter, which has no host_id")
    labels = [label for label in LABELS[metric] if label not in leave_out]
    if leave_out:
        expr = f"sum by ({', '.join(['job', 'instance', 'host_id', 'application', *labels])}) ({expr})"
    return f"max by ({', '.join(['host_id', 'application', *at, *labels])}) ({expr})"


def total(expr, *labels):
    """The sum, by labels where there are any."""
    return f"sum{by(labels)}({expr})"


def by(labels):
    return f" by ({', '.join(labels)}) " if labels else ""


ALL = Queries('job=~"$job"', 'instance=~"$instance"')
ONE_JVM = Queries('job=~"$job"', 'instance=~"$instance"', 'host_id=~"$host"')


def hit_ratio(queries, *labels):
    hits = total(queries.rate("cistern_thread_cache_hits_total"), *labels)
    requests = total(queries.rate("cistern_thread_cache_requests_total"), *labels)
    return f"{hits} / ({requests} > 0)"


def limit_used_ratio(queries, *labels):
    """How full the fullest process is, of its limit of direct memory."""
    direct = 'memory="direct"'
    used = queries.select("cistern_limit_used_bytes", direct)
    limit = queries.select("cistern_limit_bytes", direct)
    return f"max{by(labels)}({used} / ({limit} > 0))"


def direct_limit(queries):
    """The limits of all processes together; all pools of a process tell the same one."""
    limit = queries.select("cistern_limit_bytes", 'memory="direct"')
    return f"sum(max by (application, host_id) ({limit}))"


def memory_by_state(queries, kind):
    matcher = f'memory="{kind}"'
    return [
        (total(queries.select(f"cistern_{state}_bytes", matcher)), state)
        for state in ("pinned", "cached", "free")
    ]
