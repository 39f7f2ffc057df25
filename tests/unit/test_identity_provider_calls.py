"""What the provider's function asks of AWS, read from the very versions that it runs: its role has to allow it.

A call that is denied fails the cluster: ParallelCluster 3.16 looks login pools up by tag after each creation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from hpc_constructs.identity.rendering_check import all_statements, cluster_scope
from pcluster_rules.install import ensure, versions
from tests.iam import examples

SERVICES = {
    "cfn": "cloudformation",
    "dynamo": "dynamodb",
    "efs": "elasticfilesystem",
    "elb": "elasticloadbalancing",
    "resource_groups": "resource-groups",
    "resource_groups_tagging_api": "tag",
    "s3_resource": "s3",
}
"""Modules of ``pcluster.aws`` whose name is not that of the service in IAM."""
OTHERWISE = {
    "s3:DownloadFile": "s3:GetObject",
    "s3:HeadBucket": "s3:ListBucket",
    "s3:HeadObject": "s3:GetObject",
    "s3:UploadFile": "s3:PutObject",
    "s3:UploadFileobj": "s3:PutObject",
}
NO_CALLS = {"generate_presigned_url", "get_paginator", "meta"}
NOT_OF_OUR_CLUSTERS = {
    "batch:*": "the scheduler is Slurm",
    "ec2:DeleteSnapshot": "images",
    "ec2:DeregisterImage": "images",
    "imagebuilder:*": "images",
    "logs:CreateExportTask": "commands that fetch logs",
    "logs:DescribeExportTasks": "commands that fetch logs",
    "logs:DescribeLogStreams": "commands that fetch logs",
    "logs:FilterLogEvents": "commands that fetch logs",
    "logs:GetLogEvents": "commands that fetch logs",
    "s3:CreateBucket": "the bucket that it makes itself",
    "s3:PutBucketEncryption": "the bucket that it makes itself",
    "s3:PutBucketPolicy": "the bucket that it makes itself",
    "s3:PutBucketVersioning": "the bucket that it makes itself",
    "secretsmanager:GetSecretValue": "Munge's key, allowed where a fragment names one",
    "ssm:GetParameter": "a directory's password, allowed where a fragment names one",
    "sts:GetCallerIdentity": "needs no permission",
}


def calls(folder: Path) -> Iterator[str]:
    """IAM's actions for each call of a boto3 client in ``pcluster.aws``."""
    for module in sorted((folder / "pcluster/aws").glob("*.py")):
        text = module.read_text(encoding="utf-8")
        names = {*re.findall(r"self\._client\.(\w+)", text), *re.findall(r'get_paginator\("(\w+)"\)', text)}
        for name in sorted(names - NO_CALLS):
            action = "".join(word.title() for word in name.split("_"))
            action = f"{SERVICES.get(module.stem, module.stem)}:{action}"
            yield OTHERWISE.get(action, action)


def matches(action: str, patterns: set[str]) -> bool:
    return any(fnmatchcase(action.lower(), pattern.lower()) for pattern in patterns)


@pytest.mark.parametrize("version", versions())
def test_the_provider_may_make_every_call_of_its_version(version: str) -> None:
    spec = examples.much("aws")
    statements = all_statements(spec, cluster_scope("demo", spec))
    asked = set(calls(ensure(version)))
    assert len(asked) > 50, "the calls were not found"
    for policies in ([name for name in statements if name.startswith("Provider")], ["Ceiling"]):
        allowed = {
            action
            for name in policies
            for statement in statements[name]
            if statement["Effect"] == "Allow"
            for action in statement["Action"]
        }
        refused = {action for action in asked if not matches(action, allowed | set(NOT_OF_OUR_CLUSTERS))}
        assert refused == set(), policies
