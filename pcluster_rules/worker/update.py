# pyright: reportMissingImports=false
"""What an update would take, by ParallelCluster's own update policies."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from pcluster.config.config_patch import ConfigPatch
from pcluster.config.update_policy import UpdatePolicy

from pcluster_rules.worker import offline
from pcluster_rules.worker.schema import tree

Change = dict[str, Any]

VERDICTS = {
    UpdatePolicy.CheckResult.SUCCEEDED: "allowed",
    UpdatePolicy.CheckResult.ACTION_NEEDED: "action_needed",
    UpdatePolicy.CheckResult.FAILED: "refused",
}


def update(
    cluster_name: str,
    old: dict[str, Any],
    new: dict[str, Any],
    fleet_running: bool,
    login_running: bool,
    region: str,
) -> list[Change]:
    """Every change with its verdict; a check of ParallelCluster's that crashes gives the verdict ``unknown``."""
    offline.use({"region": region})
    schema = tree("")["root"]
    old, new = normalised(schema, old), normalised(schema, new)
    cluster = _Cluster(cluster_name, old, fleet_running, login_running)
    try:
        patch = ConfigPatch(cluster, old, new)
    except Exception as error:
        return [_change([], "", None, None, "") | _unknown(error)]
    return [_judged(change, patch) for change in patch.changes]


def normalised(node: dict[str, Any], value: Any) -> Any:
    """A document in which equal values are equal: CloudFormation hands every scalar over as a string.

    Values get the type that the schema gives their key, and strings where it gives none.
    """
    kind = node["type"]
    if kind == "map" and isinstance(value, dict):
        return {key: normalised(node["keys"].get(key, _FREE), inner) for key, inner in value.items()}
    if kind == "list" and isinstance(value, list):
        return [normalised(node["items"], item) for item in value]
    if isinstance(value, dict):
        return {key: normalised(_FREE, inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [normalised(_FREE, item) for item in value]
    return _scalar(kind, value)


_FREE = {"type": "any"}
_READERS: dict[str, Callable[[str], Any]] = {
    "integer": int,
    "number": float,
    "boolean": lambda text: {"true": True, "false": False}[text],
}


def _scalar(kind: str, value: Any) -> Any:
    if value is None:
        return None
    text = str(value).lower() if isinstance(value, bool) else str(value)
    try:
        return _READERS.get(kind, str)(text)
    except (ValueError, KeyError):
        return text


class _Cluster:
    """The state that the policies ask for: whether compute and login nodes run."""

    def __init__(self, name: str, deployed: dict[str, Any], fleet_running: bool, login_running: bool) -> None:
        self.name = name
        self.stack_name = name
        pools = (deployed.get("LoginNodes") or {}).get("Pools") or []
        self._running_pools = {pool["Name"] for pool in pools if login_running and pool.get("Count")}
        self._fleet_running = fleet_running
        self.stack = SimpleNamespace(scheduler=deployed.get("Scheduling", {}).get("Scheduler"))

    def has_running_capacity(self, updated_value: bool = False) -> bool:
        """Whether the compute fleet is started."""
        return self._fleet_running

    def has_running_login_nodes(self, updated_value: bool = False, pool_name: str | None = None) -> bool:
        """Whether a pool, or any, has running nodes: one whose deployed count is 0 has none."""
        return pool_name in self._running_pools if pool_name else bool(self._running_pools)


def _judged(change: Any, patch: ConfigPatch) -> Change:
    found = _change(change.path, change.key, change.old_value, change.new_value, change.update_policy.name)
    try:
        result, reason, action, _ = change.update_policy.check(change, patch)
    except Exception as error:
        return found | _unknown(error)
    allowed = result == UpdatePolicy.CheckResult.SUCCEEDED
    return found | {
        "verdict": VERDICTS[result],
        "reason": "" if allowed else reason or "",
        "action": "" if allowed else action or "",
    }


def _change(path: list[str], key: str, old: Any, new: Any, policy: str) -> Change:
    absent = {"-": None}
    return {
        "path": ".".join([*path, key]).strip("."),
        "old": absent.get(old, old) if isinstance(old, str) else _plain(old),
        "new": absent.get(new, new) if isinstance(new, str) else _plain(new),
        "policy": policy,
    }


def _plain(value: Any) -> Any:
    """Without the mark that ConfigPatch leaves in list items it has compared."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items() if key != "visited"}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _unknown(error: Exception) -> Change:
    return {
        "verdict": "unknown",
        "reason": f"ParallelCluster's own check of this change fails ({type(error).__name__}: {error})",
        "action": "leave this value as it is deployed",
    }
