"""Managed policies that the file attaches to nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from config.findings import KeyPath, Severity
from config.rules.base import Problem, Rule, Subject

RAW = ("parallelcluster", "raw")
FURTHER_POLICIES = "AdditionalIamPolicies"
"""ParallelCluster's own key, wherever a fragment has it."""


class PoliciesAreCapped(Rule):
    """The boundary caps policies of your own; only ``access`` opens what nodes reach beyond the cluster."""

    name = "policies-are-capped"
    severity = Severity.WARNING

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look for policies of the head node, login pools and queues, in the file and in its fragment."""
        spec = subject.spec
        nodes: list[tuple[KeyPath, list[str]]] = [
            (("head_node",), spec.head_node.policies),
            *((("login", index), pool.policies) for index, pool in enumerate(spec.login)),
            *((("queues", index), queue.policies) for index, queue in enumerate(spec.queues)),
        ]
        places = [(*node, "policies") for node, policies in nodes if policies]
        for path in (*places, *_in_fragment(spec.parallelcluster.raw, RAW)):
            yield Problem(
                path,
                "what these policies allow has no effect beyond the cluster's own needs and access: "
                "the permissions boundary of every node caps them",
                "name what the nodes are to reach under access, as buckets, secrets or kms_keys, "
                "and keep a policy only for what it denies",
            )


def _in_fragment(value: Any, path: KeyPath) -> Iterator[KeyPath]:
    """Where a fragment adds policies."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == FURTHER_POLICIES and inner:
                yield (*path, key)
            else:
                yield from _in_fragment(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _in_fragment(inner, (*path, index))
