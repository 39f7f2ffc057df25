"""The page of roles is what the examples' templates hold."""

from __future__ import annotations

from hpc_constructs.rendering_roles import ROLES, RoleLine
from hpc_constructs.rendering_roles_example import policies as shown
from hpc_constructs.rendering_roles_page import page
from tests.assembly import ROOT
from tests.privilege.documents import owners, policies
from tests.privilege.roles import Role, roles
from tests.privilege.world import world

SERVICES = {"EC2": "ec2", "Lambda": "lambda", "AWS Backup": "backup"}


def line(role: Role) -> RoleLine:
    (found,) = [each for each in ROLES if each.kind in (role.kind, role.name)]
    return found


def test_the_page_is_not_stale() -> None:
    command = "python -m hpc_constructs.rendering_roles_page > docs/permissions-by-role.md"
    text = (ROOT / "docs/permissions-by-role.md").read_text(encoding="utf-8")
    assert text == page(), f"renew it: {command}"


def test_every_role_of_the_examples_has_its_line_and_every_line_its_role() -> None:
    everyone = roles(world("aws"))
    assert {line(role).kind for role in everyone} == {each.kind for each in ROLES}


def test_policies_and_caps_are_those_of_the_templates() -> None:
    known = owners(world("aws"))
    attached: dict[str, set[str]] = {}
    caps: dict[str, set[str]] = {}
    for role in roles(world("aws")):
        kind = line(role).kind
        attached.setdefault(kind, set()).update(known[arn][1] for arn in role.attached if arn in known)
        if role.boundary is not None and known[role.boundary][0] is role.stack:
            caps.setdefault(kind, set()).add(known[role.boundary][1])
    assert attached == {each.kind: set(each.policies) for each in ROLES}
    assert caps == {each.kind: {each.cap} for each in ROLES if each.cap}


def test_who_takes_a_role_is_who_the_template_trusts() -> None:
    for role in roles(world("aws")):
        if role.kind == "manager":
            trust = role.stack.resources[role.name]["Properties"]["AssumeRolePolicyDocument"]["Statement"]
            assert trust[0]["Principal"] == {"Service": f"{SERVICES[line(role).taken_by]}.amazonaws.com"}


def test_every_permission_of_the_examples_is_on_it() -> None:
    """By its effect and action: what caps call a statement, and put into one, depends on the configuration."""
    on_page = {
        (policy, each["Effect"], action)
        for policy, statements in shown().items()
        for each in statements
        for action in each["Action"]
    }
    templates = {
        (paper.logical_id, statement["Effect"], action)
        for paper in policies(world("aws"))
        for statement in paper.statements
        for action in statement["Action"]
        # People's policies and what fragments add are on other pages.
        if paper.stack.cluster not in ("account", "fragment") and paper.logical_id != "BackupCeiling"
    }
    assert templates - on_page == set()
