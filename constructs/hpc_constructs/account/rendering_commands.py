"""Which calls to AWS each command of ours makes, and who runs it. Plain data, beside which a test reads the code.

The CDK's own calls, those of the commands that our messages and the README tell people to type, and those of each
``clusterform`` command. What the CDK does with a bootstrap role in hand is that role's business.
"""

from __future__ import annotations

from dataclasses import dataclass

VIEWER, OPERATOR, USER = "viewer", "operator", "user"

CDK_LOOK = (
    "cloudformation:DescribeStacks",
    "cloudformation:GetTemplate",
    "cloudformation:GetTemplateSummary",
)
CDK_ROLES = ("sts:AssumeRole",)
STACKS = (
    "cloudformation:DescribeStackEvents",
    "cloudformation:DescribeStackResource",
    "cloudformation:DescribeStackResources",
    "cloudformation:ListStackResources",
)
FIND_STACKS = ("cloudformation:ListStacks",)
FIND_NODES = ("ec2:DescribeInstances",)
READ_LOGS = ("logs:DescribeLogStreams", "logs:FilterLogEvents", "logs:GetLogEvents")
FIND_LOGS = ("logs:DescribeLogGroups",)
SESSION = ("ssm:StartSession",)
END_SESSION = ("ssm:ResumeSession", "ssm:TerminateSession")
FIND_KEPT = ("tag:GetResources",)


@dataclass(frozen=True)
class Command:
    """A command as people type it, the actions that it needs of whoever runs it, and who that is."""

    text: str
    actions: tuple[str, ...]
    people: tuple[str, ...]


COMMANDS = (
    Command("clusterform facts refresh", ("ec2:DescribeInstanceTypes",), (VIEWER, OPERATOR)),
    Command("clusterform cdk diff", CDK_LOOK, (VIEWER, OPERATOR)),
    Command("clusterform cdk deploy", CDK_ROLES, (OPERATOR,)),
    Command("clusterform cdk destroy", CDK_ROLES, (OPERATOR,)),
    Command(
        "aws cloudformation describe-stacks, describe-stack-events, list-stacks ...",
        (*CDK_LOOK, *STACKS, *FIND_STACKS),
        (VIEWER, OPERATOR),
    ),
    Command("aws cloudformation delete-stack", ("cloudformation:DeleteStack",), (OPERATOR,)),
    Command(
        "aws cloudformation continue-update-rollback", ("cloudformation:ContinueUpdateRollback",), (OPERATOR,)
    ),
    Command("aws cloudformation rollback-stack", ("cloudformation:RollbackStack",), (OPERATOR,)),
    Command("aws logs tail", (*READ_LOGS, *FIND_LOGS), (VIEWER, OPERATOR)),
    Command("aws resourcegroupstaggingapi get-resources", FIND_KEPT, (VIEWER, OPERATOR)),
    Command("aws ec2 describe-instances", FIND_NODES, (VIEWER, OPERATOR, USER)),
    Command("aws ssm start-session", (*SESSION, *END_SESSION), (OPERATOR, USER)),
)


def actions_of(person: str) -> list[str]:
    """Every action that a person's commands need, sorted."""
    return sorted({action for command in COMMANDS if person in command.people for action in command.actions})


def commands_of(person: str) -> list[str]:
    """The commands that a person can run, in the order of the table."""
    return [command.text for command in COMMANDS if person in command.people]
