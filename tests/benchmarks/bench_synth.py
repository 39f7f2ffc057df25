"""How much a synthesis costs, as ratios to ``import aws_cdk`` in the same run, whatever the machine.

``python -m tests.benchmarks.bench_synth`` prints one line a budget and exits with 1 when one is exceeded. CPU
seconds are those of Python and of the Node that runs the CDK; the least of several rounds counts. It is no part of
the test command: it needs a quiet machine.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.projects import ROOT, Project, create

ROUNDS = 3
MANY = 100
FLOOR = (sys.executable, "-c", "import aws_cdk")
EXAMPLE = (ROOT / "config/clusters/cpu-gpu-efa.yaml").read_text()
DEFAULTS = (ROOT / "config/defaults.yaml").read_text()
SAMPLE_SECONDS = 0.05


@dataclass(frozen=True)
class Budget:
    """One promise: ``measured`` must not exceed ``limit``."""

    what: str
    measured: float
    limit: float
    unit: str

    def line(self) -> str:
        """The budget as people read it."""
        verdict = "ok" if self.measured <= self.limit else "EXCEEDED"
        return f"{self.what:<58} {self.measured:7.2f} of {self.limit:6.2f} {self.unit:<5} {verdict}"


def measure() -> list[Budget]:
    """Run everything, rounds interleaved, and compare."""
    with tempfile.TemporaryDirectory(prefix="clusterform-bench-") as folder:
        one = create(Path(folder) / "one", {"single": EXAMPLE})
        many = create(Path(folder) / "many", {f"c{index:03}": EXAMPLE for index in range(MANY)})
        for project in (one, many):
            project.write("config/defaults.yaml", DEFAULTS)
        floors, singles, alls, chosen = [], [], [], []
        for _ in range(ROUNDS):
            floors.append(one.synthesize(command=FLOOR, environment={"CDK_VALIDATION": "false"}).cpu_seconds)
            singles.append(seconds(one))
            chosen.append(seconds(many, {"cluster": "c042"}))
            alls.append(seconds(many))
        memory = peak_mib(many)
    floor, single, whole = min(floors), min(singles), min(alls)
    return [
        Budget("one cluster, without the CLI", single / floor, 2.5, "times"),
        Budget("each further cluster", (whole - single) / (MANY - 1) / floor, 0.11, "times"),
        Budget(f"{MANY} clusters", whole / floor, 14, "times"),
        Budget(f"{MANY} clusters, memory in all", memory, 400, "MiB"),
        Budget(f"-c cluster= of {MANY}, to one alone", min(chosen) / single, 1.2, "times"),
    ]


def seconds(project: Project, context: Mapping[str, object] | None = None) -> float:
    """CPU seconds of one synthesis."""
    run = project.synthesize(context=context)
    if run.status != 0:
        sys.exit(run.errors)
    return run.cpu_seconds


def peak_mib(project: Project) -> float:
    """The most memory that a synthesis holds at one moment, Python and Node together."""
    process = subprocess.Popen([sys.executable, str(project.root / "app.py")], cwd=project.root)
    peak, ended = 0.0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not ended.wait(SAMPLE_SECONDS):
            peak = max(peak, sum(resident_mib(pid) for pid in [process.pid, *descendants(process.pid)]))

    watcher = threading.Thread(target=watch)
    watcher.start()
    process.wait()
    ended.set()
    watcher.join()
    return peak


def descendants(pid: int) -> Iterator[int]:
    """Process ids below ``pid``."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return
    for child in map(int, children):
        yield child
        yield from descendants(child)


def resident_mib(pid: int) -> float:
    """A process's memory, its share of pages that several processes use; 0 when it is gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def main() -> None:
    """Print every budget; exit status 1 when one is exceeded."""
    budgets = measure()
    print("\n".join(budget.line() for budget in budgets))
    sys.exit(any(budget.measured > budget.limit for budget in budgets))


if __name__ == "__main__":
    main()
