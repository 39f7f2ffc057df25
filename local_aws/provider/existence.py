"""Checks of ParallelCluster's validators that ask AWS, here asked of the local AWS.

Subnets, images and quotas are not among them: the local AWS has none of the user's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from botocore.exceptions import ClientError

from local_aws.provider.answers import Finding
from local_aws.provider.clients import Clients

HEAD_STAGES = ("OnNodeStart", "OnNodeConfigured")


def check(configuration: dict[str, Any], aws: Clients) -> list[Finding]:
    """Key pair, managed policies, boundary, bucket and script addresses."""
    return [
        *_key_pair(configuration, aws),
        *_policies(configuration, aws),
        *_bucket(configuration, aws),
        *_scripts(configuration, aws),
    ]


def missing_head_script(configuration: dict[str, Any], aws: Clients) -> str | None:
    """The stage whose script the head node could not download at boot, or None.

    ParallelCluster only warns of it before; the head node then fails and with it the cluster.
    """
    actions = configuration["HeadNode"].get("CustomActions") or {}
    for stage in HEAD_STAGES:
        if any(_missing(script, aws) for script in scripts_of({stage: actions.get(stage)})):
            return stage
    return None


def instance_types(configuration: dict[str, Any], aws: Clients) -> dict[str, Any]:
    """EC2's facts of the types that a configuration names, by name; unknown ones are missing."""
    names = set()
    for node in nodes(configuration):
        for part in [node, *node.get("ComputeResources", [])]:
            names |= {part.get("InstanceType"), *(each["InstanceType"] for each in part.get("Instances", []))}
    wanted = sorted(filter(None, names))
    answer = aws.ec2.describe_instance_types(Filters=[{"Name": "instance-type", "Values": wanted}])
    return {each["InstanceType"]: each for each in answer["InstanceTypes"]}


def nodes(configuration: dict[str, Any]) -> list[dict[str, Any]]:
    """The sections that describe machines: head node, login pools, queues."""
    login = (configuration.get("LoginNodes") or {}).get("Pools") or []
    return [configuration["HeadNode"], *login, *configuration["Scheduling"]["SlurmQueues"]]


def scripts_of(actions: dict[str, Any]) -> list[str]:
    """The script addresses of a CustomActions section, sequences included."""
    found = []
    for action in filter(None, actions.values()):
        steps = action if isinstance(action, list) else action.get("Sequence") or [action]
        found += [step["Script"] for step in steps]
    return found


def _key_pair(configuration: dict[str, Any], aws: Clients) -> Iterator[Finding]:
    name = (configuration["HeadNode"].get("Ssh") or {}).get("KeyName")
    if not name:
        return
    try:
        aws.ec2.describe_key_pairs(KeyNames=[name])
    except ClientError as error:
        yield Finding("ERROR", "KeyPairValidator", error.response["Error"]["Message"])


def _policies(configuration: dict[str, Any], aws: Clients) -> Iterator[Finding]:
    arns = {policy["Policy"] for node in nodes(configuration) for policy in _additional_policies(node)}
    if boundary := (configuration.get("Iam") or {}).get("PermissionsBoundary"):
        arns.add(boundary)
    for arn in sorted(arns):
        try:
            aws.iam.get_policy(PolicyArn=arn)
        except ClientError as error:
            yield Finding("ERROR", "IamPolicyValidator", error.response["Error"]["Message"])


def _additional_policies(node: dict[str, Any]) -> list[dict[str, str]]:
    return (node.get("Iam") or {}).get("AdditionalIamPolicies") or []


def _bucket(configuration: dict[str, Any], aws: Clients) -> Iterator[Finding]:
    name = configuration.get("CustomS3Bucket")
    if not name:
        return
    try:
        status = aws.s3.get_bucket_versioning(Bucket=name).get("Status")
    except ClientError as error:
        yield Finding("ERROR", "S3BucketValidator", error.response["Error"]["Message"])
        return
    if status != "Enabled":
        yield Finding(
            "ERROR",
            "S3BucketValidator",
            f"The S3 bucket {name} specified cannot be used by cluster because versioning setting is: {status}, "
            "not 'Enabled'. Please enable bucket versioning.",
        )


def _scripts(configuration: dict[str, Any], aws: Clients) -> Iterator[Finding]:
    for node in nodes(configuration):
        for script in scripts_of(node.get("CustomActions") or {}):
            if problem := _missing(script, aws):
                yield Finding("WARNING", "UrlValidator", problem)


def _missing(script: str, aws: Clients) -> str | None:
    """Why an S3 address cannot be read; other addresses are outside the local AWS and pass."""
    if not (address := re.fullmatch(r"s3://([^/]+)/(.+)", script)):
        return None
    try:
        aws.s3.head_object(Bucket=address[1], Key=address[2])
    except ClientError as error:
        return f"{script}: {error}"
    return None
