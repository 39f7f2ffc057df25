"""A complete ParallelCluster document for the tests of its rules, and a way to change it."""

from __future__ import annotations

import copy
from typing import Any

PUBLIC = "subnet-0aaaaaaaaaaaaaaaa"
PRIVATE = "subnet-0bbbbbbbbbbbbbbbb"
OTHER_ZONE = "subnet-0cccccccccccccccc"
POLICY = "arn:aws:iam::123456789012:policy/clusterform/demo/clusterform-demo-compute-us-east-1"
REMOVED = object()

DOCUMENT: dict[str, Any] = {
    "Image": {"Os": "ubuntu2404"},
    "HeadNode": {
        "InstanceType": "c8g.xlarge",
        "Networking": {"SubnetId": PUBLIC},
        "Ssh": {"KeyName": "demo-key", "AllowedIps": "10.0.0.0/16"},
        "LocalStorage": {"RootVolume": {"Size": 100, "VolumeType": "gp3"}},
        "CustomActions": {
            "OnNodeStart": {"Script": "s3://bucket/entry.sh", "Args": ["start"]},
            "OnNodeConfigured": {"Script": "s3://bucket/entry.sh", "Args": ["configured"]},
        },
        "Iam": {"AdditionalIamPolicies": [{"Policy": POLICY}]},
    },
    "LoginNodes": {
        "Pools": [
            {
                "Name": "login",
                "InstanceType": "c8g.large",
                "Count": 1,
                "Networking": {"SubnetIds": [PUBLIC]},
                "CustomActions": {"OnNodeStart": {"Script": "s3://bucket/entry.sh", "Args": ["start"]}},
            }
        ]
    },
    "Scheduling": {
        "Scheduler": "slurm",
        "SlurmQueues": [
            {
                "Name": name,
                "CapacityType": "SPOT",
                "Networking": {"SubnetIds": [PRIVATE]},
                "ComputeResources": [
                    {"Name": "vcpu8", "Instances": [{"InstanceType": "c8g.2xlarge"}], "MinCount": 0, "MaxCount": 8}
                ],
                "CustomActions": {"OnNodeConfigured": {"Script": "s3://bucket/entry.sh", "Args": [name]}},
                "ComputeSettings": {"LocalStorage": {"RootVolume": {"Size": 250, "VolumeType": "gp3"}}},
            }
            for name in ("cpu", "second")
        ],
    },
    "SharedStorage": [
        {"Name": "shared", "MountDir": "/shared", "StorageType": "Ebs", "EbsSettings": {"Size": 250}},
        {"Name": "efs", "MountDir": "/efs", "StorageType": "Efs"},
    ],
    "Monitoring": {"Logs": {"CloudWatch": {"Enabled": True, "RetentionInDays": 30}}},
    "Iam": {"PermissionsBoundary": POLICY},
    "Tags": [{"Key": "ClusterOwner", "Value": "hpc"}],
}

LUSTRE = {
    "Name": "scratch",
    "MountDir": "/fsx",
    "StorageType": "FsxLustre",
    "FsxLustreSettings": {"StorageCapacity": 1200, "DeploymentType": "SCRATCH_2"},
}


def changed(document: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A copy with values replaced, e.g. ``Scheduling__SlurmQueues__0__Name="x"``.

    REMOVED takes a value out; an index one past the end appends.
    """
    copied = copy.deepcopy(document)
    for path, value in changes.items():
        keys: list[Any] = [int(part) if part.isdigit() else part for part in path.split("__")]
        *parents, last = keys
        node: Any = copied
        for part in parents:
            node = node.setdefault(part, {}) if isinstance(node, dict) else node[part]
        if value is REMOVED:
            del node[last]
        elif isinstance(node, list) and last == len(node):
            node.append(value)
        else:
            node[last] = value
    return copied


def strings(value: Any) -> Any:
    """As CloudFormation hands a custom resource its properties: every scalar a string."""
    if isinstance(value, dict):
        return {key: strings(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [strings(inner) for inner in value]
    return str(value).lower() if isinstance(value, bool) else str(value)
