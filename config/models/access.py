"""Who and where: owner, network, entry, and what nodes may reach beyond the cluster."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from config.models.base import (
    BucketName,
    Email,
    KmsKeyArn,
    Model,
    Pattern,
    PolicyArn,
    SecretArn,
    SubnetId,
    VpcId,
    Zone,
)

OwnerName = Annotated[
    str,
    Pattern(
        r"(?!.*--)[a-z0-9][a-z0-9-]{0,62}(?<!-)",
        "must be 1-63 characters of a-z, 0-9 and single hyphens, starting and ending with a letter or digit",
    ),
]
SubnetKey = Annotated[str, Pattern(r"[a-z][a-z0-9-]{0,30}", "must be a short name of a-z, 0-9 and -")]
BucketPrefix = Annotated[
    str,
    Pattern(
        r"(?!/)[A-Za-z0-9!_.'()/-]*",
        "must be an object prefix: letters, digits and ! _ . ' ( ) / -, no leading slash, no wildcard",
    ),
]
DomainName = Annotated[
    str,
    Pattern(
        r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*|(?i:dc=[a-z0-9_-]+(,dc=[a-z0-9_-]+)*)",
        "must be a domain such as corp.example.org or dc=corp,dc=example,dc=org",
    ),
]
TopicArn = Annotated[
    str,
    Pattern(
        r"arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}",
        "must be a standard SNS topic's ARN, such as arn:aws:sns:us-east-1:123456789012:hpc, not of a .fifo topic",
    ),
]
Endpoint = Annotated[
    str,
    Pattern(
        r"[a-z][a-z0-9.-]*", "must be a service's name as its endpoint has it: logs of com.amazonaws.REGION.logs"
    ),
]
RoleName = Annotated[str, Pattern(r"[A-Za-z0-9+=,.@_-]{1,64}", "must be an IAM role's name, without path")]


class Owner(Model):
    """Who answers for the cluster; shown in tags and messages."""

    name: OwnerName = Field(description="A team or a person: 1-63 characters of a-z, 0-9 and hyphens")
    email: Email = Field(description="Where questions go, and notifications unless others are named")
    department: str = Field(default="hpc", description="Free text of your organisation")
    project: str | None = Field(default=None, description="Becomes the tag ProjectID")


class Subnet(Model):
    """A subnet that exists. The zone is stated, since a synthesis never asks AWS."""

    id: SubnetId = Field(description="Its id, e.g. subnet-0abc1234")
    zone: Zone = Field(description="Its Availability Zone, e.g. us-east-1a")
    internet: bool = Field(
        default=True,
        description="Its nodes reach the internet, e.g. by a NAT gateway. false: what network.endpoints names",
    )


class Network(Model):
    """The network that exists already; nothing in it is ever created or changed."""

    vpc_id: VpcId = Field(description="The VPC of all subnets")
    subnets: dict[SubnetKey, Subnet] = Field(min_length=1)
    endpoints: list[Endpoint] = Field(
        default_factory=list,
        description="VPC endpoints that subnets without internet reach, by the service's name: logs, s3, ...",
    )
    package_mirror: bool = Field(
        default=False, description="The image's package sources are reached from subnets without internet"
    )


class Ssh(Model):
    """Entry by SSH."""

    allowed_cidrs: list[str] = Field(min_length=1, description="Networks that may reach port 22; never 0.0.0.0/0")
    key_reader: RoleName | None = Field(
        default=None,
        description="The one IAM role that may read the private key. Left out: nobody, use Session Manager",
    )


class Bucket(Model):
    """A bucket that nodes may use."""

    name: BucketName = Field(description="Its name, without s3://")
    prefix: BucketPrefix = Field(default="", description="Only objects below it; empty means all")
    write: bool = Field(default=False, description="Also put and delete objects")


class Access(Model):
    """What nodes may reach beyond the cluster itself; compiled into roles and boundary alike."""

    secrets: list[SecretArn] = Field(default_factory=list, description="ARNs of secrets that nodes may read")
    kms_keys: list[KmsKeyArn] = Field(
        default_factory=list, description="ARNs of keys that nodes may use to decrypt"
    )
    buckets: list[Bucket] = Field(
        default_factory=list, description="Buckets that nodes may read, and write where it says so"
    )


class Directory(Model):
    """An LDAP or Active Directory that holds the users."""

    domain_name: DomainName = Field(
        description="FQDN or LDAP base, e.g. corp.example.org or dc=corp,dc=example,dc=org"
    )
    address: list[Annotated[str, Pattern(r"ldaps?://\S+", "must be ldaps://HOST or ldap://HOST")]] = Field(
        min_length=1
    )
    read_only_user: str = Field(description="Distinguished name of the account that looks users up")
    password_secret: SecretArn = Field(description="ARN of the secret that holds the read-only user's password")
    ca_certificate: str | None = Field(
        default=None, description="Path on the node of the directory's CA certificates"
    )
    verify_certificate: Literal["never", "allow", "try", "demand", "hard"] = Field(
        default="hard", description="What to do about the directory's certificate; hard and demand verify it"
    )
    access_filter: str | None = Field(
        default=None, description="LDAP filter of the users who may log in. Left out: all"
    )
    generate_ssh_keys: bool = Field(default=True, description="Make an SSH key for a user at the first login")


class Identity(Model):
    """The ceiling over roles that manage things."""

    ceiling: Literal["cluster", "account"] | PolicyArn = Field(
        default="cluster",
        description="cluster: declared by this stack. account: the account stack's, which prod needs. Or the ARN "
        "of your organisation's own boundary",
    )


class Notifications(Model):
    """Who is told when the cluster is up, could not be made, or is gone, and of its alarms."""

    emails: list[Email] = Field(default_factory=list, description="Left out: owner.email")
    topic_arn: TopicArn | None = Field(
        default=None, description="Your organisation's own SNS topic, instead of one of ours with these addresses"
    )
    webhook_secret: SecretArn | None = Field(
        default=None,
        description='ARN of the secret that holds an https address; it also gets every message, as {"text": ...}',
    )
