# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""Shared code of the comparisons: two kinds of server in separate JVMs, under load from wrk in turns."""

import contextlib
import datetime
import json
import math
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOME = HERE.parent.parent

# Student's t, two sides, 95 %, by pairs
STUDENT = {2: 12.71, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262,
           12: 2.201, 15: 2.145, 20: 2.093, 30: 2.045}

# a script for wrk: 16 requests at once
PIPELINED = """
init = function(args)
  local request = wrk.format("GET", "/plaintext")
  pipelined = string.rep(request, 16)
end
request = function() return pipelined end
"""


INTRODUCTION = """\
Written by `microbench/http/compare`, `compare-cost` and `compare-server`. A ratio is the second server's result divided by the
first's: the median of the pairs, and the 95 % interval of their mean.
"""


class Failure(Exception):
    pass


class ServerProcess:
    """A server in a separate JVM, which prints a line that begins with "ready" and names its ports."""

    def __init__(self, command, ready):
        self.errors = tempfile.TemporaryFile()
        begun = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors)
        line = self.process.stdout.readline().decode()
        self.start_millis = 1000 * (time.monotonic() - begun)
        self.ready = re.match(ready, line)
        if not self.ready:
            self.end()
            raise Failure("the server did not start: " + self.said())

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode()

    def memory_bytes(self, name, file="status"):
        """Returns VmRSS or VmHWM, or Pss of smaps_rollup, in bytes."""
        text = Path(f"/proc/{self.process.pid}/{file}").read_text()
        return 1024 * int(re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE).group(1))

    def cpu_seconds(self):
        """Returns the CPU time of all threads in user and kernel mode."""
        return time.clock_gettime(~self.process.pid << 3 | 2)  # the clock that clock_getcpuclockid names

    def cpu_seconds_without_compilers(self):
        """Returns the CPU time of all live threads except the JVM's compiler threads."""
        nanos = 0
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended meanwhile
                nanos += 0 if "CompilerThre" in (task / "comm").read_text() else int((task / "schedstat").read_text().split()[0])
        return nanos / 1e9

    def end(self):
        self.process.terminate()
        self.process.wait(20)


def load(url, script, seconds, connections, threads=1, prefix=()):
    """Returns the requests per second, the 99th percentile of their latency in milliseconds, and the number of requests."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script)
        file.flush()
        command = [*prefix, "wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds:.0f}s", "--latency"]
        if script:
            command += ["-s", file.name]
        out = subprocess.run([*command, url], capture_output=True, text=True, check=True).stdout
    if re.search("Socket errors|Non-2xx", out):
        raise Failure("wrk met errors: " + out)
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1))
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", out).groups()
    requests = int(re.search(r"(\d+) requests in", out).group(1))
    return rate, float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit], requests


def pairs_of_couples(pairs, couples, one, other, warm_up, measure):
    """Returns pairs of measurements, from several couples of JVMs, because the result of one JVM's compiler is random."""
    results = []
    for couple in range(couples):
        first = one()
        try:
            second = other()
            try:
                for server in (first, second):
                    warm_up(server)
                count = pairs // couples + (couple < pairs % couples)
                results += alternating(count, lambda: measure(first), lambda: measure(second), len(results))
            finally:
                second.end()
        finally:
            first.end()
    return results


def alternating(pairs, one, other, before=0):
    """Returns pairs of measurements; the kind that runs first alternates, continuing after the given number of earlier pairs."""
    results = []
    for pair in range(before, before + pairs):
        if pair % 2:
            second = other()
            results.append((one(), second))
        else:
            first = one()
            results.append((first, other()))
    return results


def student(values):
    """Returns the factor for the 95 % interval of the mean of this many values."""
    return STUDENT[max(count for count in STUDENT if count <= values)]


def interval(ratios):
    """Returns the median, and the 95 % interval of the mean of the logarithms."""
    logs = [math.log(ratio) for ratio in ratios]
    if len(logs) < 2:
        return statistics.median(ratios), float("nan"), float("nan")
    half = student(len(logs)) * statistics.stdev(logs) / math.sqrt(len(logs))
    middle = statistics.fmean(logs)
    return statistics.median(ratios), math.exp(middle - half), math.exp(middle + half)


def row(name, pairs, index, unit, at_least, bound):
    """Returns a line of the table; without a bound, it has no verdict."""
    # wrk sometimes reports no latency: the pair then has none
    reported = [pair for pair in pairs if pair[0][index] > 0 and pair[1][index] > 0]
    if len(reported) < 2:
        return f"| {name} | | | {unit} | not reported by wrk | | | |\n"
    first = [pair[0][index] for pair in reported]
    second = [pair[1][index] for pair in reported]
    ratio, low, high = interval([b / a for a, b in zip(first, second)])
    target, met = "", ""
    if bound is not None:
        target = f"{'>=' if at_least else '<='} {bound:.2f}"
        met = verdict(ratio, low, high, at_least, bound)
    return (f"| {name} | {statistics.median(first):,.4g} | {statistics.median(second):,.4g} | {unit} "
            f"| **{ratio:.3f}** | {low:.3f} to {high:.3f} | {target} | {met} |\n")


def verdict(ratio, low, high, at_least, bound):
    if at_least:
        return "met" if ratio >= bound else "not decided: in the interval" if high >= bound else "**not met**"
    return "met" if ratio <= bound else "not decided: in the interval" if low <= bound else "**not met**"


def model():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def git(*words):
    result = subprocess.run(["git", "-C", str(HOME), *words], capture_output=True, text=True)
    if result.returncode:
        raise Failure(f"git {words[0]} failed: {result.stderr.strip()}")
    return result.stdout.rstrip()


def changed_files():
    """Returns the files that differ from the checked-out commit, except for published results."""
    status = git("status", "--porcelain", "--", ".", ":!microbench/results")
    return [line[3:] for line in status.splitlines()]


def origin():
    return {"revision": git("rev-parse", "--short", "HEAD") + (" and changes" if changed_files() else ""),
            "date": f"{datetime.datetime.now(datetime.timezone.utc):%F}"}


class ResultFiles:
    """The files http.md and http.json. Each comparison is a section; writing one keeps the remaining sections."""

    def __init__(self, publish):
        if publish:
            changed = changed_files()
            if changed:
                raise Failure(f"cannot publish: the work tree has changes: {', '.join(changed)}; commit or stash them")
            version = re.search(r"<version>([^<]+?)(-SNAPSHOT)?</version>", (HOME / "pom.xml").read_text()).group(1)
            stem = HOME / "microbench/results" / version / "http"
            self.title = f"HTTP comparisons, version {version}"
        else:
            now = datetime.datetime.now(datetime.timezone.utc)
            stem = HOME / f"microbench/target/results/{now:%F-%H%M%S}-http"
            self.title = "HTTP comparisons, not published"
        self.table = stem.with_suffix(".md")
        self.values = stem.with_suffix(".json")

    def write(self, section, run, body, figures, cases):
        """Writes a section. Figures are names and units; cases have pairs of lists of them."""
        self.table.parent.mkdir(parents=True, exist_ok=True)
        texts = self.table.read_text().split("\n## ")[1:] if self.table.exists() else []
        texts = dict(text.split("\n", 1) for text in texts)
        facts = "".join(f"| {name} | {value} |\n" for name, value in run.items())
        texts[section] = f"\n| | |\n|---|---|\n{facts}\n{body}"
        self.table.write_text(f"# {self.title}\n\n{INTRODUCTION}"
                              + "".join(f"\n## {name}\n{text.rstrip()}\n" for name, text in texts.items()))
        values = json.loads(self.values.read_text()) if self.values.exists() else {}
        values[section] = {"run": run, "figures": figures, "cases": cases}
        self.values.write_text("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in values.items())
                               + "\n}\n")
        print(f"written to {self.table} and {self.values}")


def rounded(pairs):
    return [[[round(figure, 3) for figure in side] for side in pair] for pair in pairs]


def java():
    home = os.environ.get("JAVA_HOME")
    return f"{home}/bin/java" if home else "java"


def java_version(command):
    return subprocess.run([command, "-version"], capture_output=True, text=True).stderr.splitlines()[1]


def machine():
    return f"{os.cpu_count()} x {model()}, Linux {platform.release()}"


def require(*files):
    for needed in files:
        if not needed.exists():
            raise Failure(f"{needed} is not there: ./mvnw -DskipTests package")


def require_wrk():
    if not shutil.which("wrk"):
        raise Failure("no wrk: install the Debian package wrk")


def run(main):
    try:
        main()
    except Failure as failure:
        sys.exit(f"{Path(sys.argv[0]).name}: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
