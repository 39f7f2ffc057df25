"""ParallelCluster's own rules, one worker process a version, kept as long as the local AWS runs."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import Any

from pcluster_rules.results import Message, UpdateResult
from pcluster_rules.worker_client import Rules


class EngineRules:
    """The doors to ``pcluster_rules``, opened at first use: a worker takes a second to start."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._rules: dict[str, Rules] = {}
        self._lock = threading.Lock()

    def validate(
        self, version: str, name: str, configuration: dict[str, Any], facts: dict[str, Any]
    ) -> list[Message]:
        """What schema and validators say about a configuration; ``facts`` as in :meth:`Rules.validate`."""
        return self._of(version).validate(name, configuration, facts)

    def update(
        self, version: str, name: str, old: dict[str, Any], new: dict[str, Any], region: str
    ) -> UpdateResult:
        """The changes between two configurations, and which of them a running cluster refuses."""
        return self._of(version).update(name, old, new, region=region)

    def close(self) -> None:
        """End the workers."""
        self._open.close()

    def _of(self, version: str) -> Rules:
        with self._lock:
            if version not in self._rules:
                self._rules[version] = self._open.enter_context(Rules(version))
            return self._rules[version]
