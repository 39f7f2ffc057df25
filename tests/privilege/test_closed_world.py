"""Least privilege over the whole set of examples, in each partition."""

from __future__ import annotations

import pytest

from tests.iam.resolver import PARTITIONS
from tests.privilege.checks import CHECKS
from tests.privilege.world import world


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("partition", PARTITIONS)
def test_nothing_is_found(partition: str, check: str) -> None:
    assert CHECKS[check](world(partition)) == []
