"""Viewers, operators and users: what our commands need, and nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import botocore.session
import pytest
from botocore import xform_name

from hpc_constructs.account.rendering_commands import COMMANDS, OPERATOR, USER, VIEWER, Command, commands_of
from hpc_constructs.account.rendering_people import people_statements
from tests import accounts
from tests.iam.evaluation import Principal
from tests.iam.resolver import ACCOUNT, PARTITIONS

ROOT = Path(__file__).parents[2]
LOCAL_ONLY = ("local", "demo")
"""Parts of ``ops`` that talk to the local AWS alone."""
FOLLOWED = {"get_paginator", "get_waiter"}
IAM_NAMES = {"resourcegroupstaggingapi": "tag", "efs": "elasticfilesystem", "elbv2": "elasticloadbalancing"}
"""Services whose client is not called as IAM calls them."""
POLICIES = {VIEWER: "Viewer", OPERATOR: "Operator", USER: "User"}


def calls(source: str) -> set[str]:
    """The actions behind the calls in a module: every operation of each service that it makes a client of."""
    tree = ast.parse(source)
    return {action for service in _services(tree) for action in _operations(tree, service)}


def _services(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="client" | "resource"), args=[ast.Constant(str(service)), *_]):
                yield service


def _operations(tree: ast.AST, service: str) -> Iterator[str]:
    model = botocore.session.get_session().get_service_model(service)
    names: Any = model.operation_names
    methods = {xform_name(name): name for name in names}
    prefix = IAM_NAMES.get(service, service)
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=called), args=[ast.Constant(str(named)), *_]) if (
                called in FOLLOWED
            ):
                method = named
            case ast.Call(func=ast.Attribute(attr=called)):
                method = called
            case _:
                continue
        if method in methods:
            yield f"{prefix}:{methods[method]}"


def test_the_reader_sees_clients_paginators_and_plain_calls() -> None:
    source = """
session.client("ec2", region_name="x").get_paginator("describe_instance_types").paginate()
stacks = boto3.client("cloudformation")
stacks.describe_stacks(StackName="x")
"""
    assert calls(source) == {"ec2:DescribeInstanceTypes", "cloudformation:DescribeStacks"}


def modules() -> dict[str, str]:
    """Sources of ``ops`` by the command that they are the action of."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "ops").rglob("*.py")):
        folder, *rest = path.relative_to(ROOT / "ops").with_suffix("").as_posix().split("/")
        if folder not in LOCAL_ONLY:
            word = rest[0] if folder == "commands" and rest else folder
            found[word] = found.get(word, "") + path.read_text(encoding="utf-8") + "\n"
    return found


def test_the_table_of_commands_says_what_the_code_calls() -> None:
    made = {word: actions for word, source in modules().items() if (actions := calls(_without_future(source)))}
    declared: dict[str, set[str]] = {}
    for command in COMMANDS:
        program, word, *_ = command.text.split()
        if program == "clusterform" and word != "cdk":
            declared.setdefault(word, set()).update(command.actions)
    assert made == declared


def _without_future(source: str) -> str:
    return source.replace("from __future__ import annotations\n", "")


def test_what_talks_to_the_local_aws_talks_to_nothing_else() -> None:
    for part in LOCAL_ONLY:
        for path in (ROOT / "ops" / part).rglob("*.py"):
            if "import boto3" in path.read_text(encoding="utf-8"):
                assert path.name == "credentials.py", f"{path} makes clients without the local AWS's settings"


@pytest.fixture(scope="module", params=list(PARTITIONS))
def partition(request: pytest.FixtureRequest) -> str:
    return request.param


def person(partition: str, who: str) -> Principal:
    document = accounts.resolved(partition).document(POLICIES[who])
    return Principal([document], None, PARTITIONS[partition])


def arn(partition: str, service: str, resource: str, region: str | None = None) -> str:
    where = PARTITIONS[partition] if region is None else region
    return f"arn:{partition}:{service}:{where}:{ACCOUNT}:{resource}"


def node(kind: str) -> dict[str, Any]:
    return {"keys": {"ssm:resourceTag/parallelcluster:node-type": kind}}


def test_each_does_what_their_commands_do(partition: str) -> None:
    ours, deployed = (
        arn(partition, "cloudformation", "stack/clusterform-pc-demo/0"),
        "cloudformation:DescribeStacks",
    )
    region, owned = PARTITIONS[partition], {"resource_tags": {"clusterform:owner": ours}}
    roles = [f"role/cdk-clform-{kind}-role-{ACCOUNT}-{region}" for kind in ("deploy", "file-publishing")]
    instance = arn(partition, "ec2", "instance/i-0")
    allowed = [
        (VIEWER, deployed, ours, {}),
        (VIEWER, "ec2:DescribeInstanceTypes", "*", {}),
        (VIEWER, "logs:FilterLogEvents", arn(partition, "logs", "log-group:/clusterform/demo/lifecycle"), {}),
        (OPERATOR, "cloudformation:DeleteStack", ours, {}),
        (OPERATOR, "cloudformation:ContinueUpdateRollback", ours, {}),
        (
            OPERATOR,
            "cloudformation:ContinueUpdateRollback",
            arn(partition, "cloudformation", "stack/demo/0"),
            owned,
        ),
        (OPERATOR, "cloudformation:RollbackStack", ours.replace("-pc-demo", "-storage-home"), {}),
        *((OPERATOR, "sts:AssumeRole", arn(partition, "iam", role, ""), {}) for role in roles),
        (OPERATOR, "ssm:StartSession", instance, node("HeadNode")),
        (USER, "ssm:StartSession", instance, node("LoginNode")),
        (USER, "ec2:DescribeInstances", "*", {}),
        (USER, "ssm:StartSession", f"arn:{partition}:ssm:{region}::document/AWS-StartSSHSession", {}),
        (USER, "ssm:StartSession", arn(partition, "ssm", "document/SSM-SessionManagerRunShell"), {}),
    ]
    refused = [row for row in allowed if not person(partition, row[0]).may(row[1], row[2], **row[3])]
    assert refused == []


def test_none_of_them_does_more(partition: str) -> None:
    ours, other = (
        arn(partition, "cloudformation", f"stack/{name}/0") for name in ("clusterform-pc-demo", "payroll")
    )
    region, instance = PARTITIONS[partition], arn(partition, "ec2", "instance/i-0")
    account, everybody = ACCOUNT, tuple(POLICIES)
    execution = arn(partition, "iam", f"role/cdk-clform-cfn-exec-role-{account}-{region}", "")
    lookup = arn(partition, "iam", f"role/cdk-clform-lookup-role-{account}-{region}", "")
    rows: list[tuple[tuple[str, ...], str, str, dict[str, Any]]] = [
        (everybody, "ssm:GetParameter", arn(partition, "ssm", "parameter/ec2/keypair/key-0"), {}),
        (everybody, "secretsmanager:GetSecretValue", arn(partition, "secretsmanager", "secret:x"), {}),
        (everybody, "iam:PassRole", execution, {}),
        (everybody, "sts:AssumeRole", execution, {}),
        (everybody, "sts:AssumeRole", lookup, {}),
        (everybody, "iam:CreateRole", arn(partition, "iam", "role/x", ""), {}),
        (everybody, "cloudformation:UpdateStack", ours, {}),
        (everybody, "cloudformation:DeleteStack", other, {}),
        (everybody, "cloudformation:DeleteStack", ours.replace("-pc-demo", "-account"), {}),
        (everybody, "cloudformation:DeleteStack", ours.replace("-pc-demo", "-bootstrap"), {}),
        (everybody, "ssm:StartSession", instance, {}),
        (everybody, "ssm:StartSession", instance, node("Compute")),
        (everybody, "logs:GetLogEvents", arn(partition, "logs", "log-group:/payroll"), {}),
        ((VIEWER, USER), "cloudformation:DeleteStack", ours, {}),
        (
            (VIEWER, USER),
            "sts:AssumeRole",
            arn(partition, "iam", f"role/cdk-clform-deploy-role-{account}-{region}", ""),
            {},
        ),
        ((VIEWER, USER), "ssm:StartSession", instance, node("HeadNode")),
        ((VIEWER,), "ssm:StartSession", instance, node("LoginNode")),
        ((USER,), "cloudformation:GetTemplate", ours, {}),
    ]
    let_pass = [
        (who, row) for row in rows for who in row[0] if person(partition, who).may(row[1], row[2], **row[3])
    ]
    assert let_pass == []


def test_a_command_that_needs_what_has_no_place_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "hpc_constructs.account.rendering_commands.COMMANDS", (Command("x", ("s3:GetObject",), (USER,)),)
    )
    with pytest.raises(ValueError, match="s3:GetObject"):
        people_statements(USER)


def test_everybody_has_commands_and_nothing_is_everything(partition: str) -> None:
    for who, logical_id in POLICIES.items():
        assert commands_of(who)
        for statement in accounts.resolved(partition).document(logical_id)["Statement"]:
            assert not any(fnmatchcase(action, "*:*[*]*") for action in statement["Action"]), statement
            if statement["Resource"] == ["*"]:
                assert statement["Sid"] == "Find"
