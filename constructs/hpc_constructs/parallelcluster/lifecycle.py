"""Around the cluster: who guards its name and its ownership, and who tells of its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from aws_cdk import Stack

from hpc_constructs.assets import Code
from hpc_constructs.cloudformation import Part, declare
from hpc_constructs.functions.construct import ManagedFunction
from hpc_constructs.intrinsics import Value, ref
from hpc_constructs.ledger.rendering import Entry, Loss
from hpc_constructs.notifications.construct import Alarms, Notifications
from hpc_constructs.parallelcluster.rendering_lifecycle import lifecycle_statements
from hpc_constructs.parallelcluster.rendering_spot import SPOT_ROLE

FUNCTION_SECONDS = 60
SERVICE_SECONDS = 900
"""Generous, so that a throttled function does not fail the gate, after which a new cluster would be deleted."""


class Lifecycle(Part):
    """The lifecycle function and the resources that it answers for.

    The notice stands before the cluster, hence is deleted after it. :meth:`guard` comes last before the cluster,
    and :meth:`gate` is all that comes after it: nothing of what it tells is its own property, since a change of
    that would come after the cluster. ``told`` is what the message says that the cluster is up with; with
    ``spot`` the guard asks for the role that Spot needs. It refuses to move a filesystem of ``filesystems`` from
    one form to another (:func:`~hpc_constructs.parallelcluster.rendering_storage.storage_forms`).
    """

    def __init__(
        self,
        scope: Part | Stack,
        construct_id: str,
        *,
        name: str,
        notifications: Notifications,
        kept: Sequence[Entry],
        lost: Sequence[Loss],
        told: Mapping[str, Value],
        spot: bool,
        filesystems: Sequence[str],
        code: Code,
        ceiling: Value,
        log_days: int,
        tags: Sequence[Value],
    ) -> None:
        super().__init__(scope, construct_id)
        function = ManagedFunction(
            self,
            "Lifecycle",
            cluster=name,
            code=code,
            purpose="lifecycle",
            description=f"Guards the name of cluster {name} and tells what became of it",
            ceiling=ceiling,
            statements=lifecycle_statements(name, notifications.topic_arn, notifications.webhook_secret),
            timeout_seconds=FUNCTION_SECONDS,
            log_days=log_days,
            tags=tags,
            environment=_environment(name, notifications),
        )
        alarms = Alarms(self, "Alarms", name=name, function=function.function)
        self._needs = notifications.subscriptions
        self._asked = {"Filesystems": list(filesystems), **({"SpotRole": SPOT_ROLE} if spot else {})}
        self._properties = {
            "ServiceToken": function.token,
            "ServiceTimeout": SERVICE_SECONDS,
            "ClusterName": name,
        }
        notice = declare(
            self,
            "GoneNotice",
            "Custom::GoneNotice",
            {
                **self._properties,
                "Kept": [entry.document() for entry in kept],
                "Lost": [loss.document() for loss in lost],
                "Up": dict(told),
            },
            depends_on=self._needs,
        )
        self.dependencies = [notice, *alarms.dependencies]

    def guard(self, cluster_id: str, version: str, depends_on: Iterable[str]) -> str:
        """Refuse a cluster name that is taken, and another ``version`` than the one that made the cluster.

        The logical id follows the cluster's: a moved cluster brings a new guard, and the guard's creation fails
        instead of there being a second cluster of the same name.
        """
        return declare(
            self,
            f"{cluster_id}NameGuard",
            "Custom::ClusterNameGuard",
            {**self._properties, **self._asked, "Version": version},
            depends_on=[*depends_on, *self._needs],
        )

    def gate(self, cluster_id: str) -> str:
        """Refuse to delete a cluster that is not this stack's; deleted before the cluster, as it depends on it."""
        return declare(
            self,
            f"{cluster_id}OwnershipGate",
            "Custom::ClusterOwnershipGate",
            self._properties,
            depends_on=[cluster_id, *self._needs],
        )


def _environment(name: str, notifications: Notifications) -> dict[str, Value]:
    """The function's settings: whom it tells, and of what."""
    settings = {"CLUSTER": name, "STACK_ID": ref("AWS::StackId"), "TOPIC_ARN": notifications.topic_arn}
    if notifications.webhook_secret is not None:
        settings["WEBHOOK_SECRET"] = notifications.webhook_secret
    return settings
