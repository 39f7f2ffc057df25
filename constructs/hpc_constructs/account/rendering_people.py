"""The policies of people: viewers, operators and users, from the table of commands. Plain data.

None of them can pass a role, change IAM, or read the private key of a cluster: that is ``ssh.key_reader``'s alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hpc_constructs.account import rendering_commands as commands
from hpc_constructs.identity.rendering_documents import Statement, allow
from hpc_constructs.identity.rendering_scope import OWNER_TAG
from hpc_constructs.intrinsics import Value, arn, sub
from hpc_constructs.rendering_accepted import Accepted
from hpc_constructs.rendering_bootstrap import QUALIFIER

NODE_TYPE = "ssm:resourceTag/parallelcluster:node-type"
LOGIN_NODE, HEAD_NODE = "LoginNode", "HeadNode"
SHELL_DOCUMENTS = ("SSM-SessionManagerRunShell", "AWS-StartInteractiveCommand", "AWS-StartSSHSession")
"""What a session may run: a shell, a command, and SSH through it; the first is the account's own settings."""

CHANGEABLE = ("pc-", "pcs-", "storage-")
"""The kinds of our stacks that operators change. The account's and the bootstrap's are an administrator's."""

BOOTSTRAP_ROLES = ("deploy", "file-publishing")
"""The CDK's roles that a deployment takes. No images are published, and nothing is looked up during synthesis: the
CDK's lookup role may read the whole account, and without it the CLI reads by the deploy role."""

_RULE = "AwsSolutions-IAM5"
ACCEPTED = (
    Accepted(
        _RULE,
        ("Viewer", "Operator"),
        "every cluster's: our stacks and log groups by name, ParallelCluster's stacks by the tag of their owner",
        ("cloudformation stack/", "logs log-group:"),
    ),
    Accepted(_RULE, ("Operator", "User"), "nodes by the tag that tells their type", ("ec2 instance/",)),
    Accepted(
        _RULE, ("Operator", "User"), "one's own sessions, whose names begin with one's own", ("ssm session/",)
    ),
)


@dataclass(frozen=True)
class Place:
    """Where some actions are allowed, as one statement or several."""

    sid: str
    actions: tuple[str, ...]
    resources: list[Value]
    condition: Mapping[str, Value] | None = None


def _owned() -> dict[str, Value]:
    return {"StringLike": {f"aws:ResourceTag/{OWNER_TAG}": arn("cloudformation", "stack/clusterform-pc-*")}}


def _stack_places(sid: str, actions: tuple[str, ...], kinds: tuple[str, ...]) -> list[Place]:
    """Stacks of ours by their names, and those of ParallelCluster by the tag of their owner."""
    return [
        Place(sid, actions, [arn("cloudformation", f"stack/clusterform-{kind}*") for kind in kinds]),
        Place(f"{sid}OfEngine", actions, [arn("cloudformation", "stack/*")], _owned()),
    ]


def _places(person: str) -> list[Place]:
    """Every action's place. An action that AWS knows no resource of is for everything."""
    looks = (*commands.CDK_LOOK, *commands.STACKS)
    changes = (
        "cloudformation:ContinueUpdateRollback",
        "cloudformation:DeleteStack",
        "cloudformation:RollbackStack",
    )
    anything = (
        *commands.FIND_STACKS,
        *commands.FIND_NODES,
        *commands.FIND_LOGS,
        *commands.FIND_KEPT,
        "ec2:DescribeInstanceTypes",
    )
    roles = [f"role/cdk-{QUALIFIER}-{each}-role-${{AWS::AccountId}}-${{AWS::Region}}" for each in BOOTSTRAP_ROLES]
    nodes = [LOGIN_NODE, *([HEAD_NODE] if person == commands.OPERATOR else [])]
    documents = [
        sub(f"arn:${{AWS::Partition}}:ssm:${{AWS::Region}}:${{AWS::AccountId}}:document/{SHELL_DOCUMENTS[0]}"),
        *(sub(f"arn:${{AWS::Partition}}:ssm:${{AWS::Region}}::document/{name}") for name in SHELL_DOCUMENTS[1:]),
    ]
    logs = ("/clusterform/*", "/aws/parallelcluster/*", "/aws/lambda/pcluster-*")
    return [
        Place("Find", anything, ["*"]),
        *_stack_places("Stacks", looks, ("",)),
        *_stack_places("ChangeStacks", changes, CHANGEABLE),
        Place("Logs", commands.READ_LOGS, [arn("logs", f"log-group:{name}") for name in logs]),
        Place("Deploy", commands.CDK_ROLES, [arn("iam", role, region=False) for role in roles]),
        Place("Sessions", commands.SESSION, [arn("ec2", "instance/*")], {"StringEquals": {NODE_TYPE: nodes}}),
        Place("SessionDocuments", commands.SESSION, documents),
        # The name of a session begins with that of whoever started it, which IAM fills in at each request.
        Place("OwnSessions", commands.END_SESSION, [arn("ssm", "session/${!aws:userid}-*")]),
        Place("OwnSessionsOfUsers", commands.END_SESSION, [arn("ssm", "session/${!aws:username}-*")]),
    ]


def people_statements(person: str) -> list[Statement]:
    """A person's policy: of every place the actions that some command of theirs needs."""
    return list(_statements(person, set(commands.actions_of(person))))


def _statements(person: str, needed: set[str]) -> Iterator[Statement]:
    placed: set[str] = set()
    for place in _places(person):
        actions = [action for action in place.actions if action in needed]
        placed.update(actions)
        if actions:
            yield allow(place.sid, actions, place.resources, place.condition)
    if unplaced := needed - placed:
        raise ValueError(f"actions of commands without a place to be allowed on: {', '.join(sorted(unplaced))}")
