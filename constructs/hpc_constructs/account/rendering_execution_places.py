"""On what CloudFormation's execution role may do which actions: names, paths and tags of ours. Plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from config.models.account import Account
from hpc_constructs.identity.rendering_documents import ACCOUNT_CEILING
from hpc_constructs.identity.rendering_grants import key_arn
from hpc_constructs.identity.rendering_scope import bucket_arn
from hpc_constructs.intrinsics import Value, arn, sub
from hpc_constructs.rendering_accepted import Accepted
from hpc_constructs.rendering_bootstrap import ASSETS_BUCKET, QUALIFIER

IDENTITY, PARTS, STORAGE = "execution-identity", "execution-parts", "execution-storage"
"""The policies, by the purposes in their names."""

OUR_TAG = "ClusterOwner"
"""A tag that is on everything of a cluster's or a storage's stack, the key pair excepted."""
_OURS = {"Null": {f"aws:ResourceTag/{OUR_TAG}": "false"}}

PASSED_TO = ("backup.amazonaws.com", "lambda.amazonaws.com")
"""The services that take roles of our stacks."""
SERVICE_LINKED = ("backup.amazonaws.com", "elasticfilesystem.amazonaws.com", "fsx.amazonaws.com")
"""Whose own roles the first backup and the first filesystem of an account bring about."""

NEVER: Mapping[str, str] = {
    "iam:DeleteRolePermissionsBoundary": "without its boundary a role is under no ceiling",
}
"""Actions of CloudFormation's handlers that it does not get, and why."""

ON_EVERYTHING: Mapping[str, str] = {
    "sns:GetSubscriptionAttributes": "a subscription that nobody has confirmed has no ARN",
    "sns:SetSubscriptionAttributes": "the same",
    "sns:Unsubscribe": "the same",
}
"""Actions that AWS could limit, and we do not. Beside them are those of which AWS knows no limit."""

_RULE = "AwsSolutions-IAM5"
ACCEPTED = (
    Accepted(
        _RULE,
        ("ExecutionIdentity",),
        "clusters come and go: their roles and policies are known by their path, new roles are capped",
        ("iam policy/clusterform/", "iam role/clusterform/"),
    ),
    Accepted(
        _RULE,
        ("ExecutionIdentity",),
        "only for the services that a condition names",
        ("iam role/aws-service-role/",),
    ),
    Accepted(
        _RULE,
        ("ExecutionParts",),
        "every cluster's: things are called after their stacks, or bear a name of ours",
        (
            "cloudformation stack/clusterform-",
            "ec2 key-pair/",
            "events rule/clusterform-pc-",
            "lambda function:clusterform-pc-",
            "logs log-group:/clusterform/",
            "s3 clusterform-pc-",
            "secretsmanager secret:/clusterform/",
            "sns clusterform-pc-",
        ),
    ),
    Accepted(
        _RULE,
        ("ExecutionParts",),
        "what ParallelCluster's provider consists of, by the names in its template",
        ("lambda function:pcluster-cfn-", "lambda layer:PCLayer-", "logs log-group:/aws/lambda/pcluster-cfn-"),
    ),
    Accepted(
        _RULE,
        ("ExecutionParts",),
        "files that are published under their versions or the SHA-256 of their content",
        ("s3 Region-aws-parallelcluster/", "s3 cdk-clform-assets-"),
    ),
    Accepted(
        _RULE,
        ("ExecutionParts",),
        "EC2 keeps a private key under the key pair's id; the bootstrap has one parameter, by the qualifier",
        ("ssm parameter/cdk-bootstrap/", "ssm parameter/ec2/keypair/"),
    ),
    Accepted(
        _RULE,
        ("ExecutionStorage",),
        "ids are not known before: creating is free, changing and deleting takes a tag of ours",
        (
            "backup backup-plan:",
            "ec2 prefix-list/",
            "ec2 security-group",
            "ec2 snapshot/",
            "ec2 volume/",
            "ec2 vpc/",
            "elasticfilesystem file-system/",
            "fsx file-system/",
        ),
    ),
    Accepted(_RULE, ("ExecutionStorage",), "vaults are called after their stacks", ("backup backup-vault:",)),
)


@dataclass(frozen=True)
class Place:
    """Where the actions that a regular expression names are allowed; an action may have several places."""

    document: str
    sid: str
    actions: str
    resources: list[Value]
    condition: Mapping[str, Value] | None = None


def managing_boundaries(spec: Account) -> list[Value]:
    """The boundaries of which every role that manages clusters has one."""
    return [ACCOUNT_CEILING, *spec.execution.boundaries]


def places(spec: Account) -> list[Place]:
    """All places but that of everything."""
    return [*_identity(spec), *_parts(), *_network(), *_filesystems(), *_keys(spec)]


def _identity(spec: Account) -> list[Place]:
    roles = [arn("iam", "role/clusterform/*", region=False)]
    bounded = {"ArnEquals": {"iam:PermissionsBoundary": managing_boundaries(spec)}}
    found = [
        Place(
            IDENTITY, "Roles", "iam:(DeleteRole|(Get|List|Tag|Untag)Role|GetRolePolicy|List.*RolePolicies)", roles
        ),
        Place(IDENTITY, "Trust", "iam:UpdateAssumeRolePolicy", roles),
        Place(IDENTITY, "Bounded", "iam:(CreateRole|PutRolePermissionsBoundary|.*tachRolePolicy)", roles, bounded),
        Place(
            IDENTITY,
            "Policies",
            "iam:((Create|Delete|Get)Policy|.*PolicyVersions?|ListEntitiesForPolicy)",
            [arn("iam", "policy/clusterform/*", region=False)],
        ),
        Place(IDENTITY, "Pass", "iam:PassRole", roles, {"StringEquals": {"iam:PassedToService": list(PASSED_TO)}}),
        Place(
            IDENTITY,
            "ServiceLinked",
            "iam:CreateServiceLinkedRole",
            [arn("iam", "role/aws-service-role/*", region=False)],
            {"StringEquals": {"iam:AWSServiceName": list(SERVICE_LINKED)}},
        ),
    ]
    if spec.execution.key_readers:
        readers = [arn("iam", f"role/{name}", region=False) for name in spec.execution.key_readers]
        reading = arn("iam", "policy/clusterform/*/clusterform-*-key-reader-${AWS::Region}", region=False)
        condition = {"ArnLike": {"iam:PolicyARN": reading}}
        found.append(Place(IDENTITY, "KeyReaders", "iam:.*tachRolePolicy", readers, condition))
    return found


def _parts() -> list[Place]:
    layers = [arn("lambda", f"layer:PCLayer-*{rest}") for rest in ("", ":*")]
    functions = [arn("lambda", f"function:{name}") for name in ("clusterform-pc-*", "pcluster-cfn-*")]
    logs = [arn("logs", f"log-group:{name}") for name in ("/clusterform/*", "/aws/lambda/pcluster-cfn-*")]
    stacks = arn("cloudformation", "stack/clusterform-*")
    sam = sub("arn:${AWS::Partition}:cloudformation:${AWS::Region}:aws:transform/Serverless-2016-10-31")
    sources = [bucket_arn(f"{ASSETS_BUCKET}/*"), bucket_arn("${AWS::Region}-aws-parallelcluster/*")]
    return [
        Place(PARTS, "Stacks", "cloudformation:.*", [stacks]),
        # The provider's template is one of the Serverless Application Model.
        Place(PARTS, "Transform", "cloudformation:CreateChangeSet", [sam]),
        Place(PARTS, "Sources", "s3:GetObject(Version)?", sources),
        Place(PARTS, "Buckets", "s3:(?!GetObject).*", [bucket_arn("clusterform-pc-*")]),
        Place(PARTS, "Functions", "lambda:(?!.*Layer).*", functions),
        Place(PARTS, "Layers", "lambda:.*Layer.*", layers),
        Place(PARTS, "Logs", "logs:(?!Describe).*", logs),
        Place(PARTS, "Rules", "events:.*", [arn("events", "rule/clusterform-pc-*")]),
        Place(
            PARTS, "Secrets", "secretsmanager:(?!GetRandom).*", [arn("secretsmanager", "secret:/clusterform/*")]
        ),
        Place(PARTS, "Topics", "sns:(?!.*SubscriptionAttributes|Unsubscribe).*", [arn("sns", "clusterform-pc-*")]),
        Place(PARTS, "Bootstrap", "ssm:GetParameters", [arn("ssm", f"parameter/cdk-bootstrap/{QUALIFIER}/*")]),
        # EC2 keeps a new private key there, in the name of whoever asks for the key pair.
        Place(PARTS, "PrivateKeys", "ssm:(?!Get).*", [arn("ssm", "parameter/ec2/keypair/*")]),
        Place(PARTS, "KeyPairs", "ec2:(?!Describe).*KeyPair", [arn("ec2", "key-pair/*-key")]),
    ]


def _network() -> list[Place]:
    kinds = ("prefix-list", "security-group", "volume")
    things = [arn("ec2", f"{kind}/*") for kind in kinds]
    volumes = arn("ec2", "volume/*")
    snapshots = arn("ec2", "snapshot/*", account=False)
    created = ["CreateManagedPrefixList", "CreateSecurityGroup", "CreateVolume"]
    about_rules = "ec2:(Authorize|Revoke|Update)SecurityGroup.*"
    return [
        Place(STORAGE, "Create", f"ec2:({'|'.join(created)})", [*things, arn("ec2", "vpc/*")]),
        Place(STORAGE, "TagNew", "ec2:CreateTags", things, {"StringEquals": {"ec2:CreateAction": created}}),
        Place(STORAGE, "Own", f"{about_rules}|ec2:(Delete(?!KeyPair)|Modify).*|ec2:CreateTags", things, _OURS),
        Place(STORAGE, "NewRules", "ec2:AuthorizeSecurityGroup.*", [arn("ec2", "security-group-rule/*")]),
        Place(STORAGE, "ReadVolumes", "ec2:DescribeVolumeAttribute", [volumes]),
        Place(STORAGE, "ReadLists", "ec2:GetManagedPrefixListEntries", [arn("ec2", "prefix-list/*")]),
        Place(STORAGE, "Snapshots", "ec2:CreateSnapshot", [snapshots]),
        Place(STORAGE, "SnapshotsOf", "ec2:CreateSnapshot", [volumes], _OURS),
    ]


def _filesystems() -> list[Place]:
    efs, fsx = [arn("elasticfilesystem", "file-system/*")], [arn("fsx", "file-system/*")]
    vaults, plans = [arn("backup", "backup-vault:clusterform-*")], [arn("backup", "backup-plan:*")]
    created = {"StringEquals": {"elasticfilesystem:CreateAction": "CreateFileSystem"}}
    requested = {"Null": {f"aws:RequestTag/{OUR_TAG}": "false"}}
    return [
        Place(STORAGE, "ReadEfs", "elasticfilesystem:(Describe|List).*", efs),
        Place(STORAGE, "TagNewEfs", "elasticfilesystem:TagResource", efs, created),
        Place(STORAGE, "OwnEfs", "elasticfilesystem:(?!CreateFileSystem|Describe|List).*", efs, _OURS),
        Place(STORAGE, "CreateFsx", "fsx:(CreateFileSystem|TagResource)", fsx, requested),
        Place(STORAGE, "ReadFsx", "fsx:List.*", fsx),
        Place(STORAGE, "OwnFsx", "fsx:(Delete|Tag|Untag|Update).*", fsx, _OURS),
        Place(STORAGE, "Vaults", "backup:(.*Vault.*|ListTags|.*agResource)", vaults),
        Place(STORAGE, "CreatePlans", "backup:(CreateBackupPlan|TagResource)", plans, requested),
        Place(STORAGE, "ReadPlans", "backup:(Get(?!BackupVault).*|ListTags)", plans),
        Place(
            STORAGE,
            "OwnPlans",
            "backup:((Delete|Update)BackupPlan|.*eteBackupSelection|.*ateBackupSelection|.*agResource)",
            plans,
            _OURS,
        ),
    ]


def _keys(spec: Account) -> list[Place]:
    """Keys of filesystems; AWS's own keys take no permission."""
    keys = [key_arn(key) for key in spec.ceiling.kms_keys]
    return [Place(STORAGE, "Keys", "kms:.*", keys)] if keys else []
