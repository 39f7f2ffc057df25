"""The messages that people get about a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .failures import Failure
from .layout import Message, command, message, paragraph, section

NO_PRICES = "Hourly cost: prices are not known here."
WITHOUT_REASON = "No failure is recorded: the creation was probably cancelled."


@dataclass(frozen=True)
class About:
    """The cluster that a message is about: its name and Region, and the id of the stack that declares it."""

    name: str
    region: str
    stack_id: str

    @property
    def cluster(self) -> str:
        """The subject of most sentences."""
        return f"Cluster {self.name} in {self.region}"

    @property
    def footer(self) -> str:
        """The last line of every message."""
        return f"Stack: {self.stack_id}"


@dataclass(frozen=True)
class Left:
    """A stack that bears the cluster's name; ``ours`` tells whether it is the cluster that this stack declared."""

    stack_id: str
    status: str
    ours: bool


@dataclass(frozen=True)
class Remains:
    """What is kept, and which data ends: the notice's properties, entries of the ledger as they were declared."""

    kept: Sequence[Mapping[str, Any]]
    lost: Sequence[Mapping[str, str]]


def up(about: About, shape: Sequence[str], storage: Sequence[str], access: Sequence[Mapping[str, str]]) -> Message:
    """The cluster can be used. ``access`` holds a ``Text`` and a ``Command`` each."""
    return message(
        f"Cluster {about.name} is up",
        paragraph(f"{about.cluster} was created and can be used."),
        section("Shape", map(paragraph, shape)),
        section("Storage", map(paragraph, storage)),
        section("Access", [_told(way["Text"], way["Command"]) for way in access]),
        NO_PRICES,
        about.footer,
    )


def gone(about: About, shape: Sequence[str], left: Left | None, remains: Remains) -> Message:
    """The cluster was deleted. Somebody else may have made another one of its name, which is ``left``."""
    rest = "next, of its stack: key pair, secrets, buckets, roles, and functions with their logs"
    return message(
        f"Cluster {about.name} is gone",
        paragraph(f"{about.cluster} was deleted."),
        _still_there(left),
        section("Removed", map(paragraph, [*shape, rest])),
        _lost("Data that ended with it", remains.lost),
        _kept("Kept on purpose; each may cost money until it is removed", remains.kept),
        about.footer,
    )


def not_created(about: About, chain: Sequence[Failure], left: Left | None, remains: Remains) -> Message:
    """The creation failed and is rolled back. ``chain`` leads from what failed first to what failed therefore."""
    first, therefore = chain[:1], chain[1:]
    return message(
        f"Cluster {about.name} could not be created",
        paragraph(f"{about.cluster} could not be created. What was made of it is removed again."),
        section("What failed first", map(_failure, first)) or WITHOUT_REASON,
        section("And therefore", map(_failure, therefore)),
        _still_there(left),
        _kept("As far as it came into being, kept; each may cost money", remains.kept),
        about.footer,
    )


def left_behind(about: About, left: Left) -> Message:
    """The stack goes, the cluster stays."""
    return message(
        f"Cluster {about.name} was not deleted",
        paragraph(f"The stack of cluster {about.name} in {about.region} is deleted, the cluster itself is not."),
        _still_there(left),
        about.footer,
    )


def _still_there(left: Left | None) -> str:
    if left is None:
        return ""
    told = "Somebody else's stack bears the cluster's name, and was not touched:"
    if left.ours:
        told = "The cluster's own stack is still there, and costs what its resources cost:"
    return f"{paragraph(told)}\n  {left.stack_id}\n  {left.status}"


def _failure(failure: Failure) -> str:
    return f"{failure.resource} of stack {failure.stack}:\n{paragraph(failure.reason)}"


def _lost(title: str, losses: Iterable[Mapping[str, str]]) -> str:
    return section(title, [f"{paragraph(loss['What'])}\n{paragraph(loss['Instead'])}" for loss in losses])


def _kept(title: str, entries: Iterable[Mapping[str, Any]]) -> str:
    return section(title, map(_entry, entries))


def _entry(entry: Mapping[str, Any]) -> str:
    """An entry of the ledger."""
    told = (entry["What"], f"why: {entry['Reason']}", f"cost: {entry['Cost']}", "remove it with:")
    return "\n".join([*map(paragraph, told), *map(command, entry["Removal"])])


def _told(text: str, what: str) -> str:
    return f"{paragraph(text)}\n{command(what)}"
