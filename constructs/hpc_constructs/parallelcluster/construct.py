"""The cluster itself: ParallelCluster's own custom resource, served by the hosted provider of its version."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aws_cdk import Stack

from hpc_constructs.cloudformation import Part, declare
from hpc_constructs.intrinsics import Value, get_att, sub
from hpc_constructs.parallelcluster.lifecycle import Lifecycle
from hpc_constructs.parallelcluster.rendering_lifecycle import PROVIDER_ID

CLUSTER_ID = "Cluster"
"""Never to change: under another logical id CloudFormation would create a second cluster of the same name, then
delete the first one, by that name."""

PROVIDER_URL = (
    "https://${AWS::Region}-aws-parallelcluster.s3.${AWS::Region}.${AWS::URLSuffix}"
    "/parallelcluster/VERSION/templates/custom_resource/cluster.yaml"
)
"""Where AWS publishes the provider of each version (ParallelCluster's documentation, custom resource)."""


class ParallelClusterEngine(Part):
    """Provider, name guard, cluster and ownership gate, in this order; deleted in the reverse one.

    ``depends_on`` holds every other resource of the stack: whatever stood beside the cluster and failed would take
    a new cluster with it, and whatever did not outlive it would be missed during its deletion. The provider
    refuses properties that it does not know, so the cluster has none but its own.
    """

    def __init__(
        self,
        scope: Part | Stack,
        construct_id: str,
        *,
        name: str,
        version: str,
        configuration: Value,
        provider_role_arn: Value,
        lifecycle: Lifecycle,
        depends_on: Iterable[str],
        tags: Sequence[Value],
    ) -> None:
        super().__init__(scope, construct_id)
        provider = declare(
            self,
            PROVIDER_ID,
            "AWS::CloudFormation::Stack",
            {
                "TemplateURL": sub(PROVIDER_URL.replace("VERSION", version)),
                "Parameters": {"CustomLambdaRole": provider_role_arn},
                "Tags": tags,
            },
        )
        before = [*depends_on, provider]
        guard = lifecycle.guard(CLUSTER_ID, version, before)
        declare(
            self,
            CLUSTER_ID,
            "Custom::PclusterCluster",
            {
                "ServiceToken": get_att(provider, "Outputs.ServiceToken"),
                "ClusterName": name,
                "ClusterConfiguration": configuration,
            },
            depends_on=[*before, guard],
        )
        lifecycle.gate(CLUSTER_ID)
