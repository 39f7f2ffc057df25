"""Numbers and names that a rule and a rendering both hold, because configuration imports nothing of ours."""

from config.facts.parallelcluster_schema import load, versions
from config.rules.network import NetworkCount
from config.rules.platform import RETENTION_DAYS
from config.rules.tags import OURS
from hpc_constructs.parallelcluster.rendering_ssh import PREFIX_LIST_ENTRIES
from hpc_constructs.parallelcluster.rendering_tags import document_tags
from tests.factories import MINIMAL, cluster


def test_reserved_tags_are_those_that_every_cluster_carries() -> None:
    spec = cluster(owner=MINIMAL["owner"] | {"project": "p"})
    assert {tag["Key"] for tag in document_tags("demo", spec, "arn:stack/demo/1")} == set(OURS)


def test_networks_fit_into_the_prefix_list() -> None:
    assert NetworkCount.ssh_limit == PREFIX_LIST_ENTRIES


def test_retention_days_are_parallelclusters() -> None:
    for version in versions():
        for days in RETENTION_DAYS:
            document = {"Monitoring": {"Logs": {"CloudWatch": {"RetentionInDays": days}}}}
            assert load(version).problems(document) == []
