"""The cluster's own stack: the part of ParallelCluster's template whose existence others notice.

Roles under the boundary with the additional policies attached, their instance profiles, two security groups, the
log groups that outlive the cluster, and the wait for the head node. No machine, network, filesystem or database.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

LOG_DAYS = 180
"""ParallelCluster's default retention of its log group."""


def inner_template(
    name: str, configuration: dict[str, Any], *, region: str, remembered: dict[str, str], bootstrap_seconds: int
) -> dict[str, Any]:
    """The template for one configuration; ``remembered`` is what later calls read back from the stack."""
    resources: dict[str, Any] = {}
    for node, suffix in _nodes(configuration):
        role, policies = f"Role{suffix}", (node.get("Iam") or {}).get("AdditionalIamPolicies") or []
        resources[role] = _role(name, role, configuration, region, [policy["Policy"] for policy in policies])
        resources[f"InstanceProfile{suffix}"] = {
            "Type": "AWS::IAM::InstanceProfile",
            "Properties": {"Path": _path(name, configuration), "Roles": [{"Ref": role}]},
        }
    resources |= _security_groups()
    resources |= _log_groups(configuration, remembered["LogGroup"])
    resources |= {
        "HeadNodeWaitConditionHandle": {"Type": "AWS::CloudFormation::WaitConditionHandle"},
        "HeadNodeWaitCondition": {
            "Type": "AWS::CloudFormation::WaitCondition",
            "DependsOn": sorted(resources),
            "Properties": {
                "Count": 1,
                "Handle": {"Ref": "HeadNodeWaitConditionHandle"},
                "Timeout": str(bootstrap_seconds),
            },
        },
    }
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Parameters": {key: {"Type": "String", "Default": value} for key, value in remembered.items()},
        "Resources": resources,
    }


def _nodes(configuration: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Each section that gets a role, with the suffix of its logical ids: ParallelCluster's hash of the name."""
    yield configuration["HeadNode"], "HeadNode"
    pools = (configuration.get("LoginNodes") or {}).get("Pools") or []
    for section in [*pools, *configuration["Scheduling"]["SlurmQueues"]]:
        yield section, hashlib.sha1(section["Name"].encode(), usedforsecurity=False).hexdigest()[:16]


def _prefix(configuration: dict[str, Any]) -> tuple[str, str]:
    """``Iam.ResourcePrefix`` as path and name part."""
    prefix = (configuration.get("Iam") or {}).get("ResourcePrefix") or ""
    path, _, name = prefix.rpartition("/")
    return (path + "/" if path else ""), name


def _path(name: str, configuration: dict[str, Any]) -> str:
    return _prefix(configuration)[0] or f"/parallelcluster/{name}/"


def _role(name: str, role: str, configuration: dict[str, Any], region: str, policies: list[str]) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "Path": _path(name, configuration),
        "ManagedPolicyArns": policies,
        "AssumeRolePolicyDocument": {
            "Version": "2012-10-17",
            "Statement": [
                {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "ec2.amazonaws.com"}}
            ],
        },
    }
    if boundary := (configuration.get("Iam") or {}).get("PermissionsBoundary"):
        properties["PermissionsBoundary"] = boundary
    if prefix := _prefix(configuration)[1]:
        digest = hashlib.sha256(f"{role}{name}AWS::IAM::Role{region}".encode()).hexdigest()[:12].upper()
        properties["RoleName"] = f"{prefix}{role}-{digest}"
    return {"Type": "AWS::IAM::Role", "Properties": properties}


def _security_groups() -> dict[str, Any]:
    """Head and compute groups that reach each other."""
    return {
        "HeadNodeSecurityGroup": {
            "Type": "AWS::EC2::SecurityGroup",
            "Properties": {"GroupDescription": "Enable access to the head node"},
        },
        "ComputeSecurityGroup": {
            "Type": "AWS::EC2::SecurityGroup",
            "Properties": {"GroupDescription": "Allow access to compute nodes"},
        },
        "HeadNodeSecurityGroupComputeIngress": {
            "Type": "AWS::EC2::SecurityGroupIngress",
            "Properties": {
                "GroupId": {"Ref": "HeadNodeSecurityGroup"},
                "SourceSecurityGroupId": {"Ref": "ComputeSecurityGroup"},
                "IpProtocol": "-1",
                "FromPort": 0,
                "ToPort": 65535,
            },
        },
    }


def _log_groups(configuration: dict[str, Any], nodes: str) -> dict[str, Any]:
    """The nodes' group, and those of the cluster's own functions, which do not depend on logs being on."""
    logs = ((configuration.get("Monitoring") or {}).get("Logs") or {}).get("CloudWatch") or {}
    serial = {"Fn::Select": [2, {"Fn::Split": ["/", {"Ref": "AWS::StackId"}]}]}
    names: dict[str, Any] = {
        f"{function}FunctionLogGroup": {"Fn::Join": ["-", [f"/aws/lambda/pcluster-{function}", serial]]}
        for function in ("CleanupResources", "CleanupRoute53")
    }
    if str(logs.get("Enabled", "true")).lower() != "false":
        names["CloudWatchLogGroup"] = nodes
    return {
        logical_id: {
            "Type": "AWS::Logs::LogGroup",
            "DeletionPolicy": logs.get("DeletionPolicy", "Retain"),
            "Properties": {"LogGroupName": name, "RetentionInDays": int(logs.get("RetentionInDays", LOG_DAYS))},
        }
        for logical_id, name in names.items()
    }
