"""Least privilege over the whole set of examples, in each partition."""

from __future__ import annotations

import json

import pytest

from tests.assembly import ROOT
from tests.iam.resolver import PARTITIONS
from tests.iam.templates import LONGEST_NAME
from tests.privilege import partitions, s3_grants
from tests.privilege.checks import CHECKS
from tests.privilege.documents import policies
from tests.privilege.world import world


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("partition", PARTITIONS)
def test_nothing_is_found(partition: str, check: str) -> None:
    assert CHECKS[check](world(partition)) == []


def test_no_source_writes_a_partition_out() -> None:
    assert partitions.written_out() == set(partitions.KNOWN)


def test_rights_on_buckets_name_their_line() -> None:
    """As a reviewer would look for them: in the example's own file."""
    file = "config/clusters/prod-private.yaml"
    numbers = {
        name: number
        for number, line in enumerate((ROOT / file).read_text(encoding="utf-8").splitlines(), 1)
        for name in ("example-reference-data", "example-results")
        if name in line
    }
    lines = {
        resource.rpartition(":")[2]: line
        for where, _, resource, line in s3_grants.traces(world("aws"))
        if where.startswith("clusterform-pc-prod-private ComputeBase")
    }
    assert lines["example-reference-data/*"] == f"{file}:{numbers['example-reference-data']} access.buckets.0"
    assert lines["example-results/polaroid/*"] == f"{file}:{numbers['example-results']} access.buckets.1"


def test_the_longest_names_are_among_them() -> None:
    names = {stack.cluster for stack in world("aws-us-gov").clusters}
    assert LONGEST_NAME in names and len(LONGEST_NAME) == 27
    sizes = [len(json.dumps(paper.document, separators=(",", ":"))) for paper in policies(world("aws-us-gov"))]
    assert max(sizes) > 6000, "this case is meant to be near the limit"
