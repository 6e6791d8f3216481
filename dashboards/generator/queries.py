# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""PromQL: selectors with their common matchers; each process counts once."""

import json
import pathlib
import re

METRICS = pathlib.Path(__file__).parents[1] / "metrics.json"


CATALOGUE = json.loads(METRICS.read_text(encoding="utf-8"))

# The labels of each metric in addition to those of its process; None for metrics of exporters.
LABELS = {
    name: None if metric["of"] == "exporter" else metric["labels"] for name, metric in CATALOGUE.items()
}

NAME = re.compile(r"\bcistern_\w+")
DEFAULT_DETAIL = ("core", "normal")

SITES = ("site",)
AGES = ("age",)
SITES_AND_AGES = ("site", "age")


def is_of_sites(expr):
    """Returns whether an expression reads series of single sites, of which a fleet has very many."""
    return any(metric in expr for metric, labels in LABELS.items() if labels and "site" in labels)


def details(expr):
    """Returns the values of the setting detail that an expression needs in addition to the default."""
    metrics = (CATALOGUE[name.removesuffix("_bucket")] for name in NAME.findall(expr))
    return {metric["detail"] for metric in metrics if metric["detail"] not in DEFAULT_DETAIL}


class Queries:
    """The queries of one dashboard, all with the same matchers."""

    def __init__(self, *matchers):
        self.matchers = matchers

    def selector(self, metric, *matchers):
        return metric + "{" + ", ".join([*self.matchers, *matchers]) + "}"

    def selector_of_exporter(self, metric):
        """Returns a selector for exporters, whose series have no host_id."""
        return metric + "{" + ", ".join(m for m in self.matchers if not m.startswith("host_id")) + "}"

    def select(self, metric, *matchers, at=()):
        """
        Returns the series of each process. Only series of a sidecar have a host_id, so instance is part of the identity of a process.

        at: labels of the scrape to keep, for a table with a row for each address
        """
        return once(metric, self.selector(metric, *matchers), at)

    def over(self, leave_out, metric, *matchers, at=()):
        """
        Returns the sum over some labels for each job that scrapes an address. The largest sum counts, because jobs with different
        logins can show different sites.
        """
        return once(metric, self.selector(metric, *matchers), at, leave_out)

    def rate_over(self, leave_out, metric, *matchers):
        return once(metric, f"rate({self.selector(metric, *matchers)}[$__rate_interval])", (), leave_out)

    def quantiles(self, metric, quantile):
        """Returns a quantile of a histogram, over all pools of the selected processes."""
        rate = f"rate({self.selector(metric + '_bucket')}[$__rate_interval])"
        return f"histogram_quantile({quantile}, sum by (le) ({rate}))"

    def rate(self, metric, *matchers):
        return once(metric, f"rate({self.selector(metric, *matchers)}[$__rate_interval])")


def once(metric, expr, at=(), leave_out=()):
    if LABELS[metric] is None:
        raise ValueError(f"{metric} belongs to an exporter, which has no host_id")
    labels = [label for label in LABELS[metric] if label not in leave_out]
    if leave_out:
        expr = f"sum by ({', '.join(['job', 'instance', 'host_id', 'application', *labels])}) ({expr})"
    identity = ["host_id", "instance", "application", *(label for label in at if label != "instance"), *labels]
    return f"max by ({', '.join(identity)}) ({expr})"


def total(expr, *labels):
    """Returns the sum, by labels if there are any."""
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
    """Returns the highest direct memory use of any pool, as a fraction of the limit of that pool."""
    direct = 'memory="direct"'
    used = queries.select("cistern_limit_used_bytes", direct)
    limit = queries.select("cistern_limit_bytes", direct)
    return f"max{by(labels)}({used} / ({limit} > 0))"


def direct_limit(queries):
    """Returns the sum, over all processes, of the largest limit of any pool of the process."""
    limit = queries.select("cistern_limit_bytes", 'memory="direct"')
    return f"sum(max by (application, host_id, instance) ({limit}))"


def memory_by_state(queries, kind):
    matcher = f'memory="{kind}"'
    return [
        (total(queries.select(f"cistern_{state}_bytes", matcher)), state)
        for state in ("pinned", "cached", "free")
    ]
