# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""The three kinds of panels: a single value, lines over time, a table."""

from grafana_foundation_sdk.builders import common as common_builders
from grafana_foundation_sdk.builders import dashboard as builders
from grafana_foundation_sdk.builders import prometheus, stat, table, timeseries
from grafana_foundation_sdk.models import common, dashboard
from grafana_foundation_sdk.models.prometheus import PromQueryFormat

from .frame import DATASOURCE
from .queries import details, is_of_sites

STAT_HEIGHT = 4
GRAPH_HEIGHT = 8

# Points of a graph of sites: a Prometheus with its default limit of samples can read so many of 2,000 JVMs.
POINTS_OF_SITES = 100

# Columns before the values, and columns with long texts after them, because a narrow panel cuts off the last columns.
FIRST_LABELS = ("application", "host_id", "job", "memory", "arena", "size")
LAST_LABELS = ("site", "pool", "mode", "source", "version", "pod", "container", "pid", "instance", "way")


def refs():
    return (chr(ord("A") + index) for index in range(26))


def with_detail(description, figures):
    """
    Returns the description with a list of the values that are missing by default, so that no panel is empty without a reason.

    figures: pairs of expression and title
    """
    missing = {}
    for expr, title in figures:
        for detail in details(expr):
            missing.setdefault(detail, []).append(title)
    sentences = [description]
    for detail, titles in sorted(missing.items()):
        if len(titles) == len(figures):
            sentences.append(f"Empty unless the agent or the sidecar has detail={detail} or detail=all.")
        else:
            names = ", ".join(title for title in titles if title)
            sentences.append(f"Missing unless the agent or the sidecar has detail={detail} or detail=all: {names}.")
    return " ".join(sentences)


def query(expr, ref_id):
    return prometheus.Dataquery().datasource(DATASOURCE).ref_id(ref_id).expr(expr)


def add_stat(page, title, description, unit, expr, *, width=3, colors=(), words=None):
    """
    Adds a single value from an instant query, because the last point of a range query can be old.

    colors: pairs of the lowest value and its color, such as (0.9, "red")
    words: texts that replace values
    """
    steps = [dashboard.Threshold(color="text", value=None)]
    steps += [dashboard.Threshold(color=color, value=value) for value, color in colors]
    panel = (
        stat.Panel()
        .graph_mode(common.BigValueGraphMode.NONE)
        .color_mode(common.BigValueColorMode.VALUE)
        .thresholds(
            builders.ThresholdsConfig().mode(dashboard.ThresholdsMode.ABSOLUTE).steps(steps)
        )
        .reduce_options(common_builders.ReduceDataOptions().calcs(["lastNotNull"]))
        .no_value("\u2013")
        .with_target(query(expr, "A").legend_format(title).instant())
    )
    if words:
        panel.mappings([value_map(words)])
    page.add(panel, title, with_detail(description, [(expr, title)]), unit, width, STAT_HEIGHT)


def value_map(words):
    return dashboard.ValueMap(
        options={
            str(value): dashboard.ValueMappingResult(text=text, index=index)
            for index, (value, text) in enumerate(words.items())
        }
    )


def add_graph(page, title, description, unit, *series, stacked=False, width=12, lines=()):
    """
    Adds lines over time, each series as (query, legend).

    lines: the legends of series that are not part of the stack
    """
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
    for line in lines:
        panel.override_by_name(
            line,
            [
                dashboard.DynamicConfigValue(id_val="custom.stacking", value={"mode": "none"}),
                dashboard.DynamicConfigValue(id_val="custom.fillOpacity", value=0),
                dashboard.DynamicConfigValue(
                    id_val="custom.lineStyle", value={"fill": "dash", "dash": [10, 10]}
                ),
            ],
        )
    for ref_id, (expr, legend) in zip(refs(), series):
        panel.with_target(query(expr, ref_id).legend_format(legend).range())
    if any(is_of_sites(expr) for expr, _ in series):
        panel.max_data_points(POINTS_OF_SITES)
    page.add(panel, title, with_detail(description, series), unit, width, GRAPH_HEIGHT)


class Column:
    """A column with the value of a query. Without a title the column is hidden, and the table shows only its labels."""

    def __init__(self, expr, title=None, unit=None, words=None):
        self.expr = expr
        self.title = title
        self.unit = unit
        self.words = words

    def properties(self):
        properties = []
        if self.unit:
            properties.append(dashboard.DynamicConfigValue(id_val="unit", value=self.unit))
        if self.words:
            properties.append(
                dashboard.DynamicConfigValue(id_val="mappings", value=[value_map(self.words)])
            )
        return properties


def add_table(page, title, description, *columns, links=None, sort=None, numbers=None, width=24, height=GRAPH_HEIGHT):
    """
    Adds a table of instant queries, joined by their common labels. Labels keep their names, which links use.

    links: for a label, the links of its cells: pairs of title and URL
    sort: the column to sort by, largest first
    numbers: labels that are numbers, and their units
    """
    panel = table.Panel().with_transformation(
        dashboard.DataTransformerConfig(id_val="merge", options={})
    )
    fields = {}
    for ref_id, column in zip(refs(), columns):
        panel.with_target(
            query(column.expr, ref_id).format(PromQueryFormat.TABLE).instant()
        )
        fields["Value" if len(columns) == 1 else f"Value #{ref_id}"] = column
    if numbers:
        panel.with_transformation(
            dashboard.DataTransformerConfig(
                id_val="convertFieldType",
                options={
                    "conversions": [
                        {"targetField": label, "destinationType": "number"} for label in numbers
                    ]
                },
            )
        )
    hidden = {"Time": True} | {field: True for field, column in fields.items() if not column.title}
    names = {field: column.title for field, column in fields.items() if column.title}
    order = {field: index for index, field in enumerate([*FIRST_LABELS, *fields, *LAST_LABELS])}
    panel.with_transformation(
        dashboard.DataTransformerConfig(
            id_val="organize",
            options={"excludeByName": hidden, "renameByName": names, "indexByName": order},
        )
    )
    for column in columns:
        if column.title and column.properties():
            panel.override_by_name(column.title, column.properties())
    for label, offers in (links or {}).items():
        value = [{"title": text, "url": url, "targetBlank": True} for text, url in offers]
        panel.override_by_name(label, [dashboard.DynamicConfigValue(id_val="links", value=value)])
    for label, unit in (numbers or {}).items():
        panel.override_by_name(label, [dashboard.DynamicConfigValue(id_val="unit", value=unit)])
    if sort:
        panel.sort_by([common_builders.TableSortByFieldState().display_name(sort).desc(True)])
    figures = [(column.expr, column.title) for column in columns]
    page.add(panel, title, with_detail(description, figures), "short", width, height)
