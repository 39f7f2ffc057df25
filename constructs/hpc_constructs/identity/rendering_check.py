"""Findings about a cluster's policies: too long, or too many on one role. Pure data, without a synthesis."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from config.findings import Finding, KeyPath
from config.models.cluster import Cluster
from hpc_constructs.identity import rendering_fragment as fragment
from hpc_constructs.identity.rendering_boundary import boundary_statements
from hpc_constructs.identity.rendering_ceiling import ceiling_statements
from hpc_constructs.identity.rendering_documents import Statement
from hpc_constructs.identity.rendering_grants import grants
from hpc_constructs.identity.rendering_iam import user_policies
from hpc_constructs.identity.rendering_nodes import NODE_POLICIES, node_statements
from hpc_constructs.identity.rendering_provider import provider_statements
from hpc_constructs.identity.rendering_scope import BOUNDARY_ID, Scope
from hpc_constructs.identity.rendering_sizes import ATTACHMENT_LIMIT, POLICY_LIMIT, Names

CEILING_ID = "Ceiling"
ENGINE_ATTACHMENTS = 1
"""CloudWatchAgentServerPolicy, which ParallelCluster attaches to each node that writes logs."""


def cluster_scope(name: str, spec: Cluster) -> Scope:
    """The scope with the stack's own logical ids."""
    return Scope(
        name=name,
        region=spec.region,
        staging_bucket="StagingBucket",
        engine_bucket="EngineBucket",
        key_pair="KeyPair",
        database_secret="DatabaseSecret" if spec.software.accounting else None,
    )


def all_statements(spec: Cluster, scope: Scope) -> dict[str, list[Statement]]:
    """Every policy that the cluster's stack declares for nodes and provider, by logical id."""
    policies = {BOUNDARY_ID: boundary_statements(spec, scope)}
    if spec.identity.ceiling == "cluster":
        policies[CEILING_ID] = ceiling_statements(spec, scope)
    return {**policies, **node_statements(spec, scope), **provider_statements(spec, scope)}


def policy_findings(name: str, spec: Cluster, scope: Scope | None = None) -> list[Finding]:
    """What IAM would refuse. Paths lead to the configuration's part that makes it so; files and lines are open."""
    scope = scope or cluster_scope(name, spec)
    policies = all_statements(spec, scope)
    return [*_too_long(spec, scope, policies), *_too_many(spec, policies)]


def _too_long(spec: Cluster, scope: Scope, policies: Mapping[str, list[Statement]]) -> Iterator[Finding]:
    names = Names(scope)
    sizes = {logical_id: names.size(statements) for logical_id, statements in policies.items()}
    if max(sizes.values()) <= POLICY_LIMIT:
        return
    shares: dict[str, int] = {}
    for grant in grants(spec, scope):
        length = len(json.dumps(names.resolve(list(grant.resources)), separators=(",", ":")))
        shares[grant.source] = shares.get(grant.source, 0) + length
    if attached := user_policies(spec):
        shares["policies of nodes"] = len(json.dumps(attached, separators=(",", ":")))
    longest = sorted(shares, key=lambda source: (-shares[source], source))[:3]
    told = ", ".join(f"{source} ({shares[source]} characters)" for source in longest)
    for logical_id, size in sizes.items():
        if size > POLICY_LIMIT:
            yield Finding(
                rule="policy-size",
                path=_place(longest[0]),
                message=(
                    f"policy {logical_id} would have {size} characters, IAM takes {POLICY_LIMIT}; "
                    f"its longest inputs are {told}"
                ),
                hint="name fewer buckets, keys or secrets: one bucket with prefixes takes the place of several",
            )


def _too_many(spec: Cluster, policies: Mapping[str, list[Statement]]) -> Iterator[Finding]:
    raw = spec.parallelcluster.raw
    nodes: list[tuple[KeyPath, str, str, list[str]]] = [
        (("head_node", "policies"), "head", fragment.HEAD, spec.head_node.policies)
    ]
    nodes += [
        (("login", i, "policies"), "login", fragment.POOLS, pool.policies) for i, pool in enumerate(spec.login)
    ]
    nodes += [
        (("queues", i, "policies"), "compute", fragment.QUEUES, queue.policies)
        for i, queue in enumerate(spec.queues)
    ]
    for path, kind, section, given in nodes:
        ours = [
            policy.logical_id for policy in NODE_POLICIES if kind in policy.nodes and policy.logical_id in policies
        ]
        theirs = {*given, *fragment.policies(raw, section)}
        room = ATTACHMENT_LIMIT - len(ours) - ENGINE_ATTACHMENTS
        if len(theirs) > room:
            yield Finding(
                rule="policy-attachments",
                path=path,
                message=(
                    f"{len(theirs)} further policies are too many: IAM takes {ATTACHMENT_LIMIT} on a role, where "
                    f"{', '.join(ours)} and CloudWatchAgentServerPolicy are already"
                ),
                hint=f"name at most {room}, or join policies into one",
            )


def _place(source: str) -> KeyPath:
    """A grant's source as far as it is a path of the configuration."""
    if source.startswith("parallelcluster.raw"):
        return ("parallelcluster", "raw")
    parts = source.split(".")
    if parts[0] == "policies of nodes":
        return ("queues",)
    return ("storage",) if parts[0] == "storage" else tuple(parts)
