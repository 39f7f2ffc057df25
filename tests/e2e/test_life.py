"""A cluster's whole life by the stock CDK CLI, and what is left of it."""

from __future__ import annotations

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
SEEDS: dict[str, tuple[str, dict[str, Any], str, dict[str, Any]]] = {
    "bucket": ("s3", {"Bucket": "left-over"}, "create_bucket", {}),
    "role": ("iam", {"RoleName": "left-over"}, "create_role", {"AssumeRolePolicyDocument": TRUST}),
    "log group": ("logs", {"logGroupName": "/clusterform/demo/left-over"}, "create_log_group", {}),
    "parameter": (
        "ssm",
        {"Name": "/clusterform/demo/left-over"},
        "put_parameter",
        {"Value": "x", "Type": "String"},
    ),
    "topic": ("sns", {"Name": "left-over"}, "create_topic", {}),
    "secret": ("secretsmanager", {"Name": "left-over"}, "create_secret", {"SecretString": "x"}),
    "key pair": ("ec2", {"KeyName": "left-over"}, "create_key_pair", {}),
}
REMOVALS = {
    "bucket": "delete_bucket",
    "role": "delete_role",
    "log group": "delete_log_group",
    "parameter": "delete_parameter",
    "topic": "delete_topic",
    "secret": "delete_secret",
    "key pair": "delete_key_pair",
}


@pytest.mark.parametrize("kind", sorted(SEEDS))
def test_the_inventory_finds_a_seeded_left_over(project: Project, assembly: Path, aws: Any, kind: str) -> None:
    before = set(left_over(aws, assembly))
    service, name, operation, rest = SEEDS[kind]
    created = getattr(aws(service), operation)(**name, **rest)
    found = set(left_over(aws, assembly)) - before
    removal = {"TopicArn": created["TopicArn"]} if kind == "topic" else name
    if kind == "secret":
        removal = {"SecretId": "left-over", "ForceDeleteWithoutRecovery": True}
    getattr(aws(service), REMOVALS[kind])(**removal)
    assert [item.kind for item in found] == [kind]
    assert "left-over" in found.pop().name


def test_the_ledger_names_no_more_than_it_says(project: Project, aws: Any) -> None:
    items = [Item("log group", "/aws/parallelcluster/demo-1"), Item("log group", "/aws/parallelcluster/other-1")]
    ledger = ["log group /aws/parallelcluster/demo-..."]
    assert unaccounted(items, aws, toolkit=TOOLKIT, ledger=ledger) == items[1:]
