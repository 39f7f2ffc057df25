"""The same for what a raw ParallelCluster fragment asks for."""

from __future__ import annotations

from tests.iam.access_cases import (
    BASE,
    EC2_SERVICE,
    KEY,
    OTHER_KEY,
    OTHER_SECRET,
    READ_SECRET,
    SECRET,
    Case,
    raw,
    s3,
)

QUEUE = {"Name": "cpu"}

RAW = [
    Case(
        "a raw directory's secret",
        raw({"DirectoryService": {"PasswordSecretArn": SECRET}}),
        READ_SECRET,
        SECRET,
        [(READ_SECRET, OTHER_SECRET)],
    ),
    Case(
        "a raw directory's parameter",
        raw({"DirectoryService": {"PasswordSecretArn": BASE.format("ssm", "parameter/ldap")}}),
        "ssm:GetParameter",
        BASE.format("ssm", "parameter/ldap"),
        [("ssm:GetParameter", BASE.format("ssm", "parameter/ldap2"))],
    ),
    Case(
        "a raw database's secret",
        raw({"Scheduling": {"SlurmSettings": {"Database": {"PasswordSecretArn": SECRET}}}}),
        READ_SECRET,
        SECRET,
        [(READ_SECRET, OTHER_SECRET)],
    ),
    Case(
        "a raw Munge key",
        raw({"Scheduling": {"SlurmSettings": {"MungeKeySecretArn": SECRET}}}),
        READ_SECRET,
        SECRET,
        [(READ_SECRET, OTHER_SECRET)],
    ),
    Case(
        "a raw remote desktop",
        raw({"HeadNode": {"Dcv": {"Enabled": True}}}),
        "s3:GetObject",
        s3("dcv-license.us-east-1/x"),
        [("s3:GetObject", s3("dcv-license.eu-west-1/x"))],
    ),
    Case(
        "a login pool's raw remote desktop",
        raw({"LoginNodes": {"Pools": [{"Name": "login", "Dcv": {"Enabled": True}}]}}),
        "s3:GetObject",
        s3("dcv-license.us-east-1/x"),
        [],
        ("login",),
        engine=("s3:GetObject", s3("dcv-license.us-east-1/*")),
    ),
    Case(
        "a head node's script",
        raw({"HeadNode": {"CustomActions": {"OnNodeConfigured": {"Script": "s3://site/scripts/a.sh"}}}}),
        "s3:GetObject",
        s3("site/scripts/a.sh"),
        [("s3:GetObject", s3("site/scripts/b.sh"))],
    ),
    Case(
        "a queue's sequence of scripts",
        raw(
            {
                "Scheduling": {
                    "SlurmQueues": [
                        {
                            **QUEUE,
                            "CustomActions": {
                                "OnNodeConfigured": {
                                    "Sequence": [{"Script": "s3://site/a.sh"}, {"Script": "s3://site/b.sh"}]
                                }
                            },
                        }
                    ]
                }
            }
        ),
        "s3:GetObject",
        s3("site/b.sh"),
        [("s3:GetObject", s3("site/c.sh"))],
        ("compute",),
    ),
    Case(
        "S3Access to read",
        raw({"HeadNode": {"Iam": {"S3Access": [{"BucketName": "data"}]}}}),
        "s3:GetObject",
        s3("data/x"),
        [("s3:PutObject", s3("data/x")), ("s3:GetObject", s3("data-2/x"))],
        engine=("s3:*", "*"),
    ),
    Case(
        "S3Access to write below a key",
        raw(
            {
                "Scheduling": {
                    "SlurmQueues": [
                        {
                            **QUEUE,
                            "Iam": {
                                "S3Access": [{"BucketName": "data", "KeyName": "out/*", "EnableWriteAccess": True}]
                            },
                        }
                    ]
                }
            }
        ),
        "s3:PutObject",
        s3("data/out/x"),
        [("s3:PutObject", s3("data/in/x"))],
        ("compute",),
        engine=("s3:*", "*"),
    ),
    Case(
        "a raw volume's key",
        raw({"SharedStorage": [{"Name": "a", "StorageType": "Ebs", "EbsSettings": {"KmsKeyId": KEY}}]}),
        "kms:CreateGrant",
        KEY,
        [("kms:CreateGrant", OTHER_KEY)],
        context=EC2_SERVICE,
        neighbour_context=EC2_SERVICE,
    ),
    Case(
        "a raw volume's key by id",
        raw(
            {
                "SharedStorage": [
                    {"Name": "a", "StorageType": "Ebs", "EbsSettings": {"KmsKeyId": KEY.rpartition("/")[2]}}
                ]
            }
        ),
        "kms:Decrypt",
        KEY,
        [("kms:Decrypt", OTHER_KEY)],
    ),
    Case(
        "EFS with IAM authorization",
        raw({"SharedStorage": [{"Name": "e", "StorageType": "Efs", "EfsSettings": {"IamAuthorization": True}}]}),
        "elasticfilesystem:ClientMount",
        BASE.format("elasticfilesystem", "file-system/fs-0"),
        [("elasticfilesystem:DeleteFileSystem", BASE.format("elasticfilesystem", "file-system/fs-0"))],
        engine=("elasticfilesystem:*", "*"),
    ),
    Case(
        "cleanup functions in a VPC",
        raw({"DeploymentSettings": {"LambdaFunctionsVpcConfig": {"SubnetIds": ["subnet-0"]}}}),
        "ec2:CreateNetworkInterface",
        "*",
        [("ec2:AttachNetworkInterface", "*")],
        engine=("ec2:*", "*"),
    ),
    Case(
        "reserved capacity",
        raw(
            {
                "Scheduling": {
                    "SlurmQueues": [
                        {
                            **QUEUE,
                            "CapacityReservationTarget": {
                                "CapacityReservationResourceGroupArn": BASE.format("resource-groups", "group/a")
                            },
                        }
                    ]
                }
            }
        ),
        "resource-groups:ListGroupResources",
        BASE.format("resource-groups", "group/a"),
        [("resource-groups:ListGroupResources", BASE.format("resource-groups", "group/b"))],
        engine=("resource-groups:*", "*"),
    ),
]
