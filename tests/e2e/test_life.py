"""A cluster's whole life by the stock CDK CLI, and what is left of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ops.local.inventory import Item, unaccounted
from tests.e2e.project import STACK, TOOLKIT, Project, template
from tests.e2e.stacks import left_over
from tests.local_inbox import Inbox

pytestmark = [pytest.mark.xdist_group("e2e-life"), pytest.mark.slow]


def test_a_cluster_lives_and_leaves_nothing_unnamed(
    project: Project, assembly: Path, aws: Any, tmp_path: Path
) -> None:
    deploy = ("deploy", "--require-approval", "never")
    done = project.cdk(*deploy, "-a", str(assembly))
    assert done.returncode == 0, done.stdout
    inbox = Inbox(aws)
    inbox.subscribe(output(aws, "TopicArn"))
    staged = aws("s3").list_objects_v2(Bucket=output(aws, "StagingBucketName"))["Contents"]
    assert {each["Key"] for each in staged} == {"entry.sh", "manifest", *scripts(assembly)}

    done = project.cdk("diff", "-a", str(assembly), "--fail")
    assert (done.returncode, "There were no differences" in done.stdout) == (0, True), done.stdout

    larger = project.synth(tmp_path / "larger", **{"queues.cpu.max_nodes": 6})
    done = project.cdk("diff", "-a", str(larger), "--fail")
    assert done.returncode == 1
    changed = [line.split("]", 1)[1].strip() for line in done.stdout.splitlines() if "[+]" in line]
    assert set(changed) == {'"MaxCount": 6'}, done.stdout

    done = project.cdk(*deploy, "-a", str(larger))
    assert done.returncode == 0, done.stdout

    changes = {"queues.cpu.max_nodes": 6, "head_node.instance_type": "c8g.2xlarge"}
    refused = project.synth(tmp_path / "refused", **changes)
    done = project.cdk(*deploy, "-a", str(refused))
    assert done.returncode == 1
    assert "please consider creating a new cluster instead of updating the existing one" in done.stdout
    assert aws("cloudformation").describe_stacks(StackName=STACK)["Stacks"][0]["StackStatus"] == (
        "UPDATE_ROLLBACK_COMPLETE"
    )

    assert left_over(aws, larger), "a living cluster must show in the inventory, or it would miss a dead one"
    done = project.cdk("destroy", "-a", str(larger), "--all", "--force")
    assert done.returncode == 0, done.stdout
    assert inbox.next()["Subject"] == "Cluster demo is gone"
    inbox.close()
    assert left_over(aws, larger) == []


def scripts(assembly: Path) -> set[str]:
    """The keys of the manifest's scripts, the entry among them."""
    lines = [line.split() for line in template(assembly)["Resources"]["ScriptManifest"]["Properties"]["Lines"]]
    return {f"scripts/{name}-{sha256}.sh" for name, sha256, *_ in lines}


def output(aws: Any, key: str) -> str:
    outputs = aws("cloudformation").describe_stacks(StackName=STACK)["Stacks"][0]["Outputs"]
    return next(each["OutputValue"] for each in outputs if each["OutputKey"] == key)


TRUST = '{"Version": "2012-10-17", "Statement": []}'
VOLUME = {"AvailabilityZone": "us-east-1a", "Size": 1}
PLAN = {"BackupPlanName": "left-over", "Rules": []}
ALARM = {"MetricName": "m", "Namespace": "n", "Period": 60, "EvaluationPeriods": 1, "Threshold": 1.0}
ALARM |= {"ComparisonOperator": "GreaterThanThreshold", "Statistic": "Sum"}
KEYS = {
    "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}
GROUP = {"GroupName": "left-over", "Description": "left-over"}
PATTERN = '{"source": ["left-over"]}'


@dataclass(frozen=True)
class Seed:
    """A thing that a test leaves behind: how it is made and removed, and by what key of the answer it is known."""

    service: str
    create: str
    given: dict[str, Any]
    remove: str
    known_by: str
    answered: str = ""
    forced: dict[str, Any] = field(default_factory=dict[str, Any])


SEEDS = {
    "alarm": Seed(
        "cloudwatch", "put_metric_alarm", {"AlarmName": "left-over", **ALARM}, "delete_alarms", "AlarmNames"
    ),
    "backup plan": Seed(
        "backup", "create_backup_plan", {"BackupPlan": PLAN}, "delete_backup_plan", "BackupPlanId", "BackupPlanId"
    ),
    "backup vault": Seed(
        "backup", "create_backup_vault", {"BackupVaultName": "left-over"}, "delete_backup_vault", "BackupVaultName"
    ),
    "bucket": Seed("s3", "create_bucket", {"Bucket": "left-over"}, "delete_bucket", "Bucket"),
    "file system": Seed(
        "efs",
        "create_file_system",
        {"CreationToken": "left-over"},
        "delete_file_system",
        "FileSystemId",
        "FileSystemId",
    ),
    "key pair": Seed("ec2", "create_key_pair", {"KeyName": "left-over"}, "delete_key_pair", "KeyName"),
    "log group": Seed(
        "logs",
        "create_log_group",
        {"logGroupName": "/clusterform/demo/left-over"},
        "delete_log_group",
        "logGroupName",
    ),
    "parameter": Seed(
        "ssm", "put_parameter", {"Name": "left-over", "Value": "x", "Type": "String"}, "delete_parameter", "Name"
    ),
    "role": Seed(
        "iam",
        "create_role",
        {"RoleName": "left-over", "AssumeRolePolicyDocument": TRUST},
        "delete_role",
        "RoleName",
    ),
    "rule": Seed("events", "put_rule", {"Name": "left-over", "EventPattern": PATTERN}, "delete_rule", "Name"),
    "secret": Seed(
        "secretsmanager",
        "create_secret",
        {"Name": "left-over", "SecretString": "x"},
        "delete_secret",
        "SecretId",
        "ARN",
        {"ForceDeleteWithoutRecovery": True},
    ),
    "security group": Seed("ec2", "create_security_group", GROUP, "delete_security_group", "GroupId", "GroupId"),
    "table": Seed("dynamodb", "create_table", {"TableName": "left-over", **KEYS}, "delete_table", "TableName"),
    "topic": Seed("sns", "create_topic", {"Name": "left-over"}, "delete_topic", "TopicArn", "TopicArn"),
    "volume": Seed("ec2", "create_volume", VOLUME, "delete_volume", "VolumeId", "VolumeId"),
}


@pytest.mark.parametrize("kind", SEEDS)
def test_the_inventory_finds_a_seeded_left_over(project: Project, assembly: Path, aws: Any, kind: str) -> None:
    seed = SEEDS[kind]
    before = set(left_over(aws, assembly))
    client = aws(seed.service)
    created = getattr(client, seed.create)(**seed.given)
    found = set(left_over(aws, assembly)) - before
    name = created[seed.answered] if seed.answered else next(iter(seed.given.values()))
    getattr(client, seed.remove)(
        **{seed.known_by: [name] if seed.known_by.endswith("Names") else name}, **seed.forced
    )
    assert [item.kind for item in found] == [kind]
    assert set(left_over(aws, assembly)) == before


def test_the_ledger_names_no_more_than_it_says(project: Project, aws: Any) -> None:
    items = [Item("log group", "/aws/parallelcluster/demo-1"), Item("log group", "/aws/parallelcluster/other-1")]
    ledger = ["log group /aws/parallelcluster/demo-..."]
    assert unaccounted(items, aws, toolkit=TOOLKIT, ledger=ledger) == items[1:]
