"""Each check finds the faults that it is there for; no check speaks of what is another's business."""

from __future__ import annotations

from functools import cache

import pytest

from tests.privilege.checks import AMONG_SIBLINGS, CHECKS
from tests.privilege.faults import FAULTS, Fault
from tests.privilege.faults_of_content import MORE_FAULTS
from tests.privilege.world import World, pair

ALL = {**CHECKS, **AMONG_SIBLINGS}
SEEDED = (*FAULTS, *MORE_FAULTS)


def findings(world: World) -> dict[str, set[str]]:
    return {name: set(check(world)) for name, check in ALL.items()}


@cache
def sound() -> dict[str, set[str]]:
    """What the small world lacks, being small: allowances that nothing in it needs."""
    return findings(pair("aws"))


@pytest.mark.parametrize("fault", SEEDED, ids=lambda fault: fault.name)
def test_a_fault_is_found_by_its_check_alone(fault: Fault) -> None:
    found = {
        name: new for name, it in findings(fault.put_into(pair("aws"))).items() if (new := it - sound()[name])
    }
    assert set(found) - set(fault.also) == {fault.check}
    assert any(fault.expected in problem for problem in found[fault.check])


def test_every_check_has_faults() -> None:
    assert {fault.check for fault in SEEDED} == set(ALL)


def test_the_small_world_only_needs_less() -> None:
    rest = [text for found in sound().values() for text in found if not text.startswith("nothing needs")]
    assert rest == []
