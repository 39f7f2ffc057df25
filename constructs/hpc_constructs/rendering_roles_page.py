"""The page docs/permissions-by-role.md: each role with the statements of its policies.

``python -m hpc_constructs.rendering_roles_page > docs/permissions-by-role.md`` renews it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from hpc_constructs.identity.rendering_documents import Statement
from hpc_constructs.identity.rendering_reference import table
from hpc_constructs.intrinsics import Value
from hpc_constructs.rendering_roles import ROLES
from hpc_constructs.rendering_roles_example import READABLE, policies

INTRODUCTION = """# Permissions by role

<!-- Generated: python -m hpc_constructs.rendering_roles_page > docs/permissions-by-role.md -->

Every role that belongs to a cluster or a storage file, with each statement of its policies, for a cluster
`NAME` that uses everything that a policy depends on; a policy holds only what the configuration uses. What a
raw fragment adds is on [the page about permissions](permissions.md), which says why things are so, and people's
policies are on [that of the account](account-permissions.md). A test compares this page with the roles of every
example's template.

Roles have what their policies allow **and** their cap lets pass. Where `identity.ceiling` is `account` or an
ARN, that stands in the place of Ceiling and BackupCeiling.
"""
CAPS = (
    ("Boundary", "Cap of the nodes and cleanup functions"),
    ("Ceiling", "Cap of the provider's and our functions' roles"),
)
BACKUP = "BackupCeiling lets pass what BackupPolicy allows.\n"
_ARN = re.compile(r"arn:PARTITION:([\w-]+):[^:]*:[^:]*:(.*)")
_PSEUDO = {
    "AWS::AccountId": "this account",
    "AWS::Region": "this stack's Region",
    "AWS::StackId": "this very stack",
}


def page() -> str:
    """The whole page."""
    statements = policies()
    rows = [
        (
            role.title,
            role.taken_by,
            role.made_by,
            role.cap or "not ours to cap",
            ", ".join(role.policies),
            role.what_for,
        )
        for role in ROLES
    ]
    parts = [INTRODUCTION, table(("Role", "Taken by", "Made by", "Cap", "Our policies", "What for"), rows)]
    shown = dict.fromkeys(policy for role in ROLES for policy in role.policies)
    parts += [_section(policy, _whose(policy), statements[policy]) for policy in shown]
    parts += [_section(policy, title, statements[policy]) for policy, title in CAPS]
    return "\n".join([*parts, "", BACKUP]).rstrip() + "\n"


def _whose(policy: str) -> str:
    having = [role.title for role in ROLES if policy in role.policies]
    return "; ".join(having)


def _section(policy: str, title: str, statements: Sequence[Statement]) -> str:
    lines = [
        (
            str(each["Sid"]) if each["Effect"] == "Allow" else f"{each['Sid']} (**denies**)",
            " ".join(f"`{action}`" for action in each["Action"]),
            "; ".join(_resources(each)),
            "; ".join(_conditions(each.get("Condition", {}))),
        )
        for each in statements
    ]
    return f"\n## {policy}\n\n{title}\n\n{table(('Statement', 'Actions', 'On', 'Only if'), lines)}"


def _resources(statement: Statement) -> Iterator[str]:
    beginning = "all but " if "NotResource" in statement else ""
    resources = statement.get("Resource", statement.get("NotResource"))
    for each in resources if isinstance(resources, list) else [resources]:
        yield f"{beginning}{_text(each)}"


def _text(value: Value) -> str:
    """A resource as people call it."""
    match value:
        case {"Ref": str(name)} if name in _PSEUDO:
            return _PSEUDO[name]
        case {"Ref": str(name)} | {"Fn::GetAtt": [str(name), _]}:
            return f"this stack's {name}"
        case {"Fn::Sub": [str(text), dict(values)]}:
            for name, each in values.items():
                text = text.replace(
                    f"${{{name}}}", str(each.get("Fn::Sub", each)) if isinstance(each, dict) else each
                )
            return _sub(text)
        case {"Fn::Sub": str(text)}:
            return _sub(text)
        case str():
            return READABLE.get(value, f"`{value}`" if set(value) <= set("*:/") else value)
    return json.dumps(value)


def _sub(text: str) -> str:
    text = re.sub(r"\$\{AWS::(\w+)\}", lambda found: found[1].upper(), text)
    text = re.sub(r"\$\{(\w+)\.Arn\}", r"\1", text)
    named = _ARN.fullmatch(text)
    text = f"{named[1]} {named[2]}" if named else text
    return f"`{text.replace('${!', '${')}`"


def _conditions(condition: Mapping[str, Mapping[str, Value]]) -> Iterator[str]:
    for operator, block in condition.items():
        for key, value in block.items():
            values = value if isinstance(value, list) else [value]
            yield f"{operator} `{key}`: {', '.join(_text(each) for each in values)}"


if __name__ == "__main__":
    print(page(), end="")
