"""The buckets of a cluster, and who may do what with them, as plain data."""

from __future__ import annotations

from collections.abc import Sequence

from hpc_constructs.identity.rendering_documents import Statement, allow, document
from hpc_constructs.intrinsics import Value, get_att, sub
from hpc_constructs.rendering_accepted import Accepted

WRITES = (
    "s3:AbortMultipartUpload DeleteObject DeleteObjectTagging DeleteObjectVersion DeleteObjectVersionTagging "
    "PutObject PutObjectAcl PutObjectTagging PutObjectVersionAcl PutObjectVersionTagging ReplicateDelete "
    "ReplicateObject RestoreObject"
)
"""Everything that changes an object or a version of one."""

ACCEPTED = (
    Accepted(
        "AwsSolutions-S1",
        ("StagingBucket", "EngineBucket"),
        "scripts and ParallelCluster's own files, which one role each writes; who wants a log of every access has "
        "CloudTrail's data events, for all buckets of the account at once",
    ),
    Accepted(
        "AwsSolutions-IAM5",
        ("StagingPolicy",),
        "this stack's own two buckets, which it fills and empties, and scripts among the CDK's assets",
        ("<EngineBucket.Arn>/", "<StagingBucket.Arn>/", '["arn:${AWS::Partition}:s3:::${Source}/*.sh"'),
    ),
)


def bucket(tags: Sequence[Value]) -> dict[str, Value]:
    """Properties of a versioned, encrypted bucket without public access and without ACLs."""
    return {
        "VersioningConfiguration": {"Status": "Enabled"},
        "BucketEncryption": {
            "ServerSideEncryptionConfiguration": [{"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}]
        },
        "PublicAccessBlockConfiguration": {
            "BlockPublicAcls": True,
            "BlockPublicPolicy": True,
            "IgnorePublicAcls": True,
            "RestrictPublicBuckets": True,
        },
        "OwnershipControls": {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]},
        "Tags": tags,
    }


def tls_only(bucket_id: str) -> Statement:
    """A bucket policy's statement: nobody comes in without encryption on the way."""
    arn = get_att(bucket_id, "Arn")
    return _deny_all("TlsOnly", ["s3:*"], [arn, _objects(bucket_id)], {"Bool": {"aws:SecureTransport": "false"}})


def only_writer(bucket_id: str, role_arn: Value) -> Statement:
    """A bucket policy's statement: what nodes run is written by one role, and by nobody else."""
    condition = {"ArnNotEquals": {"aws:PrincipalArn": role_arn}}
    return _deny_all("OnlyTheDeploymentWrites", _names(WRITES), [_objects(bucket_id)], condition)


def bucket_policy(bucket_id: str, statements: Sequence[Statement]) -> dict[str, Value]:
    """Properties of the bucket's policy."""
    return {"Bucket": {"Ref": bucket_id}, "PolicyDocument": document(statements)}


def staging_statements(staging: str, engine: str, source_bucket: Value) -> list[Statement]:
    """What the staging function needs: read scripts, write the staging bucket, empty both at the end.

    No script is named here, so that an edited script changes no policy.
    """
    buckets = [get_att(staging, "Arn"), get_att(engine, "Arn")]
    return [
        allow("Source", "s3:GetObject", sub("arn:${AWS::Partition}:s3:::${Source}/*.sh", Source=source_bucket)),
        allow("Stage", "s3:AbortMultipartUpload GetObject PutObject", _objects(staging)),
        allow("List", "s3:ListBucket ListBucketVersions", buckets),
        allow("Empty", "s3:DeleteObject DeleteObjectVersion", [_objects(staging), _objects(engine)]),
    ]


def _deny_all(sid: str, actions: list[str], resources: list[Value], condition: dict[str, Value]) -> Statement:
    return {
        "Sid": sid,
        "Effect": "Deny",
        "Principal": "*",
        "Action": actions,
        "Resource": resources,
        "Condition": condition,
    }


def _objects(bucket_id: str) -> Value:
    return sub(f"${{{bucket_id}.Arn}}/*")


def _names(actions: str) -> list[str]:
    service, _, names = actions.partition(":")
    return [f"{service}:{name}" for name in names.split()]
