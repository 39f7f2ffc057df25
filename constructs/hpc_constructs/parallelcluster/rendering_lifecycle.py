"""What the lifecycle function may do, as plain data."""

from __future__ import annotations

from hpc_constructs.identity.rendering_documents import Statement, allow
from hpc_constructs.identity.rendering_scope import NESTED_STACKS
from hpc_constructs.intrinsics import Value, arn, ref
from hpc_constructs.parallelcluster.rendering_spot import SPOT_ROLE
from hpc_constructs.rendering_accepted import Accepted

PROVIDER_ID = "Provider"
"""Of the nested stack with ParallelCluster's provider; part of that stack's name."""

SPOT_ROLE_ARN = arn("iam", f"role/aws-service-role/spot.amazonaws.com/{SPOT_ROLE}", region=False)

ACCEPTED = (
    Accepted(
        "AwsSolutions-IAM5",
        ("LifecyclePolicy",),
        "this cluster's stacks by name; CloudFormation makes up the rest, and what failed in them is told",
        ("cloudformation stack/",),
    ),
)


def lifecycle_statements(name: str, topic_arn: Value, webhook_secret: str | None) -> list[Statement]:
    """What the lifecycle function needs: to read stacks and why they failed, the fleet's state, and to tell."""
    own = ref("AWS::StackId")
    cluster = arn("cloudformation", f"stack/{name}/*")
    within = [
        arn("cloudformation", f"stack/{each}/*")
        for each in (f"clusterform-pc-{name}-{PROVIDER_ID}-*", *(f"{name}-{part}" for part in NESTED_STACKS))
    ]
    statements = [
        allow("Stacks", "cloudformation:DescribeStacks", [own, cluster]),
        allow("Events", "cloudformation:DescribeStackEvents", [own, cluster, *within]),
        allow("Template", "cloudformation:GetTemplate", own),
        # A deleted stack is known by its id alone, and only this call, which no resource limits, tells the id.
        allow("Deleted", "cloudformation:ListStacks", "*"),
        allow("Fleet", "dynamodb:GetItem", arn("dynamodb", f"table/parallelcluster-{name}")),
        # With or without Spot queues: a right that comes with the first of them may come too late for it.
        allow("SpotRole", "iam:GetRole", SPOT_ROLE_ARN),
        allow("Tell", "sns:Publish", topic_arn),
    ]
    if webhook_secret is not None:
        statements.append(allow("Webhook", "secretsmanager:GetSecretValue", webhook_secret))
    return statements
