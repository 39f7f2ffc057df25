"""Every policy of the account's stack: its name, its statements, whom it is for, and what for. Plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from config.findings import Finding
from config.models.account import Account
from hpc_constructs.account.rendering_ceiling import EveryCluster, account_ceiling_statements
from hpc_constructs.account.rendering_commands import OPERATOR, USER, VIEWER
from hpc_constructs.account.rendering_execution import DOCUMENTS, execution_statements
from hpc_constructs.account.rendering_people import people_statements
from hpc_constructs.identity.rendering_documents import Statement
from hpc_constructs.identity.rendering_sizes import POLICY_LIMIT, Names

CEILING_ID = "Ceiling"


@dataclass(frozen=True)
class AccountPolicy:
    """A managed policy, whose name follows from ``purpose``; ``whose`` and ``what_for`` are for people.

    ``grows`` is the key of the account's file with which it becomes longer.
    """

    logical_id: str
    purpose: str
    whose: str
    what_for: str
    statements: Sequence[Statement]
    grows: str = "ceiling"


def account_policies(spec: Account) -> list[AccountPolicy]:
    """The policies in the order of the documentation."""
    return [
        AccountPolicy(
            CEILING_ID,
            "ceiling",
            "the provider's role and those of our functions, of every cluster with `identity.ceiling: account`",
            "Caps what may ever be done to manage clusters. A permissions boundary: nobody gets it attached.",
            account_ceiling_statements(spec.region, spec.ceiling),
        ),
        AccountPolicy(
            "Viewer",
            VIEWER,
            "who looks on",
            "Stacks, events, templates, logs and instances of clusters; nothing can be changed.",
            people_statements(VIEWER),
        ),
        AccountPolicy(
            "Operator",
            OPERATOR,
            "who deploys clusters, people or a pipeline",
            "Deploying and destroying through the CDK's bootstrap roles, the ways out of a stuck stack, and "
            "sessions on head and login nodes.",
            people_statements(OPERATOR),
        ),
        AccountPolicy(
            "User",
            USER,
            "who works on a cluster",
            "Sessions on login nodes, as the nodes' account of Systems Manager.",
            people_statements(USER),
        ),
        *_execution_policies(spec),
    ]


def _execution_policies(spec: Account) -> list[AccountPolicy]:
    return [
        AccountPolicy(
            "".join(word.capitalize() for word in purpose.split("-")),
            purpose,
            "the execution role of the CDK's bootstrap, by which CloudFormation deploys clusters and storage",
            DOCUMENTS[purpose],
            statements,
            grows="execution",
        )
        for purpose, statements in execution_statements(spec).items()
    ]


def account_findings(spec: Account) -> list[Finding]:
    """Policies that IAM would refuse: those that grow with the file."""
    names = Names(EveryCluster(region=spec.region))
    return [
        Finding(
            rule="policy-size",
            path=(each.grows,),
            message=f"policy {each.logical_id} has {size} characters with these lists, IAM takes {POLICY_LIMIT}",
            hint="list fewer things, or give clusters the ARN of a boundary of your own",
        )
        for each in account_policies(spec)
        if (size := names.size(list(each.statements))) > POLICY_LIMIT
    ]
