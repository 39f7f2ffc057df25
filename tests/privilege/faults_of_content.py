"""Further faults: of sizes, secrets, buckets, words and names."""

from __future__ import annotations

from tests.privilege.faults import (
    HERE,
    SECRET,
    Fault,
    Resources,
    adds,
    both,
    configuration,
    drops,
    gives,
    properties,
    queue_policies,
    sets,
    statement,
)

MANY = [{"Policy": {"Fn::Sub": f"arn:${{AWS::Partition}}:iam::aws:policy/site-{number}"}} for number in range(9)]


def _long(resources: Resources) -> None:
    tables = [{"Fn::Sub": f"arn:${{AWS::Partition}}:dynamodb:*:*:table/x{number:040}"} for number in range(80)]
    statement(resources, "NodeDeny", "OnlyOwnTablesAndStacks")["NotResource"].extend(tables)


def _deep(resources: Resources) -> None:
    trusting = properties(resources, "StagingRole")["AssumeRolePolicyDocument"]["Statement"]
    trusting.extend(trusting * 40)


def _lets_in(resources: Resources) -> None:
    properties(resources, "EngineBucketPolicy")["PolicyDocument"]["Statement"].append(
        {
            "Sid": "Seeded",
            "Effect": "Allow",
            "Principal": {"AWS": {"Fn::GetAtt": ["StagingRole", "Arn"]}},
            "Action": ["s3:GetObject"],
            "Resource": [{"Fn::Sub": "${EngineBucket.Arn}/*"}],
        }
    )


def bucket(path: str) -> dict[str, str]:
    return {"Fn::Sub": f"arn:${{AWS::Partition}}:s3:::{path}"}


MORE_FAULTS = (
    Fault(
        "a queue without the deny policy",
        "limits",
        "queue cpu: without the deny policy",
        lambda resources: queue_policies(resources).remove({"Policy": {"Ref": "NodeDeny"}}),
        also=("iam writes",),
    ),
    Fault(
        "too many policies",
        "limits",
        "head node: 15 policies attached, 10 are taken",
        lambda resources: configuration(resources)["HeadNode"]["Iam"]["AdditionalIamPolicies"].extend(MANY[:8]),
    ),
    Fault(
        "a policy attached twice",
        "limits",
        "queue cpu: a policy attached twice",
        lambda resources: queue_policies(resources).append({"Policy": {"Ref": "NodeDeny"}}),
    ),
    Fault("too long a policy", "limits", "NodeDeny: ", _long),
    Fault("too long a trust", "limits", "StagingRole: ", _deep),
    Fault(
        "too long a name",
        "limits",
        "ManagedPolicyName has 130 characters",
        gives("StagingPolicy", ManagedPolicyName="x" * 130),
    ),
    Fault(
        "two policies of one name",
        "limits",
        "two policies are called clusterform-viewer-",
        lambda resources: properties(resources, "User").update(
            ManagedPolicyName=properties(resources, "Viewer")["ManagedPolicyName"]
        ),
        stacks=("account",),
    ),
    Fault(
        "compute nodes that read the database's secret",
        "secrets",
        "queue cpu: reads the database's secret of demo",
        adds("ComputeBase", "secretsmanager:GetSecretValue", {"Ref": "DatabaseSecret"}),
    ),
    Fault(
        "a provider that reads the webhook's secret",
        "secrets",
        "ProviderRole: reads the webhook's secret",
        adds(
            "ProviderPolicyIam",
            "secretsmanager:GetSecretValue",
            {"Fn::Sub": SECRET.format("webhook").replace("arn:aws:", "arn:${AWS::Partition}:")},
        ),
    ),
    Fault(
        "a head node that cannot read the directory's secret",
        "secrets",
        "head node: cannot read the directory's secret",
        drops("HeadIdentity", "Directory"),
    ),
    Fault(
        "somebody else who reads the private key",
        "secrets",
        "interns: reads the private key of demo",
        gives("KeyReader", Roles=["admins", "interns"]),
    ),
    Fault(
        "a function that changes a secret",
        "secrets",
        "LifecycleRole: may change the webhook's secret by secretsmanager:PutSecretValue",
        both(
            *(
                adds(
                    policy,
                    "secretsmanager:PutSecretValue",
                    {"Fn::Sub": "arn:${AWS::Partition}:secretsmanager:*:*:*"},
                )
                for policy in ("LifecyclePolicy", "Ceiling")
            )
        ),
        also=("siblings",),
    ),
    Fault(
        "another bucket",
        "rights on buckets",
        "ComputeBase Seeded: s3:GetObject on arn:aws:s3:::payroll/*",
        adds("ComputeBase", "s3:GetObject", bucket("payroll/*")),
    ),
    Fault(
        "a bucket beside its prefix",
        "rights on buckets",
        "s3:GetObject on arn:aws:s3:::data/*",
        adds("ComputeBase", "s3:GetObject", bucket("data/*")),
    ),
    Fault(
        "a bucket that is written instead of read",
        "rights on buckets",
        "HeadStorage Seeded: s3:PutObject on arn:aws:s3:::genomes/in/*",
        adds("HeadStorage", "s3:PutObject", bucket("genomes/in/*")),
    ),
    Fault(
        "a listing of more than the prefix",
        "rights on buckets",
        "s3:ListBucket on arn:aws:s3:::data",
        adds("ComputeBase", "s3:ListBucket", bucket("data")),
    ),
    Fault("a bucket that lets somebody in", "rights on buckets", "a bucket's policy lets somebody in", _lets_in),
    Fault(
        "an action that is none",
        "vocabulary",
        "no action s3:GetObjects",
        adds("NodeDeny", "s3:GetObjects", bucket("x/*"), effect="Deny"),
    ),
    Fault(
        "a condition key that the action does not know",
        "vocabulary",
        "does not know iam:PermissionsBoundary",
        sets("ProviderPolicyIam", "RolesEnd", Condition={"StringEquals": {"iam:PermissionsBoundary": "x"}}),
    ),
    Fault(
        "a kind of thing that the action does not know",
        "vocabulary",
        "no action knows things like",
        adds("NodeDeny", "dynamodb:GetItem", {"Fn::Sub": "arn:${AWS::Partition}:sqs:*:*:x"}, effect="Deny"),
    ),
    Fault(
        "an action in a bucket's policy that is none",
        "vocabulary",
        "EngineBucketPolicy: TlsOnly: no action s3:Gets",
        lambda resources: statement(resources, "EngineBucketPolicy", "TlsOnly").update(Action=["s3:*", "s3:Gets"]),
    ),
    Fault(
        "a stranger who takes a role",
        "vocabulary",
        "StagingRole: trusts {'AWS': '*'}",
        lambda resources: properties(resources, "StagingRole")["AssumeRolePolicyDocument"]["Statement"][0].update(
            Principal={"AWS": "*"}
        ),
    ),
    Fault(
        "a partition written out",
        "partitions",
        "Topic: arn:aws:kms:",
        gives("Topic", KmsMasterKeyId=HERE.format("kms", "key/x")),
    ),
    Fault(
        "a partition written out in the configuration",
        "partitions",
        "Cluster: arn:aws:iam::",
        lambda resources: queue_policies(resources).append({"Policy": "arn:aws:iam::aws:policy/Site"}),
    ),
    Fault(
        "log groups of a cluster whose name goes on",
        "siblings",
        f"logs:DeleteLogGroup on {HERE.format('logs', 'log-group:/aws/parallelcluster/demo-2026-')}",
        sets(
            "ProviderPolicyIam",
            "Logs",
            Resource=[
                {"Fn::Sub": "arn:${AWS::Partition}:logs:*:*:log-group:/aws/parallelcluster/demo-20??????????*"}
            ],
        ),
    ),
    Fault(
        "stacks of a cluster whose name goes on",
        "siblings",
        "LifecycleRole: cloudformation:DescribeStackEvents on",
        sets(
            "LifecyclePolicy",
            "Events",
            Resource=[{"Fn::Sub": "arn:${AWS::Partition}:cloudformation:*:*:stack/demo-*"}],
        ),
    ),
)
