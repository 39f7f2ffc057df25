"""The checks of the closed world, by name. Each gives one line a problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.privilege import boundaries, iam_writes, passing
from tests.privilege.world import World

CHECKS: Mapping[str, Callable[[World], list[str]]] = {
    "boundaries": boundaries.problems,
    "iam writes": iam_writes.problems,
    "passing roles": passing.problems,
}
