"""What CloudFormation may do when it deploys clusters and storage: the policies for ``cdk bootstrap``. Plain data.

The actions are those of CloudFormation's own handlers for the types of our stacks (``execution_actions.json``).
Each is allowed in its places: on things with our names, paths or tags, where the service knows such a limit. A new
type of resource takes a run of ``python -m tests.iam.execution_actions``, and often a place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from config.models.account import Account
from hpc_constructs.account.rendering_execution_limits import limits
from hpc_constructs.account.rendering_execution_places import (
    IDENTITY,
    NEVER,
    ON_EVERYTHING,
    PARTS,
    STORAGE,
    Place,
    places,
)
from hpc_constructs.identity.rendering_documents import Statement, account_policy_arn, allow
from hpc_constructs.intrinsics import Value, sub
from hpc_constructs.rendering_bootstrap import QUALIFIER, TOOLKIT_STACK

ACTIONS = Path(__file__).with_name("execution_actions.json")
DOCUMENTS: Mapping[str, str] = {
    IDENTITY: "Roles and policies of clusters, under the ceiling; the ceiling itself never.",
    PARTS: "Buckets, functions, secrets, topics, logs and nested stacks of clusters, by name.",
    STORAGE: "Filesystems, volumes, security groups and backups, by tag.",
}
"""By purpose, what each policy is about: one alone would be longer than IAM takes."""


def execution_statements(spec: Account) -> dict[str, list[Statement]]:
    """By purpose, the statements of each policy; the execution role has to have them all."""
    by_document: dict[str, list[Statement]] = {IDENTITY: limits(spec), PARTS: [], STORAGE: []}
    for place, actions in _placed(spec):
        by_document[place.document].append(allow(place.sid, actions, place.resources, place.condition))
    return by_document


def bootstrap_command(spec: Account) -> Value:
    """What an administrator types next: a bootstrap whose execution role has these policies and no other."""
    policies = ",".join(account_policy_arn(purpose)["Fn::Sub"] for purpose in DOCUMENTS)
    return sub(
        f"cdk bootstrap aws://{spec.account}/{spec.region} --qualifier {QUALIFIER} "
        f"--toolkit-stack-name {TOOLKIT_STACK} --cloudformation-execution-policies {policies}"
    )


def actions_by_type() -> dict[str, list[str]]:
    """The actions of each type of resource."""
    return {name: [*each["limited"], *each["unlimited"]] for name, each in _data()["types"].items()}


def _placed(spec: Account) -> list[tuple[Place, list[str]]]:
    """Each place with its actions, that of everything last. Raises ValueError for an action that has none."""
    unlimited = {action for each in _data()["types"].values() for action in each["unlimited"]} | set(ON_EVERYTHING)
    limited = {action for each in actions_by_type().values() for action in each} - unlimited - set(NEVER)
    if not spec.ceiling.kms_keys:
        limited -= {action for action in limited if action.startswith("kms:")}
    found: list[tuple[Place, list[str]]] = []
    for place in places(spec):
        matching = re.compile(place.actions)
        found.append((place, sorted(action for action in limited if matching.fullmatch(action))))
    if missing := limited - {action for _, actions in found for action in actions}:
        raise ValueError(f"execution_actions.json: no place for {', '.join(sorted(missing))}")
    return [*found, (Place(PARTS, "Anywhere", ".*", ["*"]), sorted(unlimited))]


@cache
def _data() -> dict[str, dict[str, dict[str, list[str]]]]:
    return json.loads(ACTIONS.read_text(encoding="utf-8"))
