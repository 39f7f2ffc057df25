"""AWS knows every action, condition key and kind of resource in every document, those of trust and buckets too."""

from __future__ import annotations

from tests.iam.lint import problems as lint
from tests.privilege.documents import papers
from tests.privilege.world import World

TRUSTED = {"backup.amazonaws.com", "lambda.amazonaws.com"}
"""The services that take roles of ours. ParallelCluster's own roles are for EC2."""

UNLISTED = ("ExecutionParts: Transform: ",)
"""CloudFormation's guide asks for CreateChangeSet on a transform; AWS's list of resources has no transforms."""


def problems(world: World) -> list[str]:
    """What AWS would refuse, or take and never act on."""
    found = []
    for paper in papers(world):
        said = [f"{paper.label}: {problem}" for problem in lint(paper.document)]
        found += [each for each in said if not any(known in each for known in UNLISTED)]
        sids = [statement["Sid"] for statement in paper.statements if "Sid" in statement]
        found += [f"{paper.label}: Sid {sid} twice" for sid in {each for each in sids if sids.count(each) > 1}]
        found += [f"{paper.label}: Sid {sid} is no word" for sid in sids if not sid.isalnum()]
        if paper.type_name == "AWS::IAM::Role":
            found += [f"{paper.label}: trusts {each}" for each in _strangers(paper.statements)]
    return found


def _strangers(statements: list[dict[str, object]]) -> list[str]:
    expected = [{"Service": service} for service in TRUSTED]
    return [str(each.get("Principal")) for each in statements if each.get("Principal") not in expected]
