# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""Links of table cells."""

INSTANCE = "http://${__data.fields.instance}"
HOST = "${__data.fields.host_id}"

TO_JVM = (
    "This JVM",
    f"/d/cistern-jvm?var-host={HOST}&var-instance=${{__data.fields.instance}}&${{datasource:queryparam}}&${{job:queryparam}}&${{__url_time_range}}",
)
TO_LIVE = ("/live: live buffers, with stacks", f"{INSTANCE}/live?host={HOST}")
TO_LEAKS = ("/leaks: leaks, with stacks", f"{INSTANCE}/leaks?host={HOST}")
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
TO_POST_MORTEM = ("/postmortem: last state of this JVM", f"{INSTANCE}/postmortem/{HOST}/")
TO_LAST_PROFILE = (
    "Last profile of this JVM, for go tool pprof",
    f"{INSTANCE}/postmortem/{HOST}/heap",
)

REACHABLE = (
    "Links use the label instance as the address of the exporter: your browser must reach it. The exporter shows stacks only"
    " to clients on its machine or with a login."
)
