"""The page about permissions says what the policies are."""

from __future__ import annotations

from pathlib import Path

from hpc_constructs.identity.rendering_reference import permissions_page
from tests.iam import examples
from tests.iam.templates import synthesize

PAGE = Path(__file__).parents[2] / "docs" / "permissions.md"


def test_the_page_is_not_stale() -> None:
    command = "python -m hpc_constructs.identity.rendering_reference > docs/permissions.md"
    assert PAGE.read_text(encoding="utf-8") == permissions_page(), f"renew it: {command}"


def test_the_page_tells_of_every_policy_that_there_is() -> None:
    template, _ = synthesize("demo", examples.much("aws"))
    for logical_id, resource in template["Resources"].items():
        if resource["Type"] == "AWS::IAM::ManagedPolicy":
            assert f"| {logical_id} |" in permissions_page()
