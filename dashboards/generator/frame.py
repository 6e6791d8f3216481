# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""The common frame of all dashboards: variables, annotations, links, and the positions of panels."""

import zlib

from grafana_foundation_sdk.builders import dashboard as builders
from grafana_foundation_sdk.models import dashboard

from .queries import ALL, ONE_JVM

DATASOURCE = dashboard.DataSourceRef(type_val="prometheus", uid="${datasource}")
WIDTH = 24
TAG = "cistern"


def frame(title, uid, description):
    return (
        builders.Dashboard(title)
        .uid(uid)
        .description(description)
        .tags([TAG])
        .readonly()
        .time("now-1h", "now")
        .refresh("30s")
        .timezone("browser")
        .tooltip(dashboard.DashboardCursorSync.CROSSHAIR)
        .link(
            builders.DashboardLink("Cistern")
            .type(dashboard.DashboardLinkType.DASHBOARDS)
            .tags([TAG])
            .include_vars(True)
            .keep_time(True)
        )
    )


def query_variable(name, label, query):
    return (
        builders.QueryVariable(name)
        .label(label)
        .datasource(DATASOURCE)
        .query({"query": query, "refId": name})
        .refresh(dashboard.VariableRefresh.ON_TIME_RANGE_CHANGED)
        .sort(dashboard.VariableSort.ALPHABETICAL_ASC)
    )


def several(variable):
    """Lets readers choose several values of a variable, or all."""
    return (
        variable.multi(True)
        .include_all(True)
        .all_value(".+")
        .current(dashboard.VariableOption(selected=True, text="All", value="$__all"))
    )


def add_variables(board, one_jvm):
    board.with_variable(
        builders.DatasourceVariable("datasource").label("Data source").type("prometheus")
    )
    board.with_variable(several(query_variable("job", "Job", "label_values(cistern_up, job)")))
    instance = query_variable(
        "instance", "Instance", 'label_values(cistern_up{job=~"$job"}, instance)'
    )
    board.with_variable(instance if one_jvm else several(instance))


def add_host_variable(board):
    """
    Adds a variable for one JVM behind the instance: its text is application, pod and host_id, its value is the host_id. An instance
    that is the JVM itself has no host_id: the variable is empty, and the matcher for an empty host_id matches its series.
    """
    info = ALL.selector("cistern_host_info")
    query = (
        f"query_result(label_join(max by (application, pod, host_id) ({info}),"
        ' "jvm", " ", "application", "pod", "host_id"))'
    )
    board.with_variable(
        query_variable("host", "JVM", query).regex('/host_id="(?<value>[^"]+)".*jvm="(?<text>[^"]+)"/')
    )


def add_annotations(board, queries):
    """Adds the starts of one JVM, or one start of each application at a time: a rolling deployment would draw a line for each JVM."""
    started = f"{queries.select('cistern_start_time_seconds')} > time() - 3600"
    expr = f"({started}) * 1000" if queries is ONE_JVM else f"min by (application) ({started}) * 1000"
    board.annotation(
        builders.AnnotationQuery()
        .name("Starts")
        .datasource(DATASOURCE)
        .enable(True)
        .icon_color("blue")
        # The value of an annotation is its time in milliseconds. An hour is longer than any step.
        .expr(expr)
    )


# The builder has no names for these fields, which the data source reads.
ANNOTATION_FIELDS = {
    "useValueForTime": "on",
    "titleFormat": "{{application}} has started",
    "textFormat": "{{host_id}}",  # Empty for the first JVM of an application.
}


class Page:
    """A dashboard under construction: places panels from left to right."""

    def __init__(self, title, uid, description, *, one_jvm=False):
        self.queries = ONE_JVM if one_jvm else ALL
        self.board = frame(title, uid, description)
        self.x = 0
        self.y = 0
        self.row_height = 0
        add_variables(self.board, one_jvm)
        if one_jvm:
            add_host_variable(self.board)
        add_annotations(self.board, self.queries)

    def row(self, title):
        self.new_line()
        self.board.with_row(
            builders.Row(title)
            .id(panel_id("row " + title))
            .grid_pos(dashboard.GridPos(x=0, y=self.y, w=WIDTH, h=1))
        )
        self.y += 1

    def add(self, panel, title, description, unit, width, height):
        self.board.with_panel(
            panel.id(panel_id(title))
            .title(title)
            .description(description)
            .datasource(DATASOURCE)
            .unit(unit)
            .grid_pos(self.position(width, height))
        )

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


def panel_id(title):
    """Returns an identifier derived from the title: panel URLs contain it, so it must not depend on other panels."""
    return zlib.crc32(title.encode()) % 1_000_000
