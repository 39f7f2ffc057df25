"""Filesystems with what they need, in a storage file's stack or in a cluster's."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import Stack

from hpc_constructs.cloudformation import Part, declare
from hpc_constructs.storage.rendering import Resource


class Declared(Part):
    """Resources given as data; ``dependencies`` are the logical ids of all of them."""

    def __init__(self, scope: Part | Stack, construct_id: str, resources: Sequence[Resource]) -> None:
        super().__init__(scope, construct_id)
        self.dependencies = [
            declare(self, each.logical_id, each.type_name, each.properties, policy=each.policy)
            for each in resources
        ]
