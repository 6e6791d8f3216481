# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the dashboards' JSON, or compares it. Called by dashboards/generate."""

import argparse
import json
import pathlib
import sys

from grafana_foundation_sdk.cog.encoder import JSONEncoder

from . import jvm, leaks, overview
from .frame import ANNOTATION_FIELDS

DIRECTORY = pathlib.Path(__file__).parents[1]
PAGES = {"overview.json": overview.page, "jvm.json": jvm.page, "leaks.json": leaks.page}


def text(page):
    board = json.loads(json.dumps(page.board.build(), cls=JSONEncoder))
    for annotation in board["annotations"]["list"]:
        annotation.update(ANNOTATION_FIELDS)
    return json.dumps(board, indent=2, sort_keys=True) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="dashboards/generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is stale")
    parser.add_argument("--to", type=pathlib.Path, default=DIRECTORY, help="the directory")
    options = parser.parse_args()
    stale = []
    for name, page in PAGES.items():
        generated = text(page())
        file = options.to / name
        if not options.check:
            file.write_text(generated, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != generated:
            stale.append(name)
    if stale:
        sys.exit(f"dashboards: {', '.join(stale)}: not what dashboards/generate writes; run it")


if __name__ == "__main__":
    main()
