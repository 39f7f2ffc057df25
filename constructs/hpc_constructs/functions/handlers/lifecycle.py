"""The lifecycle function: guards a cluster's name and ownership, and tells people what became of the cluster.

The engine's custom resource deletes by cluster *name*. The guard keeps a name that is taken from ever reaching it;
the gate keeps a deletion from reaching a cluster that is not this stack's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from . import alarms, delivery, filesystems, messages, spot
from .failures import Failure, failure_chain
from .messages import About, Left, Remains
from .response import Event, answer
from .shape import notice, shape
from .stacks import find, owner, template, version

Action = Callable[[Event], None]
T = TypeVar("T")


def handler(event: Event, context: Any) -> None:
    """Lambda's entry point: for the guard, the gate and the notice of an end, and for EventBridge's alarms."""
    if "detail-type" in event:
        tell_alarm(event)
        return
    kind = event["ResourceType"].removeprefix("Custom::")
    request = event["RequestType"]
    name = event["ResourceProperties"]["ClusterName"]
    # The guard's id keeps the name it was created with: a refused rename is rolled back through another update of
    # the guard, and only the id still tells which of the two names is the cluster's.
    physical_id = event.get("PhysicalResourceId") or f"{kind}/{name}"
    never_fail = kind == "GoneNotice" or (kind == "ClusterOwnershipGate" and request != "Delete")
    action = ACTIONS.get((kind, request), _nothing)
    answer(event, context, physical_id, lambda: action(event), never_fail=never_fail)


def refuse_taken_name(event: Event) -> None:
    """The guard's create: no stack of the cluster's name may exist, whoever owns it."""
    name = event["ResourceProperties"]["ClusterName"]
    if stack := find(name):
        raise ValueError(
            f"the name {name} is taken by the stack {stack['StackId']} ({stack['StackStatus']}, "
            f"owner: {owner(stack) or 'unknown to clusterform'}). Nothing was touched: choose another name, "
            "or delete that stack first"
        )
    spot.require_role(event["ResourceProperties"])


def refuse_another_cluster(event: Event) -> None:
    """The guard's update: a cluster keeps its name and the ParallelCluster version that made it.

    Another version changes nothing of the cluster's own properties. Unrefused, it would succeed, and leave a
    cluster that its provider does not update any more.
    """
    properties, former = event["ResourceProperties"], event["PhysicalResourceId"].partition("/")[2]
    name, declared = properties["ClusterName"], properties["Version"]
    if name != former:
        raise ValueError(f"cluster {former} cannot be renamed to {name}: declare a new cluster of that name")
    stack = find(name)
    made_by = version(stack) if stack else None
    if made_by not in (None, declared):
        raise ValueError(
            f"cluster {name} was made by ParallelCluster {made_by}, which alone can update it: "
            f"parallelcluster_version: {declared} takes a new cluster"
        )
    filesystems.refuse_moved(event)
    # Not where it was there before: that is a rollback, or a change of something else.
    if spot.PROPERTY not in event.get("OldResourceProperties", {}):
        spot.require_role(properties)


def announce(event: Event) -> None:
    """The gate's create, which comes right after the cluster's: say that it is up.

    What there is to say stands in the stack's template. As properties of the gate's it would change after the
    cluster at many an update.
    """
    declared = _declared(event)
    told = _known("the notice", lambda: notice(declared)["Up"], {"Storage": [], "Access": []})
    delivery.send(messages.up(_about(event), _shape(declared), told["Storage"], told["Access"]))


def refuse_foreign_cluster(event: Event) -> None:
    """The gate's delete, which comes before the cluster's: refuse to delete what another stack made."""
    name = event["ResourceProperties"]["ClusterName"]
    stack = find(name)
    if stack and owner(stack) != event["StackId"]:
        raise ValueError(
            f"the stack {stack['StackId']} bears the cluster's name and is not this stack's "
            f"(owner: {owner(stack) or 'unknown to clusterform'}); it was not touched. To delete this stack "
            f"alone, delete it with RetainResources naming {event['LogicalResourceId']} and the cluster"
        )


def report_end(event: Event) -> None:
    """The notice's delete, which comes after the cluster's: say whether a cluster ended or its creation."""
    properties, about = event["ResourceProperties"], _about(event)
    remains = Remains(properties["Kept"], properties["Lost"])
    own = find(event["StackId"])
    status = own["StackStatus"] if own else "DELETE_IN_PROGRESS"
    if status.startswith("UPDATE"):
        return
    left = _left(about)
    if status.startswith("ROLLBACK"):
        message = messages.not_created(about, _chain(event), left, remains)
    elif left and left.ours:
        message = messages.left_behind(about, left)
    else:
        message = messages.gone(about, _shape(_declared(event)), left, remains)
    delivery.send(message)


def tell_alarm(event: Event) -> None:
    """An alarm, or the time to look at the fleet; nobody waits for an answer."""
    try:
        message = alarms.handle(event)
    except Exception as error:
        print(f"problem: {error!r}")
        return
    if message:
        delivery.send(message)


def _about(event: Event) -> About:
    return About(event["ResourceProperties"]["ClusterName"], event["StackId"].split(":")[3], event["StackId"])


def _left(about: About) -> Left | None:
    stack = find(about.name)
    return Left(stack["StackId"], stack["StackStatus"], owner(stack) == about.stack_id) if stack else None


def _declared(event: Event) -> Mapping[str, Any]:
    return _known("the stack's template", lambda: template(event["StackId"]), {})


def _shape(declared: Mapping[str, Any]) -> list[str]:
    return _known("the cluster's shape", lambda: shape(declared), [])


def _chain(event: Event) -> list[Failure]:
    cluster = event["ResourceProperties"]["ClusterName"]
    return _known("why it failed", lambda: failure_chain(event["StackId"], cluster), [])


def _known(what: str, read: Callable[[], T], otherwise: T) -> T:
    """A part of a message; one that lacks a part is better than none."""
    try:
        return read()
    except Exception as error:
        print(f"{what} cannot be read: {error!r}")
        return otherwise


def _nothing(event: Event) -> None:
    """Most requests need no action."""


ACTIONS: dict[tuple[str, str], Action] = {
    ("ClusterNameGuard", "Create"): refuse_taken_name,
    ("ClusterNameGuard", "Update"): refuse_another_cluster,
    ("ClusterOwnershipGate", "Create"): announce,
    ("ClusterOwnershipGate", "Delete"): refuse_foreign_cluster,
    ("GoneNotice", "Delete"): report_end,
}
