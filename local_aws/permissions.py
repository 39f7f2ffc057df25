"""Whether a role may do something, by its policies and within its boundary.

The local AWS does not check every call; this answers where letting one pass would hide what AWS prevents.
"""

from __future__ import annotations

from collections.abc import Mapping

from ministack.core import iam_evaluator
from ministack.core.arn import parse_arn
from ministack.services import iam


def allowed(role_arn: str, action: str, resource_arn: str, tags: Mapping[str, str] | None = None) -> bool:
    """Whether the role may do ``action`` on a resource that carries ``tags``; a role that is gone may nothing."""
    account, role = parse_arn(role_arn).account_id, role_arn.rpartition("/")[2]
    question = iam_evaluator.EvalContext(
        principal_arn=role_arn,
        principal_type="AssumedRole",
        principal_account=account,
        action=action,
        resource_arn=resource_arn,
        region=parse_arn(resource_arn).region,
        service_context={f"aws:resourcetag/{key}".lower(): value for key, value in (tags or {}).items()},
    )
    policies = iam_evaluator._gather_role_policies(role, account)
    limits = iam_evaluator._permissions_boundary(iam._roles, role, account)
    return iam_evaluator.evaluate(question, policies, *limits).decision == "Allow"
