"""From where the cluster may be reached by SSH, where that is more than one network."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import Stack

from config.models.cluster import Cluster
from hpc_constructs.cloudformation import Part, declare
from hpc_constructs.intrinsics import Value, ref
from hpc_constructs.parallelcluster.rendering_ssh import prefix_list


class SshSources(Part):
    """A prefix list of the allowed networks; a single network needs none."""

    def __init__(
        self, scope: Part | Stack, construct_id: str, *, name: str, spec: Cluster, tags: Sequence[Value]
    ) -> None:
        super().__init__(scope, construct_id)
        self.prefix_list: Value | None = None
        self.dependencies: list[str] = []
        if properties := prefix_list(name, spec):
            logical_id = declare(self, "SshPrefixList", "AWS::EC2::PrefixList", {**properties, "Tags": tags})
            self.dependencies.append(logical_id)
            self.prefix_list = ref(logical_id)
