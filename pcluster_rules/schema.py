"""Prints the schema: ``python -m pcluster_rules.schema VERSION > config/facts/parallelcluster/VERSION.json``.

A new version needs that file and its list in ``pcluster_rules/versions/``.
"""

from __future__ import annotations

import json
import sys

from pcluster_rules.worker_client import Rules


def text(version: str) -> str:
    """The text of ``config/facts/parallelcluster/VERSION.json``; raises RulesError or WorkerFailure."""
    with Rules(version) as rules:
        return json.dumps(rules.schema_tree(), indent=1) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text(sys.argv[1]))
