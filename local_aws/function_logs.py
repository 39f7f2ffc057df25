"""A function's first output makes its log group only if its role may make one.

ministack 1.5.33 makes it for every function: groups would be left behind that AWS never creates, and a group that
a stack deleted would come back.
"""

from __future__ import annotations

from typing import Any

from ministack.core.arn import parse_arn
from ministack.services import cloudwatch_logs, lambda_svc

from local_aws.permissions import allowed


def _emit(original: Any, function: dict[str, Any], *rest: Any, **more: Any) -> None:
    configuration = function.get("config") or function
    group = (configuration.get("LoggingConfig") or {}).get("LogGroup")
    group = group or f"/aws/lambda/{configuration['FunctionName']}"
    own = parse_arn(configuration["FunctionArn"])
    arn = f"arn:aws:logs:{own.region}:{own.account_id}:log-group:{group}:*"
    if group in cloudwatch_logs._log_groups or allowed(configuration["Role"], "logs:CreateLogGroup", arn):
        original(function, *rest, **more)


def install() -> None:
    """Ask before anything is written."""
    original = lambda_svc._emit_lambda_logs
    lambda_svc._emit_lambda_logs = lambda *a, **k: _emit(original, *a, **k)
