"""Where messages go, what rings, and what the function is given for it, in the synthesized stack."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hpc_constructs.notifications.rendering import access, storage_lines
from tests.assembly import Assembly, closure, synthesize
from tests.factories import cluster
from tests.parallelcluster_cases import FULL

TOPIC = "arn:aws:sns:us-east-1:123456789012:hpc"
SECRET = "arn:aws:secretsmanager:us-east-1:123456789012:secret:webhook-AbCdEf"


@pytest.fixture(scope="module")
def ours() -> Assembly:
    return synthesize({"demo": cluster()})


@pytest.fixture(scope="module")
def theirs() -> Assembly:
    return synthesize({"demo": cluster(notifications={"topic_arn": TOPIC, "webhook_secret": SECRET})})


def types(assembly: Assembly) -> set[str]:
    return {resource["Type"] for resource in assembly.resources().values()}


def variables(assembly: Assembly) -> dict[str, Any]:
    return assembly.properties("LifecycleFunction")["Environment"]["Variables"]


def granted(assembly: Assembly, policy: str) -> dict[str, Any]:
    return {item["Sid"]: item for item in assembly.properties(policy)["PolicyDocument"]["Statement"]}


def test_the_function_knows_the_topic_and_the_gate_does_not(ours: Assembly) -> None:
    assert variables(ours) == {
        "CLUSTER": "demo",
        "STACK_ID": {"Ref": "AWS::StackId"},
        "TOPIC_ARN": {"Ref": "Topic"},
    }
    assert "Webhook" not in granted(ours, "LifecyclePolicy")


def test_an_organisations_topic_takes_ours_place(theirs: Assembly) -> None:
    assert not types(theirs) & {"AWS::SNS::Topic", "AWS::SNS::Subscription"}
    assert variables(theirs)["TOPIC_ARN"] == TOPIC
    assert granted(theirs, "LifecyclePolicy")["Tell"]["Resource"] == TOPIC
    assert theirs.template()["Outputs"]["TopicArn"]["Value"] == TOPIC


def test_the_webhook_is_a_secrets_arn_that_one_role_may_read(theirs: Assembly) -> None:
    assert variables(theirs)["WEBHOOK_SECRET"] == SECRET
    mentioned = {name for name, item in theirs.resources().items() if SECRET in json.dumps(item)}
    assert mentioned == {"Ceiling", "LifecyclePolicy", "LifecycleFunction"}
    statement = granted(theirs, "LifecyclePolicy")["Webhook"]
    assert (statement["Action"], statement["Resource"]) == (["secretsmanager:GetSecretValue"], SECRET)


def test_the_ceiling_lets_topic_and_webhook_pass(ours: Assembly, theirs: Assembly) -> None:
    named = granted(theirs, "Ceiling")["Named"]["Resource"]
    assert TOPIC in named
    assert "Topic-*" not in json.dumps(named)
    assert granted(theirs, "Ceiling")["Webhook"]["Resource"] == [SECRET]
    assert "Topic-*" in json.dumps(granted(ours, "Ceiling")["Named"]["Resource"])
    assert "Webhook" not in granted(ours, "Ceiling")


def test_alarms_are_known_by_the_names_that_parallelcluster_gives_them(ours: Assembly) -> None:
    pattern = ours.properties("Alarms")["EventPattern"]
    assert pattern == {
        "source": ["aws.cloudwatch"],
        "detail-type": ["CloudWatch Alarm State Change"],
        "detail": {
            "alarmName": ["demo-HeadNode-Health", "demo-HeadNode-Disk", "demo-HeadNode-ClustermgtdHeartbeat"],
            "state": {"value": ["ALARM", "OK"]},
        },
    }


@pytest.mark.parametrize("version", ["3.15.1", "3.16.1"])
def test_parallelcluster_makes_alarms_of_these_names(version: str) -> None:
    """Read in its own code, as far as it is installed: the template itself needs another environment."""
    from pcluster_rules.install import ensure

    source = (ensure(version) / "pcluster" / "templates" / "cluster_stack.py").read_text()
    assert 'alarm_name = f"{self.stack.stack_name}-HeadNode-{metric_key}"' in source
    for line in ('"Health": {', '"Disk": {', "metrics_for_alarms[CW_METRICS_CLUSTERMGTD_HEARTBEAT]"):
        assert line in source
    constants = (ensure(version) / "pcluster" / "constants.py").read_text()
    assert 'CW_METRICS_CLUSTERMGTD_HEARTBEAT = "ClustermgtdHeartbeat"' in constants
    assert 'PCLUSTER_DYNAMODB_PREFIX = "parallelcluster-"' in constants
    fleet = (ensure(version) / "pcluster" / "models" / "compute_fleet_status_manager.py").read_text()
    for line in (
        'DB_KEY = "COMPUTE_FLEET"',
        'DB_DATA = "Data"',
        '"lastStatusUpdatedTime"',
        'PROTECTED = "PROTECTED"',
    ):
        assert line in fleet


def test_the_rule_alone_may_call_the_function_and_both_stand_before_the_cluster(ours: Assembly) -> None:
    rule, permission = ours.properties("Alarms"), ours.properties("AlarmsPermission")
    function = {"Fn::GetAtt": ["LifecycleFunction", "Arn"]}
    assert rule["Targets"] == [{"Arn": function, "Id": "Lifecycle"}]
    assert permission == {
        "Action": "lambda:InvokeFunction",
        "FunctionName": function,
        "Principal": "events.amazonaws.com",
        "SourceArn": {"Fn::GetAtt": ["Alarms", "Arn"]},
    }
    assert {"Alarms", "AlarmsPermission"} <= closure(ours.resources(), "Cluster")


def test_the_storage_block_lists_exactly_the_filesystems_that_there_are() -> None:
    spec = cluster(**FULL)
    assert storage_lines(spec) == [
        "/shared: EBS volume shared, 500 GiB gp3; deleted with the cluster, a snapshot is kept",
        "/efs: EFS filesystem efs; kept when the cluster is deleted",
        "/fsx: FSx for Lustre filesystem fsx, 2400 GiB PERSISTENT_1; deleted with the cluster",
        "/fsx: loads from s3://genomes/in",
        "/fsx: writes back to s3://genomes/out",
        "/nfs/nas: NFS server nas.example.org:/export/nas",
        "on the head node, in /opt/clusterform/bin: import-s3-to-lustre.sh, export-lustre-to-s3.sh, "
        "check-lustre-export-progress.sh",
        "/fsx/pkg: software for all users",
    ]
    assert storage_lines(cluster()) == []
    assert storage_lines(cluster(software={"spack": True})) == ["/home/clusterform/pkg: software for all users"]


@pytest.mark.parametrize(
    ("storage", "line"),
    [
        ({"type": "ebs", "id": "vol-0aaa1234"}, "EBS volume vol-0aaa1234"),
        ({"type": "efs", "id": "fs-0aaa1234"}, "EFS filesystem fs-0aaa1234"),
        ({"type": "fsx-lustre", "id": "fs-00000000000000000"}, "FSx for Lustre filesystem fs-00000000000000000"),
    ],
)
def test_a_filesystem_that_existed_before_is_told_by_its_id(storage: dict[str, Any], line: str) -> None:
    spec = cluster(storage=[{"name": "data", "mount": "/data", **storage}])
    assert storage_lines(spec)[:-1] == [f"/data: {line}, which was there before the cluster and stays"]


def test_the_same_block_is_an_output_and_part_of_the_message() -> None:
    stack = synthesize({"demo": cluster(storage=[{"name": "data", "mount": "/data", "type": "efs"}])})
    lines = [
        "/data: EFS filesystem data; kept when the cluster is deleted",
        "/data/pkg: software for all users",
    ]
    assert stack.template()["Outputs"]["Storage"]["Value"] == "; ".join(lines)
    assert stack.properties("GoneNotice")["Up"]["Storage"] == lines


def test_without_storage_the_output_says_so(ours: Assembly) -> None:
    assert ours.template()["Outputs"]["Storage"]["Value"] == "none"


def ways(**changes: Any) -> list[str]:
    return [way["Command"].split(" --")[0] for way in access("demo", cluster(**changes))]


def test_the_ways_in_are_those_that_are_open() -> None:
    reader = {"ssh": {"allowed_cidrs": ["10.0.0.0/16"], "key_reader": "admins"}}
    outputs, key = "aws cloudformation describe-stacks", "umask 077; aws ssm get-parameter"
    assert ways() == ["aws ssm start-session"]
    assert ways(session_manager=False) == []
    assert ways(**reader) == ["aws ssm start-session", outputs, key, "ssh -i demo-key.pem ubuntu@ADDRESS"]
    assert ways(**reader, os="rhel9")[-1] == "ssh -i demo-key.pem ec2-user@ADDRESS"
