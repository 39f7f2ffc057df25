"""Your own scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from config.findings import KeyPath
from config.models.cluster import Cluster
from config.models.scripts import Hook, JobHook
from config.rules.base import Problem, Rule, Subject
from config.wording import quoted


class HookScript(Rule):
    """A hook is a text file of this project with an interpreter line, of at most 256 KiB.

    Larger things belong into ``downloads``: every node reads its scripts at every boot.
    """

    name = "hook-script"
    limit = 256 * 1024

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look at every file."""
        for path, hook in (*_hooks(subject.spec), *_job_hooks(subject.spec)):
            found = self._look_at(subject.root, hook.script)
            if found is not None:
                yield Problem((*path, "script"), *found)

    def _look_at(self, root: Path, script: str) -> tuple[str, str] | None:
        """What is wrong with one file, and what to do."""
        written = PurePosixPath(script)
        file = root / written
        if written.is_absolute() or ".." in written.parts or not file.resolve().is_relative_to(root.resolve()):
            return (
                f"{quoted(script)} is outside the project",
                "copy it into the project and write its path from there",
            )
        if not file.is_file():
            return f"{quoted(script)} is not a file", "paths start at the project's root"
        size = file.stat().st_size
        if size > self.limit:
            return (
                f"{quoted(script)} has {size:,} bytes, at most {self.limit:,} are possible",
                "move data into downloads",
            )
        return _look_into(script, file.read_bytes())


class HookNodes(Rule):
    """``on_node_start`` and ``on_node_updated`` exist for the head node only.

    The head node alone runs something before it is configured, and queues have no update event in ParallelCluster.
    """

    name = "hook-nodes"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look at the nodes of those two moments."""
        for path, hook in _hooks(subject.spec):
            if path[1] != "on_node_configured" and hook.nodes != ["head"]:
                message = f"{path[1]} runs on the head node only, nodes are {', '.join(hook.nodes)}"
                yield Problem((*path, "nodes"), message, "write nodes: [head]")


def _hooks(spec: Cluster) -> Iterator[tuple[KeyPath, Hook]]:
    for moment in ("on_node_start", "on_node_configured", "on_node_updated"):
        hooks: list[Hook] = getattr(spec.hooks, moment)
        for index, hook in enumerate(hooks):
            yield ("hooks", moment, index), hook


def _job_hooks(spec: Cluster) -> Iterator[tuple[KeyPath, JobHook]]:
    for moment, hooks in (("job_prolog", spec.hooks.job_prolog), ("job_epilog", spec.hooks.job_epilog)):
        for index, hook in enumerate(hooks):
            yield ("hooks", moment, index), hook


def _look_into(script: str, content: bytes) -> tuple[str, str] | None:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return f"{quoted(script)} is not a text file in UTF-8", "programs belong into downloads"
    if "\r\n" in text:
        return (
            f"{quoted(script)} has Windows line ends, which bash takes for part of each line",
            "convert it to Unix ones",
        )
    if not text.startswith("#!"):
        return f"{quoted(script)} does not name its interpreter", "begin it with #!/bin/bash"
    return None
