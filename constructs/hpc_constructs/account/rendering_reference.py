"""The page docs/account-permissions.md, from the data that the account's policies are made of.

``python -m hpc_constructs.account.rendering_reference > docs/account-permissions.md`` renews it.
"""

from __future__ import annotations

from config.models.access import Owner
from config.models.account import Account
from hpc_constructs.account.rendering_commands import OPERATOR, USER, VIEWER, actions_of, commands_of
from hpc_constructs.account.rendering_policies import account_policies
from hpc_constructs.identity.rendering_reference import table

INTRODUCTION = """# Permissions of an account

<!-- Generated: python -m hpc_constructs.account.rendering_reference > docs/account-permissions.md -->

The stack `clusterform-account` declares these managed policies under the path `/clusterform/account/`, named
`clusterform-...-REGION`. It attaches none of them: whoever administers the account gives them to people, groups
or roles. What one cluster's own roles may do is on [another page](permissions.md).
"""

COMMANDS = """
## Which command needs which

A test reads every call to AWS out of the code of the commands and compares. Through the CDK's bootstrap roles,
which only operators take, a deployment can do what the execution policy allows and nothing else.
"""

EXECUTION = """
## What CloudFormation may do

The stack's output `BootstrapCommand` gives the three `Execution...` policies, and no other, to the execution
role of the CDK's bootstrap. Their actions are those that CloudFormation's own resource schemas list for the
types of our stacks. They are allowed on things with our names and paths; on things that have ids, if they
carry the tag `ClusterOwner`; on everything only where AWS knows no limit ([list](permissions-by-role.md)).

Roles can be created and changed only under the account's ceiling, or under a boundary that
`execution.boundaries` of the account's file lists. A cluster with a ceiling of its own (`identity: {ceiling:
cluster}`) is therefore refused by IAM in such an account: whoever writes a template could write that ceiling,
too. No deployment changes this stack's policies, the bootstrap, or its roles.

Proven: the scope. The local AWS and an evaluator of policies decide on every call. Not proven: that the
actions are all that AWS asks for, since CloudFormation's schemas, from which they come, have been seen to
list too much and may list too little. An `AccessDenied` names the action; please report it.
"""

LIMITS = """
## What they do not do

- Nobody reads a cluster's private SSH key by them. That is the one role that `ssh.key_reader` names.
- Nobody can change IAM by them, pass a role, or deploy this stack: that takes an administrator.
- A session of Session Manager is one of the account `ssm-user`, which may become root, unless the account's
  session preferences say otherwise (Run As). Users are therefore let onto login nodes, never onto head nodes.
- Viewers see templates and logs, not the content of filesystems, buckets and secrets.
- `cdk diff` of a viewer compares with the deployed template, by the viewer's own permissions: a change set, which
  the CDK would prefer, takes the deploy role.

Never run on AWS: that these actions suffice for each command there.
"""


def page() -> str:
    """The whole page."""
    spec = Account(account="123456789012", region="us-east-1", owner=Owner(name="hpc", email="hpc@example.org"))
    policies = [(each.logical_id, each.whose, each.what_for) for each in account_policies(spec)]
    people = (VIEWER, OPERATOR, USER)
    commands = list(dict.fromkeys(text for person in people for text in commands_of(person)))
    who = [
        (f"`{text}`", *("yes" if text in commands_of(person) else "" for person in people)) for text in commands
    ]
    actions = [(person, ", ".join(f"`{action}`" for action in actions_of(person))) for person in people]
    parts = (
        INTRODUCTION,
        table(("Policy", "Whose", "What for"), policies),
        COMMANDS,
        table(("Command", *people), who),
        "",
        table(("Who", "Actions"), actions),
        EXECUTION,
        LIMITS,
    )
    return "\n".join(parts).rstrip() + "\n"


if __name__ == "__main__":
    print(page(), end="")
