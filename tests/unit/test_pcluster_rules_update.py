"""ParallelCluster's verdicts on changes of a running cluster, by its own update policies."""

from collections.abc import Iterator

import pytest

from pcluster_rules.install import versions
from pcluster_rules.worker_client import Rules
from tests.unit.pcluster_documents import (
    DOCUMENT,
    LUSTRE,
    OTHER_ZONE,
    PRIVATE,
    PUBLIC,
    REMOVED,
    changed,
    strings,
)

HEAD = "HeadNode__"
QUEUE = "Scheduling__SlurmQueues__0__"
RESOURCE = f"{QUEUE}ComputeResources__0__"
STRATEGY = "Scheduling__SlurmSettings__QueueUpdateStrategy"
DATABASE = {
    "Uri": "db.example.org:3306",
    "UserName": "slurm",
    "PasswordSecretArn": "arn:aws:secretsmanager:x:secret",
}
NEW_QUEUE = DOCUMENT["Scheduling"]["SlurmQueues"][0] | {"Name": "third"}

# What is changed, the verdict with everything running, its policy. Nothing of it is refused for another reason.
RUNNING = [
    ({f"{HEAD}InstanceType": "c8g.2xlarge"}, "refused", "UNSUPPORTED"),
    ({f"{HEAD}Ssh__KeyName": "other-key"}, "refused", "UNSUPPORTED"),
    ({f"{HEAD}Networking__SubnetId": PRIVATE}, "refused", "UNSUPPORTED"),
    ({f"{HEAD}LocalStorage__RootVolume__Size": 200}, "refused", "UNSUPPORTED"),
    ({"Image__Os": "ubuntu2204"}, "refused", "UNSUPPORTED"),
    ({"Image__CustomAmi": "ami-0123456789abcdef0"}, "refused", "UNSUPPORTED"),
    ({"Iam__ResourcePrefix": "/hpc/"}, "refused", "UNSUPPORTED"),
    ({"DevSettings": {"Timeouts": {"HeadNodeBootstrapTimeout": 2700}}}, "allowed", "SUPPORTED"),
    ({"SharedStorage__0__EbsSettings__Size": 500}, "refused", "UNSUPPORTED"),
    ({f"{HEAD}CustomActions__OnNodeStart__Script": "s3://bucket/other.sh"}, "refused", "UNSUPPORTED"),
    ({f"{HEAD}CustomActions__OnNodeConfigured__Args": ["x"]}, "refused", "UNSUPPORTED"),
    ({"LoginNodes__Pools__0__CustomActions__OnNodeStart__Args": ["x"]}, "refused", "UNSUPPORTED"),
    ({f"{HEAD}CustomActions__OnNodeUpdated": {"Script": "s3://bucket/entry.sh"}}, "allowed", "SUPPORTED"),
    ({"Iam__PermissionsBoundary": "arn:aws:iam::123456789012:policy/x"}, "allowed", "SUPPORTED"),
    ({f"{HEAD}Iam__AdditionalIamPolicies__1": {"Policy": "arn:aws:iam::aws:policy/x"}}, "allowed", "SUPPORTED"),
    ({"Monitoring__Logs__CloudWatch__RetentionInDays": 60}, "allowed", "SUPPORTED"),
    ({"Scheduling__SlurmSettings": {"CustomSlurmSettings": [{"MaxJobCount": 1}]}}, "allowed", "SUPPORTED"),
    ({"LoginNodes__Pools__0__Count": 2}, "allowed", "SUPPORTED"),
    ({"Tags__0__Value": "other"}, "allowed", "SUPPORTED_UNLESS_ADC"),
    ({"Tags__1": {"Key": "Project", "Value": "x"}}, "allowed", "SUPPORTED_UNLESS_ADC"),
    ({f"{QUEUE}CustomActions__OnNodeConfigured__Args": ["x"]}, "action_needed", "QUEUE_UPDATE_STRATEGY"),
    ({f"{RESOURCE}Efa": {"Enabled": True}}, "action_needed", "QUEUE_UPDATE_STRATEGY"),
    ({f"{QUEUE}Image": {"CustomAmi": "ami-0123456789abcdef0"}}, "action_needed", "QUEUE_UPDATE_STRATEGY"),
    ({"Scheduling__SlurmQueues__2": NEW_QUEUE}, "allowed", "RESIZE_UPDATE_STRATEGY_ON_REMOVE"),
    ({f"{RESOURCE}MaxCount": 9}, "allowed", "RESIZE_UPDATE_STRATEGY_ON_REMOVE"),
    ({"Scheduling__SlurmQueues__1": REMOVED}, "action_needed", "RESIZE_UPDATE_STRATEGY_ON_REMOVE"),
    ({f"{RESOURCE}MaxCount": 7}, "action_needed", "RESIZE_UPDATE_STRATEGY_ON_REMOVE"),
    ({"SharedStorage__2": LUSTRE}, "action_needed", "SHARED_STORAGE_UPDATE_POLICY"),
    ({"SharedStorage__1": REMOVED}, "action_needed", "SHARED_STORAGE_UPDATE_POLICY"),
    ({"SharedStorage__1__MountDir": "/elsewhere"}, "unknown", "SHARED_STORAGE_UPDATE_POLICY"),
    ({"Scheduling__SlurmSettings": {"Database": DATABASE}}, "action_needed", "COMPUTE_FLEET_STOP"),
    ({"LoginNodes__Pools__0__InstanceType": "c8g.xlarge"}, "action_needed", "LOGIN_NODES_POOL_STOP"),
]


@pytest.fixture(scope="module", params=versions())
def rules(request: pytest.FixtureRequest) -> Iterator[Rules]:
    with Rules(request.param) as started:
        yield started


@pytest.mark.parametrize(("changes", "verdict", "policy"), RUNNING)
def test_verdict_while_everything_runs(rules: Rules, changes, verdict, policy):
    result = rules.update("demo", DOCUMENT, changed(DOCUMENT, **changes))
    (change,) = result.changes
    assert (change.verdict, change.policy) == (verdict, policy)
    assert result.refused == (verdict != "allowed")
    assert bool(change.reason) == bool(change.action) == result.refused


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({f"{RESOURCE}MaxCount": 7}, "allowed"),
        ({"Scheduling__SlurmQueues__1": REMOVED}, "allowed"),
        ({f"{QUEUE}CustomActions__OnNodeConfigured__Args": ["x"]}, "allowed"),
        ({"SharedStorage__2": LUSTRE}, "allowed"),
        ({"Scheduling__SlurmSettings": {"Database": DATABASE}}, "allowed"),
        ({"LoginNodes__Pools__0__InstanceType": "c8g.xlarge"}, "allowed"),
        ({f"{HEAD}InstanceType": "c8g.2xlarge"}, "refused"),
    ],
)
def test_verdict_while_everything_is_stopped(rules: Rules, changes, verdict):
    new = changed(DOCUMENT, **changes)
    (change,) = rules.update("demo", DOCUMENT, new, fleet_running=False, login_running=False).changes
    assert change.verdict == verdict


@pytest.mark.parametrize(
    ("strategy", "changes", "verdict"),
    [
        ("DRAIN", {f"{QUEUE}CustomActions__OnNodeConfigured__Args": ["x"]}, "allowed"),
        ("DRAIN", {f"{RESOURCE}MaxCount": 7}, "action_needed"),
        ("TERMINATE", {f"{RESOURCE}MaxCount": 7}, "allowed"),
        ("TERMINATE", {"Scheduling__SlurmQueues__1": REMOVED}, "allowed"),
    ],
)
def test_what_a_queue_update_strategy_unlocks(rules: Rules, strategy, changes, verdict):
    old = changed(DOCUMENT, **{STRATEGY: strategy})
    (change,) = rules.update("demo", old, changed(old, **changes)).changes
    assert change.verdict == verdict


def test_a_bootstrap_timeout_cannot_change_once_it_is_set(rules: Rules):
    old = changed(DOCUMENT, DevSettings={"Timeouts": {"HeadNodeBootstrapTimeout": 2100}})
    new = changed(DOCUMENT, DevSettings={"Timeouts": {"HeadNodeBootstrapTimeout": 2700}})
    (change,) = rules.update("demo", old, new).changes
    assert (change.path, change.old, change.new) == ("DevSettings.Timeouts.HeadNodeBootstrapTimeout", 2100, 2700)
    assert change.verdict == "refused"


def test_a_subnet_beside_managed_lustre_would_lose_the_filesystem(rules: Rules):
    old = changed(DOCUMENT, SharedStorage__2=LUSTRE)
    (change,) = rules.update("demo", old, changed(old, **{f"{QUEUE}Networking__SubnetIds": [PUBLIC]})).changes
    assert (change.policy, change.verdict) == ("MANAGED_FSX", "action_needed")
    assert "data loss" in change.reason


def test_a_pool_at_zero_may_change_its_instance_type(rules: Rules):
    old = changed(DOCUMENT, LoginNodes__Pools__0__Count=0)
    (change,) = rules.update("demo", old, changed(old, LoginNodes__Pools__0__InstanceType="c8g.xlarge")).changes
    assert change.verdict == "allowed"


def test_a_document_equals_what_cloudformation_hands_over(rules: Rules):
    document = changed(
        DOCUMENT,
        SharedStorage__2=LUSTRE,
        HeadNode__Networking__ElasticIp=True,
        **{f"{RESOURCE}Efa": {"Enabled": False}, f"{RESOURCE}SpotPrice": 1.5, STRATEGY: "DRAIN"},
        Scheduling__SlurmSettings__CustomSlurmSettings=[{"MaxJobCount": 10, "Debug": True}],
    )
    assert rules.update("demo", document, strings(document)).changes == ()
    assert rules.update("demo", strings(document), document).changes == ()


def test_a_false_in_quotes_is_false_to_the_policies(rules: Rules):
    """A managed placement group that is switched off: the string "false" would count as switched on."""
    old = changed(DOCUMENT, **{f"{QUEUE}Networking__PlacementGroup": {"Enabled": True}, STRATEGY: "DRAIN"})
    new = changed(old, **{f"{QUEUE}Networking__PlacementGroup": {"Enabled": False}})
    (change,) = rules.update("demo", strings(old), strings(new)).changes
    assert change.verdict == "action_needed"
    assert "placement group deletion" in change.reason


def test_names_path_old_and_new_value(rules: Rules):
    (change,) = rules.update("demo", DOCUMENT, changed(DOCUMENT, **{f"{RESOURCE}MaxCount": "9"})).changes
    assert change.path == "Scheduling.SlurmQueues[cpu].ComputeResources[vcpu8].MaxCount"
    assert (change.old, change.new) == (8, 9)


def test_an_added_and_a_removed_item_have_one_side(rules: Rules):
    (added,) = rules.update("demo", DOCUMENT, changed(DOCUMENT, SharedStorage__2=LUSTRE)).changes
    assert (added.path, added.old, added.new) == ("SharedStorage", None, LUSTRE)
    (removed,) = rules.update("demo", DOCUMENT, changed(DOCUMENT, LoginNodes=REMOVED)).changes
    assert (removed.path, removed.new) == ("LoginNodes", None)
    assert removed.old == DOCUMENT["LoginNodes"]


def test_a_document_that_crashes_the_comparison_is_blocked(rules: Rules):
    result = rules.update("demo", DOCUMENT, changed(DOCUMENT, Scheduling=["no map"]))
    assert result.refused
    assert [change.verdict for change in result.changes] == ["unknown"]
    assert "ParallelCluster" in result.changes[0].reason


def test_two_zones_are_one_more_change_of_the_same_key(rules: Rules):
    new = changed(DOCUMENT, **{f"{QUEUE}Networking__SubnetIds": [PRIVATE, OTHER_ZONE]})
    (change,) = rules.update("demo", DOCUMENT, new).changes
    assert (change.old, change.new) == ([PRIVATE], [PRIVATE, OTHER_ZONE])
