"""The checks of the closed world, by name. Each gives one line a problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.privilege import (
    boundaries,
    iam_writes,
    limits,
    partitions,
    passing,
    s3_grants,
    secrets,
    siblings,
    vocabulary,
    wildcards,
)
from tests.privilege.world import World

CHECKS: Mapping[str, Callable[[World], list[str]]] = {
    "boundaries": boundaries.problems,
    "iam writes": iam_writes.problems,
    "limits": limits.problems,
    "partitions": partitions.problems,
    "passing roles": passing.problems,
    "rights on buckets": s3_grants.problems,
    "secrets": secrets.problems,
    "vocabulary": vocabulary.problems,
    "wildcards": wildcards.problems,
}

AMONG_SIBLINGS: Mapping[str, Callable[[World], list[str]]] = {"siblings": siblings.problems}
"""For clusters whose names begin alike."""
