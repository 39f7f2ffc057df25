"""CloudFormation's execution role: enough by CloudFormation's own word, on our things alone, under the ceiling.

That these actions suffice on AWS is not proven here: the handlers' own lists are all that can be looked at.
"""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from hpc_constructs.account import rendering_execution as execution
from hpc_constructs.account.rendering_execution_places import NEVER, OUR_TAG
from tests import accounts
from tests.iam import execution_actions
from tests.iam.evaluation import Principal
from tests.iam.resolver import ACCOUNT, PARTITIONS
from tests.privilege.execution_requests import CUSTOM, known_type, requests
from tests.privilege.world import Deployed, world

IDS = ("ExecutionIdentity", "ExecutionParts", "ExecutionStorage")
READER = "SshKeyReaders"
RENEW = "python -m tests.iam.execution_actions"


@cache
def role(partition: str, **changes: tuple[str, ...]) -> Principal:
    """The execution role in an account of the partition."""
    given = {"key_readers": [READER]} | {key: list(value) for key, value in changes.items()}
    resolver = accounts.resolved(partition, execution=given)
    return Principal([resolver.document(each) for each in IDS], None, resolver.region)


def ceiling(partition: str) -> str:
    """The account's ceiling."""
    return _arn(partition, "iam", f"policy/clusterform/account/clusterform-ceiling-{PARTITIONS[partition]}")


def stacks(partition: str) -> list[Deployed]:
    """The stacks that CloudFormation deploys under the role: all but the account's."""
    return [stack for stack in world(partition).stacks if stack.kind != "account"]


def _arn(partition: str, service: str, resource: str) -> str:
    region = "" if service in ("iam", "s3") else PARTITIONS[partition]
    return f"arn:{partition}:{service}:{region}:{'' if service == 's3' else ACCOUNT}:{resource}"


def test_the_actions_are_those_of_cloudformations_schemas() -> None:
    assert execution_actions.DATA.read_text(encoding="utf-8") == execution_actions.text(), f"renew it: {RENEW}"


def test_every_type_of_our_stacks_has_its_actions() -> None:
    types = {known_type(each["Type"]) for stack in stacks("aws") for each in stack.resources.values()}
    assert types <= execution.actions_by_type().keys(), f"add the type to TYPES, then: {RENEW}"
    unused = execution.actions_by_type().keys() - types
    engine = {"AWS::Lambda::LayerVersion", "AWS::CloudFormation::Transform", "AWS::SNS::TopicPolicy"}
    assert unused == engine | {"AWS::EC2::Snapshot", "AWS::SSM::Parameter::Value"}


@pytest.mark.parametrize("type_name", execution_actions.SERVED)
def test_no_resource_sets_a_property_whose_actions_are_left_out(type_name: str) -> None:
    left_out = execution_actions.SERVED[type_name].keys()
    assert left_out <= execution_actions.schemas()[type_name]["properties"].keys(), "no such property"
    set_by_us = {key for stack in stacks("aws") for each in stack.of_type(type_name).values() for key in each}
    assert left_out & set_by_us == set(), f"take it out of SERVED, then: {RENEW}"


@pytest.mark.parametrize("type_name", execution_actions.SERVED)
def test_what_is_left_out_is_among_the_handlers_actions(type_name: str) -> None:
    handlers = execution_actions.schemas()[type_name]["handlers"].values()
    permissions = {each for handler in handlers for each in handler.get("permissions", ())}
    for served in execution_actions.SERVED[type_name].values():
        for alternative in served.split("|") if "(" not in served else [served]:
            assert any(re.fullmatch(alternative, each) for each in permissions), alternative


@pytest.mark.parametrize("partition", PARTITIONS)
def test_each_resource_can_be_made_changed_and_deleted(partition: str) -> None:
    refused = []
    for stack in stacks(partition):
        own = getattr(getattr(stack.loaded.spec, "identity", None), "ceiling", "account") in ("cluster", "stack")
        reader = getattr(getattr(stack.loaded.spec, "ssh", None), "key_reader", None)
        account = role(partition, key_readers=(reader,) if reader else ())
        for logical_id, request in requests(stack):
            keys = request.context.get("keys", {})
            if own and "iam:PermissionsBoundary" in keys:
                keys["iam:PermissionsBoundary"] = ceiling(partition)
            if not account.may(request.action, request.resource, **request.context):
                refused.append(f"{stack.name} {logical_id}: {request.action} on {request.resource}")
    assert refused == []


@pytest.mark.parametrize("partition", PARTITIONS)
def test_what_is_nobodys_of_ours_is_out_of_reach(partition: str) -> None:
    """The same actions, on things with other names, other paths and without our tag."""
    allowed = set()
    for stack in stacks(partition):
        for _, request in requests(stack):
            foreign = _foreign(request.resource)
            keys = request.context.get("keys", {})
            if role(partition).may(request.action, foreign, keys=keys):
                allowed.add(f"{request.action} on {foreign}")
    harmless = re.compile(
        r"\w+:(Describe|Get|List)\w*|ec2:Create\w+|sns:(SetSubscriptionAttributes|Unsubscribe)|backup-storage:MountCapsule|"
        r"elasticfilesystem:CreateFileSystem|secretsmanager:GetRandomPassword|ec2:Authorize\w+"
    )
    assert {each for each in allowed if not harmless.match(each)} == set()


def _foreign(resource: str) -> str:
    """A thing of the same kind that is not ours."""
    for ours in ("clusterform", "pcluster-cfn", "ec2/keypair", "PCLayer"):
        resource = resource.replace(ours, "elsewhere")
    return re.sub(r"key-pair/.*", "key-pair/admins", resource)


@pytest.mark.parametrize("partition", PARTITIONS)
@pytest.mark.parametrize("action", ["iam:CreateRole", "iam:AttachRolePolicy", "iam:PutRolePermissionsBoundary"])
def test_a_role_is_under_the_accounts_ceiling_or_is_none(partition: str, action: str) -> None:
    ours = _arn(partition, "iam", "role/clusterform/demo/clusterform-pc-demo-LifecycleRole-1A2B")
    weaker = _arn(partition, "iam", "policy/clusterform/demo/clusterform-demo-ceiling")
    account = role(partition)
    assert account.may(action, ours, keys={"iam:PermissionsBoundary": ceiling(partition)})
    assert not account.may(action, ours, keys={"iam:PermissionsBoundary": weaker})
    assert not account.may(action, ours)
    elsewhere = _arn(partition, "iam", "role/Administrator")
    assert not account.may(action, elsewhere, keys={"iam:PermissionsBoundary": ceiling(partition)})


def test_an_organisations_boundary_has_to_be_listed() -> None:
    ours = _arn("aws", "iam", "role/clusterform/demo/clusterform-pc-demo-LifecycleRole-1A2B")
    boundary = _arn("aws", "iam", "policy/org/boundary")
    keys = {"iam:PermissionsBoundary": boundary}
    assert not role("aws").may("iam:CreateRole", ours, keys=keys)
    resolver = accounts.resolved("aws", execution={"boundaries": [boundary]})
    listed = Principal([resolver.document(each) for each in IDS], None, resolver.region)
    assert listed.may("iam:CreateRole", ours, keys=keys)


ESCALATIONS = (
    ("iam:CreatePolicyVersion", "iam", "policy/clusterform/account/clusterform-ceiling-REGION", {}),
    ("iam:DeletePolicy", "iam", "policy/clusterform/account/clusterform-execution-parts-REGION", {}),
    ("iam:CreatePolicy", "iam", "policy/clusterform/account/mine", {}),
    ("iam:CreatePolicy", "iam", "policy/mine", {}),
    ("iam:DeleteRolePermissionsBoundary", "iam", "role/clusterform/demo/any", {}),
    ("iam:PutRolePolicy", "iam", "role/clusterform/demo/any", {"iam:PermissionsBoundary": "CEILING"}),
    ("iam:UpdateAssumeRolePolicy", "iam", "role/cdk-clform-cfn-exec-role", {}),
    ("iam:CreateUser", "iam", "user/clusterform/me", {}),
    ("iam:CreateAccessKey", "iam", "user/admin", {}),
    ("iam:PassRole", "iam", "role/Administrator", {"iam:PassedToService": "lambda.amazonaws.com"}),
    ("iam:PassRole", "iam", "role/clusterform/demo/any", {"iam:PassedToService": "ec2.amazonaws.com"}),
    ("iam:PassRole", "iam", "role/clusterform/demo/any", {}),
    ("iam:CreateServiceLinkedRole", "iam", "role/aws-service-role/x", {"iam:AWSServiceName": "x.amazonaws.com"}),
    (
        "iam:AttachRolePolicy",
        "iam",
        f"role/{READER}",
        {"iam:PolicyARN": "arn:aws:iam::aws:policy/AdministratorAccess"},
    ),
    ("cloudformation:UpdateStack", "cloudformation", "stack/clusterform-account/0a1b", {}),
    ("cloudformation:DeleteStack", "cloudformation", "stack/clusterform-bootstrap/0a1b", {}),
    ("s3:GetObject", "s3", "clusterform-pc-demo-stagingbucket-0a1b/scripts/x", {}),
    ("s3:DeleteBucket", "s3", "clusterform-results-123456789012-us-east-1", {}),
    ("ssm:GetParameter", "ssm", "parameter/ec2/keypair/key-0a1b", {}),
    ("secretsmanager:GetSecretValue", "secretsmanager", "secret:payroll-AbCdEf", {}),
    ("lambda:InvokeFunction", "lambda", "function:payroll", {}),
    ("sts:AssumeRole", "iam", "role/Administrator", {}),
)


@pytest.mark.parametrize(("action", "service", "resource", "keys"), ESCALATIONS)
def test_there_is_no_way_up(action: str, service: str, resource: str, keys: dict[str, str]) -> None:
    given = {key: ceiling("aws") if value == "CEILING" else value for key, value in keys.items()}
    thing = _arn("aws", service, resource.replace("REGION", PARTITIONS["aws"]))
    assert not role("aws").may(action, thing, keys=given)


@pytest.mark.parametrize("partition", PARTITIONS)
@pytest.mark.parametrize(
    ("action", "resource", "keys"),
    [
        (
            "iam:CreateServiceLinkedRole",
            "iam role/aws-service-role/efs",
            {"iam:AWSServiceName": "elasticfilesystem.amazonaws.com"},
        ),
        ("s3:GetObject", "s3 cdk-clform-assets-123456789012-REGION/a.zip", {}),
        ("s3:GetObject", "s3 REGION-aws-parallelcluster/parallelcluster/3.16.1/layers/layer.zip", {}),
        ("ssm:GetParameters", "ssm parameter/cdk-bootstrap/clform/version", {}),
        ("lambda:PublishLayerVersion", "lambda layer:PCLayer-0a1b", {}),
        ("iam:AttachRolePolicy", f"iam role/{READER}", {"iam:PolicyARN": "READING"}),
    ],
)
def test_what_belongs_to_a_deployment_is_allowed(
    partition: str, action: str, resource: str, keys: dict[str, str]
) -> None:
    service, _, name = resource.replace("REGION", PARTITIONS[partition]).partition(" ")
    reading = _arn(
        partition, "iam", f"policy/clusterform/demo/clusterform-demo-key-reader-{PARTITIONS[partition]}"
    )
    given = {key: value.replace("READING", reading) for key, value in keys.items()}
    assert role(partition).may(action, _arn(partition, service, name), keys=given)


def test_the_transform_of_the_providers_template_is_allowed() -> None:
    region = PARTITIONS["aws"]
    transform = f"arn:aws:cloudformation:{region}:aws:transform/Serverless-2016-10-31"
    assert role("aws").may("cloudformation:CreateChangeSet", transform)
    assert not role("aws").may("cloudformation:CreateChangeSet", transform.replace("Serverless", "Include"))


def test_keys_of_filesystems_have_to_be_listed() -> None:
    key = f"arn:aws:kms:{PARTITIONS['aws']}:{ACCOUNT}:key/12345678-1234-1234-1234-123456789012"
    assert not role("aws").may("kms:CreateGrant", key)
    resolver = accounts.resolved("aws", ceiling={"kms_keys": [key]})
    listed = Principal([resolver.document(each) for each in IDS], None, resolver.region)
    assert listed.may("kms:CreateGrant", key)
    assert not listed.may("kms:CreateGrant", key.replace("12345678", "87654321"))


@pytest.mark.parametrize("partition", PARTITIONS)
def test_our_tag_is_on_everything_that_goes_by_it(partition: str) -> None:
    for stack in stacks(partition):
        for logical_id, resource in stack.resources.items():
            properties = resource.get("Properties", {})
            listed = properties.get("Tags") or properties.get("FileSystemTags")
            by_name = properties.get("BackupPlanTags") or properties.get("BackupVaultTags") or {}
            kinds = ("AWS::EC2::SecurityGroup", "AWS::EC2::Volume", "AWS::EC2::PrefixList", "AWS::EFS::FileSystem")
            if resource["Type"] in (*kinds, "AWS::FSx::FileSystem"):
                assert OUR_TAG in {tag["Key"] for tag in listed}, logical_id
            if resource["Type"] == "AWS::Backup::BackupPlan":
                assert OUR_TAG in by_name, logical_id


def test_an_action_without_a_place_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    more = {"AWS::New::Thing": {"limited": ["new:CreateThing"], "unlimited": []}}
    data = json.loads(execution_actions.DATA.read_text(encoding="utf-8"))
    monkeypatch.setattr(execution, "_data", lambda: {"types": data["types"] | more})
    with pytest.raises(ValueError, match="no place for new:CreateThing"):
        execution.execution_statements(accounts.account())


def test_the_command_names_every_policy() -> None:
    command = accounts.resolved("aws-cn").value(
        accounts.template(accounts.account(region=PARTITIONS["aws-cn"]))["Outputs"]["BootstrapCommand"]["Value"]
    )
    words = command.split()
    assert words[:3] == ["cdk", "bootstrap", f"aws://{ACCOUNT}/{PARTITIONS['aws-cn']}"]
    assert words[3:7] == ["--qualifier", "clform", "--toolkit-stack-name", "clusterform-bootstrap"]
    resolver = accounts.resolved("aws-cn")
    assert words[7:] == ["--cloudformation-execution-policies", ",".join(resolver.arn(each) for each in IDS)]


def test_what_is_never_allowed_is_something_that_handlers_ask_for() -> None:
    asked = {action for actions in execution.actions_by_type().values() for action in actions}
    assert NEVER.keys() <= asked


def test_custom_resources_call_functions_alone() -> None:
    assert execution.actions_by_type()[CUSTOM] == ["lambda:InvokeFunction"]
