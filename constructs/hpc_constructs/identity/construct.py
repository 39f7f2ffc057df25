"""Who may do what in one cluster."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import Stack

from config.models.cluster import Cluster
from hpc_constructs.cloudformation import Part
from hpc_constructs.identity.rendering_boundary import boundary_statements
from hpc_constructs.identity.rendering_ceiling import ceiling_statements
from hpc_constructs.identity.rendering_check import CEILING_ID
from hpc_constructs.identity.rendering_documents import ACCOUNT_CEILING, Statement
from hpc_constructs.identity.rendering_nodes import NODE_POLICIES, key_reader_statements, node_statements
from hpc_constructs.identity.rendering_provider import PROVIDER_POLICIES, provider_statements
from hpc_constructs.identity.rendering_scope import BOUNDARY_ID, Scope
from hpc_constructs.identity.roles import managed_policy, managed_role
from hpc_constructs.intrinsics import Value, ref

PROVIDER_ROLE_ID = "ProviderRole"
KEY_READER_ID = "KeyReader"


class ClusterIdentity(Part):
    """Boundary, ceiling, the nodes' managed policies, the provider's role and the right to read the private key.

    ``boundary`` and ``provider_role`` are logical ids, ``ceiling`` and the lists of policies are values.
    ``dependencies`` holds everything declared here: all of it has to outlive the cluster. Logical ids of what the
    policies refer to are given. Policies that IAM would refuse are
    :func:`hpc_constructs.rendering_findings.consequences`' business.
    """

    def __init__(
        self,
        scope: Part | Stack,
        construct_id: str,
        *,
        name: str,
        spec: Cluster,
        staging_bucket: str,
        engine_bucket: str,
        database_secret: str | None,
        key_pair: str,
    ) -> None:
        super().__init__(scope, construct_id)
        self._cluster = name
        names = Scope(
            name=name,
            region=spec.region,
            staging_bucket=staging_bucket,
            engine_bucket=engine_bucket,
            database_secret=database_secret,
            key_pair=key_pair,
        )
        self.dependencies: list[str] = []
        self.boundary = self._policy(BOUNDARY_ID, "boundary", boundary_statements(spec, names))
        self.ceiling = self._ceiling(spec, names)
        self._nodes(spec, names)
        self.provider_role = self._provider(spec, names)
        if spec.ssh.key_reader is not None:
            self._policy(KEY_READER_ID, "key-reader", key_reader_statements(names), roles=[spec.ssh.key_reader])

    def _ceiling(self, spec: Cluster, names: Scope) -> Value:
        if spec.identity.ceiling == "account":
            return ACCOUNT_CEILING
        if spec.identity.ceiling != "cluster":
            return spec.identity.ceiling
        return ref(self._policy(CEILING_ID, "ceiling", ceiling_statements(spec, names)))

    def _nodes(self, spec: Cluster, names: Scope) -> None:
        statements = node_statements(spec, names)
        made = [policy for policy in NODE_POLICIES if policy.logical_id in statements]
        for policy in made:
            self._policy(policy.logical_id, policy.purpose, statements[policy.logical_id])
        self.head_policies, self.compute_policies, self.login_policies = (
            [ref(policy.logical_id) for policy in made if kind in policy.nodes]
            for kind in ("head", "compute", "login")
        )

    def _provider(self, spec: Cluster, names: Scope) -> str:
        statements = provider_statements(spec, names)
        policies = [
            self._policy(logical_id, PROVIDER_POLICIES[logical_id][0], statements[logical_id])
            for logical_id in statements
        ]
        role = managed_role(
            self,
            PROVIDER_ROLE_ID,
            cluster=self._cluster,
            service="lambda",
            ceiling=self.ceiling,
            policies=[ref(logical_id) for logical_id in policies],
        )
        self.dependencies.append(role)
        return role

    def _policy(
        self, logical_id: str, purpose: str, statements: Sequence[Statement], roles: Sequence[str] = ()
    ) -> str:
        managed_policy(
            self, logical_id, cluster=self._cluster, purpose=purpose, statements=statements, roles=roles
        )
        self.dependencies.append(logical_id)
        return logical_id
