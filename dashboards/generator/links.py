# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""Where a click on a cell of a table leads."""

INSTANCE = "http://${__data.fields.instance}"
HOST = "${__data.fields.host_id}"

TO_JVM = (
    "This JVM",
    f"/d/cistern-jvm?var-host={HOST}&var-instance=${{__data.fields.instance}}&${{datasource:queryparam}}&${{job:queryparam}}&${{__url_time_range}}",
)
TO_LIVE = ("/live: what is held, with stacks", f"{INSTANCE}/live?host={HOST}")
TO_LEAKS = ("/leaks: what leaked, with stacks", f"{INSTANCE}/leaks?host={HOST}")
TO_SITE = (
    "/leaks: the stacks of this site",
    f"{INSTANCE}/leaks?host={HOST}&site=${{__data.fields.site:percentencode}}",
)
TO_LIVE_SITE = (
    "/live: the stacks of this site",
    f"{INSTANCE}/live?host={HOST}&site=${{__data.fields.site:percentencode}}",
)
TO_PROFILE = ("/debug/pprof/heap: a profile for go tool pprof", f"{INSTANCE}/debug/pprof/heap?host={HOST}")
TO_PAGE = ("The exporter's page", f"{INSTANCE}/#host={HOST}")
TO_POST_MORTEM = ("/postmortem: how it ended", f"{INSTANCE}/postmortem/{HOST}/")
TO_LAST_PROFILE = (
    "Its last profile, for go tool pprof",
    f"{INSTANCE}/postmortem/{HOST}/heap",
)

REACHABLE = (
    "Links lead to the exporter at the label instance: it must be an address that your browser reaches, and stacks are only"
    " shown to clients on its machine or with a login."
)
