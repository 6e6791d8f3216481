# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""Draw the charts of docs/performance.md from the published results."""

import io
import json
import statistics
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402, after the choice of the output

HOME = Path(__file__).resolve().parents[2]
RESULTS = HOME / "microbench/results/0.1.0"
IMAGES = HOME / "docs/images"

# Text stays text, and the file is the same in each run.
plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "cistern", "font.family": "sans-serif", "font.size": 10})

SERIES = {"LIBRARY": ("Cistern", "#1a7f4b"), "ADAPTIVE_BEST": ("Netty adaptive", "#b35900"), "POOLED_BEST": ("Netty pooled", "#3366aa")}
SIZES = ["64B", "256B", "1KiB", "4KiB", "8KiB", "16KiB", "64KiB", "1MiB"]
THREADS = {"loop": "On an event loop", "plain": "On another thread"}
ALLOCATORS = {
    "Cistern": "#1a7f4b", "Cistern, agent": "#1a7f4b",
    "Netty pooled, best": "#3366aa", "Netty pooled, defaults": "#3366aa",
    "Netty adaptive, best": "#b35900", "Netty adaptive, defaults": "#b35900",
}


def load(name):
    return json.loads((RESULTS / f"{name}.json").read_text())


def medians(name, case):
    """Median over the rounds of the mean of each round, by variant."""
    for section in load(name):
        for each in section["cases"]:
            if each["case"] == case:
                return {variant: statistics.median(statistics.mean(round_) for round_ in rounds) for variant, rounds in each["rounds"].items()}
    sys.exit(f"no case {case} in {name}.json")


def pair():
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True)
    for axis, (thread, title) in zip(axes, THREADS.items()):
        values = [medians("engine", f"engine/pair/{size}/{thread}") for size in SIZES]
        for variant, (label, colour) in SERIES.items():
            points = [each[variant] for each in values]
            axis.plot(SIZES, points, marker="o", color=colour, label=label)
            axis.annotate(f"{points[2]:.1f} ns", (2, points[2]), textcoords="offset points", xytext=(0, -14 if variant == "LIBRARY" else 7), ha="center", color=colour, fontsize=9)
        axis.set_yscale("log")
        axis.set_ylim(5, 1500)
        axis.set_yticks([10, 100, 1000], ["10 ns", "100 ns", "1,000 ns"])
        axis.set_title(title, fontsize=11)
        axis.set_xlabel("size of the buffer")
        axis.grid(axis="y", alpha=0.3)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("allocate and release")
    axes[0].legend(frameon=False, loc="upper left")
    figure.tight_layout()
    return figure


def burst():
    resident = {}
    for section in load("memory"):
        measured = {each["allocator"]: each["points"]["idle-20"]["resident"] for each in section["outcomes"] if each["scenario"] == "burst-random"}
        if measured.keys() >= ALLOCATORS.keys():  # only figures of one run can be compared
            resident = measured
    figure, axis = plt.subplots(figsize=(9, 2.8))
    names = list(ALLOCATORS)[::-1]
    bars = axis.barh(names, [resident[name] for name in names], color=[ALLOCATORS[name] for name in names])
    axis.bar_label(bars, fmt="%.1f MiB", padding=4)
    axis.set_xlim(0, 1750)
    axis.set_xlabel("resident memory of the process 20 s after a burst of 1 GiB, MiB")
    axis.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    return figure


def svg(figure):
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None}, facecolor="white")
    plt.close(figure)
    return "\n".join(line.rstrip() for line in out.getvalue().split("\n"))


def main():
    stale = []
    for name, draw in {"performance-pair.svg": pair, "performance-burst.svg": burst}.items():
        text = svg(draw())
        file = IMAGES / name
        if "--check" in sys.argv:
            if not file.exists() or file.read_text() != text:
                stale.append(name)
        else:
            file.write_text(text)
    if stale:
        sys.exit(f"not up to date: {', '.join(stale)}: run microbench/charts/generate")


if __name__ == "__main__":
    main()
