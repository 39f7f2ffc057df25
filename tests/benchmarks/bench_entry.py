"""How much time the entry script adds to the scripts that it runs.

``python -m tests.benchmarks.bench_entry`` prints the budget and exits with 1 when it is exceeded. The bucket is a
directory, so that fetching costs next to nothing. It is no part of the test command: it needs a quiet machine.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.bench_synth import Budget
from tests.scripts.node import Node
from tests.scripts.staging import script, staged

ROUNDS = 10
SCRIPTS = 10


def measure() -> Budget:
    """Scripts that do nothing; the least of several rounds counts."""
    durations = []
    with tempfile.TemporaryDirectory(prefix="clusterform-bench-") as folder:
        node = Node(Path(folder) / "root", Path(folder) / "stubs")
        manifest = staged(node, *(script(f"s{number}", ":") for number in range(SCRIPTS)))
        for _ in range(ROUNDS):
            started = time.monotonic()
            node.enter(manifest).check_returncode()
            durations.append(time.monotonic() - started)
    return Budget(f"entry script with {SCRIPTS} scripts", min(durations), 0.3, "s")


def main() -> None:
    """Print the budget; exit status 1 when it is exceeded."""
    budget = measure()
    print(budget.line())
    sys.exit(budget.measured > budget.limit)


if __name__ == "__main__":
    main()
