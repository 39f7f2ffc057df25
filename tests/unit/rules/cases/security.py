from tests.unit.rules.case import Case, ebs, efs, head, lustre, pool, queues, storage

PROD = {"environment": "prod"}
READER = {"ssh": {"allowed_cidrs": ["10.0.0.0/16"], "key_reader": "admins"}}
DIRECTORY = {
    "domain_name": "corp.example.org",
    "address": ["ldaps://corp.example.org"],
    "read_only_user": "cn=reader,dc=corp,dc=example,dc=org",
    "password_secret": "arn:aws:secretsmanager:us-east-1:123456789012:secret:directory-AbCdEf",
}


def directory(**changes: object) -> dict:
    return {"directory": DIRECTORY | changes}


def secret(region: str = "us-east-1", account: str = "123456789012", partition: str = "aws") -> str:
    return f"arn:{partition}:secretsmanager:{region}:{account}:secret:some-AbCdEf"


def topic(region: str = "us-east-1", account: str = "123456789012") -> str:
    return f"arn:aws:sns:{region}:{account}:hpc"


def key(region: str = "us-east-1", account: str = "123456789012", partition: str = "aws") -> str:
    return f"arn:{partition}:kms:{region}:{account}:key/1234abcd-12ab-34cd-56ef-1234567890ab"


def policy(partition: str = "aws", account: str = "123456789012") -> str:
    return f"arn:{partition}:iam::{account}:policy/extra"


def raw_policies(key: str, value: list) -> dict:
    """A fragment that sets something of a queue's role."""
    queue = {"Name": "cpu", "Iam": {key: value}}
    return {"parallelcluster": {"raw": {"Scheduling": {"SlurmQueues": [queue]}}}}


PERSISTENT = {"deployment_type": "PERSISTENT_2", "throughput_per_tib": 125}
ACCOUNT = {"account": "123456789012"}

CASES = [
    *(
        Case(
            rule="policies-are-capped",
            path=(*place, "policies"),
            says="the permissions boundary of every node caps them",
            bad=bad,
            good={"access": {"buckets": [{"name": "genomes"}]}},
        )
        for place, bad in (
            (("head_node",), head(policies=[policy()])),
            (("login", 0), {"login": [pool(policies=[policy()])]}),
            (("queues", 0), queues(policies=[policy(account="aws")])),
        )
    ),
    Case(
        rule="policies-are-capped",
        path=("parallelcluster", "raw", "Scheduling", "SlurmQueues", 0, "Iam", "AdditionalIamPolicies"),
        says="no effect beyond",
        bad=raw_policies("AdditionalIamPolicies", [{"Policy": policy()}]),
        good=raw_policies("S3Access", [{"BucketName": "genomes"}]),
    ),
    Case(
        rule="ceiling-in-prod",
        path=("identity", "ceiling"),
        says="whose own stack declares the ceiling",
        bad=PROD,
        good=PROD | {"identity": {"ceiling": "account"}},
    ),
    Case(
        rule="ceiling-in-prod",
        path=("identity", "ceiling"),
        says="whose own stack declares the ceiling",
        bad=PROD | {"identity": {"ceiling": "cluster"}},
        good=PROD | {"identity": {"ceiling": policy()}},
    ),
    Case(
        rule="encryption-off",
        path=("head_node", "root_volume", "encrypted"),
        says="switched off",
        bad=head(root_volume={"encrypted": False}),
    ),
    Case(
        rule="encryption-off",
        path=("queues", 0, "root_volume", "encrypted"),
        says="switched off",
        bad=queues(root_volume={"encrypted": False}),
    ),
    Case(
        rule="encryption-off",
        path=("storage", 0, "encrypted"),
        says="switched off",
        bad=storage(ebs(encrypted=False)),
        good=storage(ebs()),
    ),
    Case(
        rule="encryption-off",
        path=("storage", 0, "encryption_in_transit"),
        says="switched off",
        bad=storage(efs(id="fs-0abc1234", encryption_in_transit=False)),
        good=storage(efs(id="fs-0abc1234")),
    ),
    Case(
        rule="somebody-can-log-in",
        path=("session_manager",),
        says="nobody can log in",
        bad={"session_manager": False},
        good={"session_manager": False} | READER,
    ),
    Case(
        rule="key-reader-in-prod",
        path=("ssh", "key_reader"),
        says="role admins may read the private key",
        bad=PROD | READER,
        good=READER,
    ),
    Case(
        rule="unprotected-prod",
        path=("termination_protection",),
        says="without termination protection",
        bad=PROD | {"termination_protection": False},
        good=PROD,
    ),
    Case(
        rule="directory-tls",
        path=("directory", "address", 1),
        says="ldap://b is not encrypted",
        bad=directory(address=["ldaps://a", "ldap://b"]),
        good=directory(address=["ldaps://a", "ldaps://b"]),
    ),
    Case(
        rule="directory-certificate",
        path=("directory", "verify_certificate"),
        says='"try" accepts a directory with any certificate',
        bad=directory(verify_certificate="try"),
        good=directory(verify_certificate="demand"),
    ),
    Case(
        rule="arn-partition",
        path=("access", "secrets", 0),
        says="partition aws-us-gov, but us-east-1 is in aws",
        bad={"access": {"secrets": [secret(partition="aws-us-gov")]}},
        good={"access": {"secrets": [secret()]}},
    ),
    Case(
        rule="arn-partition",
        path=("access", "kms_keys", 0),
        says="partition aws-cn",
        bad={"access": {"kms_keys": [key(partition="aws-cn")]}},
        good={"access": {"kms_keys": [key()]}},
    ),
    Case(
        rule="arn-partition",
        path=("identity", "ceiling"),
        says="partition aws-cn",
        bad={"identity": {"ceiling": policy("aws-cn")}},
        good={"identity": {"ceiling": policy()}},
    ),
    Case(
        rule="arn-partition",
        path=("head_node", "policies", 0),
        says="partition aws-cn",
        bad=head(policies=[policy("aws-cn")]),
        good=head(policies=[policy()]),
    ),
    Case(
        rule="arn-partition",
        path=("login", 0, "policies", 0),
        says="partition aws-cn",
        bad={"login": [pool(policies=[policy("aws-cn")])]},
        good={"login": [pool(policies=[policy()])]},
    ),
    Case(
        rule="arn-partition",
        path=("queues", 0, "policies", 0),
        says="partition aws-cn",
        bad=queues(policies=[policy("aws-cn")]),
        good=queues(policies=[policy()]),
    ),
    Case(
        rule="arn-region",
        path=("storage", 0, "kms_key"),
        says="of Region eu-west-1, not us-east-1",
        bad=storage(lustre(kms_key=key("eu-west-1"), **PERSISTENT)),
        good=storage(lustre(kms_key=key(), **PERSISTENT)),
    ),
    Case(
        rule="arn-region",
        path=("directory", "password_secret"),
        says="of Region eu-west-1, not us-east-1",
        bad=directory(password_secret=secret("eu-west-1")),
        good=directory() | {"access": {"secrets": [secret("eu-west-1")]}},
    ),
    Case(
        rule="arn-account",
        path=("access", "secrets", 0),
        says="belongs to account 210987654321, the cluster to 123456789012",
        bad=ACCOUNT | {"access": {"secrets": [secret(account="210987654321")]}},
        good={"access": {"secrets": [secret(account="210987654321")]}},
    ),
    Case(
        rule="arn-account",
        path=("head_node", "policies", 0),
        says="belongs to account 210987654321",
        bad=ACCOUNT | head(policies=[policy(account="210987654321")]),
        good=ACCOUNT | head(policies=[policy(account="aws")]),
    ),
    Case(
        rule="arn-region",
        path=("notifications", "topic_arn"),
        says="of Region eu-west-1, not us-east-1",
        bad={"notifications": {"topic_arn": topic("eu-west-1")}},
        good={"notifications": {"topic_arn": topic()}},
    ),
    Case(
        rule="arn-region",
        path=("notifications", "webhook_secret"),
        says="of Region eu-west-1, not us-east-1",
        bad={"notifications": {"webhook_secret": secret("eu-west-1")}},
        good={"notifications": {"webhook_secret": secret()}},
    ),
    Case(
        rule="arn-account",
        path=("notifications", "topic_arn"),
        says="belongs to account 210987654321, the cluster to 123456789012",
        bad=ACCOUNT | {"notifications": {"topic_arn": topic(account="210987654321")}},
        good=ACCOUNT | {"notifications": {"topic_arn": topic()}},
    ),
    Case(
        rule="arn-partition",
        path=("notifications", "topic_arn"),
        says="is of partition aws-cn, but us-east-1 is in aws",
        bad={"notifications": {"topic_arn": topic().replace("arn:aws:", "arn:aws-cn:")}},
        good={"notifications": {"topic_arn": topic()}},
    ),
]
