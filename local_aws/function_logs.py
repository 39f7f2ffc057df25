"""A function's first output makes its log group only if its role may make one.

ministack 1.5.33 makes it for every function: groups would be left behind that AWS never creates, and a group that
a stack deleted would come back.
"""

from __future__ import annotations

from typing import Any

from ministack.core import iam_evaluator
from ministack.core.arn import parse_arn
from ministack.services import cloudwatch_logs, iam, lambda_svc


def _may_create(role_arn: str, group: str, region: str) -> bool:
    """Whether the role's policies, within its boundary, allow the creation of the group."""
    account, role = parse_arn(role_arn).account_id, role_arn.rpartition("/")[2]
    question = iam_evaluator.EvalContext(
        principal_arn=role_arn,
        principal_type="AssumedRole",
        principal_account=account,
        action="logs:CreateLogGroup",
        resource_arn=f"arn:aws:logs:{region}:{account}:log-group:{group}:*",
        region=region,
    )
    limits = iam_evaluator._permissions_boundary(iam._roles, role, account)
    policies = iam_evaluator._gather_role_policies(role, account)
    return iam_evaluator.evaluate(question, policies, *limits).decision == "Allow"


def _emit(original: Any, function: dict[str, Any], *rest: Any, **more: Any) -> None:
    configuration = function.get("config") or function
    group = (configuration.get("LoggingConfig") or {}).get("LogGroup")
    group = group or f"/aws/lambda/{configuration['FunctionName']}"
    region = parse_arn(configuration["FunctionArn"]).region
    if group in cloudwatch_logs._log_groups or _may_create(configuration["Role"], group, region):
        original(function, *rest, **more)


def install() -> None:
    """Ask before anything is written."""
    original = lambda_svc._emit_lambda_logs
    lambda_svc._emit_lambda_logs = lambda *a, **k: _emit(original, *a, **k)
