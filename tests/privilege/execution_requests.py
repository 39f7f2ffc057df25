"""The requests that CloudFormation makes for the resources of a stack, as IAM would be asked for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hpc_constructs.account.rendering_execution import actions_by_type
from hpc_constructs.account.rendering_execution_places import NEVER
from tests.iam.resolver import ACCOUNT
from tests.privilege.world import Deployed

CUSTOM = "Custom::"
TAGGED = ("AWS::EC2", "AWS::EFS", "AWS::FSx", "AWS::Backup")
"""Services whose things have ids: their tags tell whose they are."""
ELSEWHERE = ("iam:CreateServiceLinkedRole", "iam:GetRole", "kms:", "s3:GetObject")
"""Actions of a type that are about something else than the resource; each has a test of its own."""


@dataclass(frozen=True)
class Request:
    """An action on a thing, with what IAM knows beside it."""

    action: str
    resource: str
    context: dict[str, Any] = field(default_factory=dict[str, Any])


def known_type(type_name: str) -> str:
    """The type under which the actions are listed."""
    return CUSTOM if type_name.startswith(CUSTOM) else type_name


def requests(stack: Deployed) -> Iterator[tuple[str, Request]]:
    """Every action of every resource, by logical id, on the thing itself."""
    for logical_id, resource in stack.resources.items():
        for action in actions_by_type()[known_type(resource["Type"])]:
            attaches_nothing = action.endswith("tachRolePolicy") and not _roles(resource)
            if action not in NEVER and not action.startswith(ELSEWHERE) and not attaches_nothing:
                yield logical_id, _request(stack, logical_id, action)


def _roles(resource: dict[str, Any]) -> list[str]:
    """Roles that get something attached: the role itself, or those that a policy names."""
    properties = resource["Properties"]
    return properties["ManagedPolicyArns"] if resource["Type"] == "AWS::IAM::Role" else properties.get("Roles", [])


def _request(stack: Deployed, logical_id: str, action: str) -> Request:
    resource = stack.resources[logical_id]
    properties = resource.get("Properties", {})
    context: dict[str, Any] = {"keys": {}}
    if resource["Type"].startswith(TAGGED):
        context["resource_tags"] = context["request_tags"] = {"ClusterOwner": "hpc"}
    if action == "iam:PassRole":
        role, service = _passed(stack, properties)
        return Request(action, role, {"keys": {"iam:PassedToService": service}})
    if resource["Type"] == "AWS::IAM::Role":
        context["keys"]["iam:PermissionsBoundary"] = stack.resolver.value(properties["PermissionsBoundary"])
    if action.endswith("tachRolePolicy") and resource["Type"] == "AWS::IAM::ManagedPolicy":
        context["keys"]["iam:PolicyARN"] = stack.resolver.arn(logical_id)
        return Request(action, f"arn:{stack.partition}:iam::{ACCOUNT}:role/{properties['Roles'][0]}", context)
    return Request(action, _thing(stack, logical_id, action), context)


def _passed(stack: Deployed, properties: dict[str, Any]) -> tuple[str, str]:
    """The role of a function or of a selection of backups. Plans ask for one, too, although they have none."""
    if "Role" in properties:
        return stack.resolver.value(properties["Role"]), "lambda.amazonaws.com"
    selection = properties.get("BackupSelection", {"IamRoleArn": {"Fn::GetAtt": ["BackupRole", "Arn"]}})
    return stack.resolver.value(selection["IamRoleArn"]), "backup.amazonaws.com"


def _thing(stack: Deployed, logical_id: str, action: str) -> str:
    resource = stack.resources[logical_id]
    properties, where = resource.get("Properties", {}), f"{stack.region}:{ACCOUNT}"
    named = {
        "AWS::Backup::BackupPlan": f"backup:{where}:backup-plan:0a1b",
        "AWS::Backup::BackupSelection": f"backup:{where}:backup-plan:0a1b",
        "AWS::CloudFormation::Stack": f"cloudformation:{where}:stack/{stack.name}-{logical_id}-1A2B/0a1b",
        "AWS::EC2::KeyPair": f"ec2:{where}:key-pair/{properties.get('KeyName')}",
        "AWS::EC2::PrefixList": f"ec2:{where}:prefix-list/pl-0a1b",
        "AWS::EC2::SecurityGroup": f"ec2:{where}:security-group/sg-0a1b",
        "AWS::EC2::SecurityGroupEgress": f"ec2:{where}:security-group/sg-0a1b",
        "AWS::EC2::SecurityGroupIngress": f"ec2:{where}:security-group/sg-0a1b",
        "AWS::EC2::Volume": f"ec2:{where}:volume/vol-0a1b",
        "AWS::EFS::MountTarget": f"elasticfilesystem:{where}:file-system/fs-0a1b",
        "AWS::FSx::FileSystem": f"fsx:{where}:file-system/fs-0a1b",
    }
    if action.startswith("ssm:"):
        return f"arn:{stack.partition}:ssm:{where}:parameter/ec2/keypair/key-0a1b"
    if action == "lambda:GetLayerVersion":
        return f"arn:{stack.partition}:lambda:{where}:layer:PCLayer-0a1b:1"
    for key, of in (("ServiceToken", CUSTOM), ("FunctionName", "AWS::Lambda::Permission")):
        if resource["Type"].startswith(of):
            return _function(stack, properties[key])
    if resource["Type"] in ("AWS::S3::BucketPolicy", "AWS::SNS::TopicPolicy", "AWS::SNS::Subscription"):
        owner = properties.get("Bucket") or properties.get("TopicArn") or properties["Topics"][0]
        return stack.resolver.arn(owner["Ref"])
    if resource["Type"] in named:
        return f"arn:{stack.partition}:{named[resource['Type']]}"
    return stack.resolver.arn(logical_id)


def _function(stack: Deployed, value: Any) -> str:
    """Our own function, or that of the provider, whose name its template begins with ``pcluster-cfn-``."""
    logical_id = value.get("Ref") or value["Fn::GetAtt"][0]
    if stack.resources[logical_id]["Type"] == "AWS::CloudFormation::Stack":
        return f"arn:{stack.partition}:lambda:{stack.region}:{ACCOUNT}:function:pcluster-cfn-0a1b"
    return stack.resolver.arn(logical_id)
