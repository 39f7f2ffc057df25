"""What our own rules accept, ParallelCluster's accept as well: no cluster is first refused in AWS."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from config.models.cluster import Cluster
from ops.validate import facts, realistic_document
from pcluster_rules.install import versions
from pcluster_rules.worker_client import Rules
from tests.unit.generated_clusters import accepted_clusters

EXAMPLES = 40
"""A version; each takes ParallelCluster's rules about 0.1 s."""

agreement = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],  # a smaller example would take minutes; the first one says enough
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@pytest.fixture(scope="module", params=versions())
def rules(request: pytest.FixtureRequest) -> Iterator[Rules]:
    with Rules(request.param) as started:
        yield started


def refusals(rules: Rules, spec: Cluster) -> list[str]:
    document = realistic_document("demo", spec)
    messages = rules.validate("demo", document, facts(spec, document))
    return [
        f"{message.rule} {message.path}: {message.message}" for message in messages if message.level == "error"
    ]


@pytest.mark.slow
def test_what_our_rules_accept_parallelcluster_accepts(rules: Rules) -> None:
    seen: list[Cluster] = []

    @agreement
    @given(accepted_clusters(rules.version))
    def agree(spec: Cluster) -> None:
        seen.append(spec)
        assert refusals(rules, spec) == []

    agree()
    assert len(seen) >= EXAMPLES
    assert any(queue.efa for spec in seen for queue in spec.queues)
    assert {store.type for spec in seen for store in spec.storage} == {"ebs", "efs", "fsx-lustre"}
