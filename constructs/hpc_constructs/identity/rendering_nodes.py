"""The managed policies of a cluster's nodes, beside those that ParallelCluster itself gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from config.models.cluster import Cluster
from hpc_constructs.identity.rendering_documents import Statement, allow, deny, deny_elsewhere
from hpc_constructs.identity.rendering_grants import Grant, grants
from hpc_constructs.identity.rendering_scope import (
    CLUSTER_TAG,
    Scope,
    ec2_arns,
    own_bucket,
    own_objects,
)
from hpc_constructs.intrinsics import Value, arn


@dataclass(frozen=True)
class NodePolicy:
    """A managed policy of nodes: its logical id, the part of its name, which nodes have it and what it is for."""

    logical_id: str
    purpose: str
    nodes: tuple[str, ...]
    what_for: str


IAM_VERBS = (
    *("Accept", "Add", "Associate", "Attach", "Change", "Create", "Deactivate", "Delete", "Detach", "Disable"),
    *("Enable", "Put", "Reject", "Remove", "Reset", "Resync", "Send", "Set", "Tag", "Untag", "Update", "Upload"),
)
"""How the names of all of IAM's actions begin that change something. PassRole has a statement of its own."""

EVERY_NODE = ("head", "login", "compute")

NODE_POLICIES = (
    NodePolicy(
        "HeadCompute",
        "head-compute",
        ("head",),
        "Launching nodes whose disks need one of `access.kms_keys`, and the remote desktop's licence. "
        "All else that launching takes is in ParallelCluster's own head node role.",
    ),
    NodePolicy(
        "HeadStorage",
        "head-storage",
        ("head",),
        "Attaching volumes that are encrypted with a key of yours, the buckets that FSx for Lustre loads from and "
        "saves to, and scripts that a raw fragment gives the head node.",
    ),
    NodePolicy(
        "HeadIdentity",
        "head-identity",
        ("head",),
        "Secrets of the head node alone: the accounting database's, the directory's, Munge's.",
    ),
    NodePolicy(
        "ComputeBase",
        "compute-base",
        EVERY_NODE,
        "Scripts and downloads from the staging bucket, Session Manager, everything under `access`, and scripts "
        "that a raw fragment gives queues or login pools.",
    ),
    NodePolicy(
        "NodeDeny",
        "node-deny",
        EVERY_NODE,
        "Denies only: changing IAM, taking another role, writing what nodes run, weakening instances, private SSH "
        "keys, commanding other nodes, other clusters' tables and stacks.",
    ),
)
"""In the order in which they are attached."""


def node_statements(spec: Cluster, scope: Scope) -> dict[str, list[Statement]]:
    """The statements of each node policy by logical id. A policy that would be empty is not among them."""
    asked = grants(spec, scope)
    documents = {
        policy.logical_id: grant_statements([grant for grant in asked if grant.policy == policy.logical_id])
        for policy in NODE_POLICIES
    }
    documents["NodeDeny"] = deny_statements(scope)
    return {logical_id: statements for logical_id, statements in documents.items() if statements}


def grant_statements(asked: Sequence[Grant]) -> list[Statement]:
    """One statement a grant; a name that occurs twice gets a number, since Sids are unique in a policy."""
    seen: dict[str, int] = {}
    statements = []
    for grant in asked:
        number = seen[grant.sid] = seen.get(grant.sid, 0) + 1
        sid = grant.sid if number == 1 else f"{grant.sid}{number}"
        statements.append(allow(sid, grant.actions, without_repetition(grant.resources), grant.condition))
    return statements


def without_repetition(resources: Sequence[Value]) -> list[Value]:
    """Resources without repetition, in order; intrinsic functions cannot be hashed."""
    kept: list[Value] = []
    for resource in resources:
        if resource not in kept:
            kept.append(resource)
    return kept


def deny_statements(scope: Scope) -> list[Statement]:
    """What no node may do, whatever else is attached to its role."""
    staging = [own_bucket(scope.staging_bucket), *own_objects(scope.staging_bucket)]
    return [
        deny(
            "NoIdentityChange",
            [
                *(f"iam:{verb}*" for verb in IAM_VERBS),
                "account:*",
                "organizations:*",
                "sts:AssumeRole",
                "sts:GetFederationToken",
            ],
            "*",
        ),
        deny(
            "NoOtherService",
            "iam:PassRole",
            "*",
            {"StringNotEquals": {"iam:PassedToService": scope.instance_service}},
        ),
        deny("NoStagingWrite", "s3:Delete* PutBucket* PutEncryption* PutLifecycle* PutObject*", staging),
        deny(
            "NoWeakerInstance",
            "ec2:AssociateIamInstanceProfile DisassociateIamInstanceProfile ModifyInstanceAttribute "
            "ModifyInstanceMetadataOptions ReplaceIamInstanceProfileAssociation",
            "*",
        ),
        deny(
            "NoForeignInstance",
            "ec2:TerminateInstances",
            ec2_arns("instance"),
            {"StringNotEquals": {f"aws:ResourceTag/{CLUSTER_TAG}": scope.name}},
        ),
        deny("NoPrivateKey", "ssm:GetParameter*", arn("ssm", "parameter/ec2/keypair/*")),
        deny("NoCommandToOthers", "ssm:SendCommand StartSession", "*"),
        deny("NoSecretChange", "secretsmanager:Delete* Put* Update*", "*"),
        deny_elsewhere(
            "OnlyOwnTablesAndStacks",
            ["cloudformation:*", "dynamodb:*"],
            [*scope.stacks, *scope.tables, arn("dynamodb", f"table/parallelcluster-slurm-{scope.name}/index/*")],
        ),
    ]


def key_reader_statements(names: Scope) -> list[Statement]:
    """Reading the private key, which EC2 keeps in one parameter.

    The parameter is encrypted with AWS's own key of Systems Manager, which everybody in the account may use
    through it: no permission on a key is needed.
    """
    parameter = arn("ssm", f"parameter/ec2/keypair/${{{names.key_pair}.KeyPairId}}")
    return [allow("PrivateKey", "ssm:GetParameter", parameter)]
