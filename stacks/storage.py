"""The stack of a storage file: filesystems that outlive clusters."""

from __future__ import annotations

from aws_cdk import CfnOutput, Environment, Stack, Token
from constructs import Construct

from config.derived import termination_protection
from config.models.storage_file import StorageFile
from hpc_constructs.intrinsics import ref
from hpc_constructs.ledger.construct import declare_kept
from hpc_constructs.storage.construct import Declared
from hpc_constructs.storage.rendering import made_by_file, on_network, resources
from hpc_constructs.storage.rendering_backup import backup_resources, backups_kept
from hpc_constructs.storage.rendering_kept import storage_kept
from hpc_constructs.storage.rendering_names import clients_export, id_export, own_clients, stack_name
from hpc_constructs.storage.rendering_tags import storage_tags


class StorageStack(Stack):
    """Clusters take what they need from its exports; while one does, CloudFormation does not delete the stack."""

    def __init__(self, scope: Construct, *, name: str, spec: StorageFile) -> None:
        super().__init__(
            scope,
            stack_name(name),
            env=Environment(account=spec.account, region=spec.region),
            description=f"Filesystems of {name}, which outlive the Slurm clusters that mount them",
            termination_protection=termination_protection(spec),
        )
        tags, made = storage_tags(name, spec), made_by_file(spec)
        Declared(self, "Filesystems", resources(made, spec.network.vpc_id, tags, name))
        Declared(self, "Backups", backup_resources(name, spec, tags))
        for each in made:
            value = Token.as_string(ref(each.logical_id))
            CfnOutput(self, f"{each.logical_id}Id", value=value, export_name=id_export(name, each.name))
        if on_network(made):
            value = Token.as_string(own_clients())
            CfnOutput(self, "Clients", value=value, export_name=clients_export(name))
        declare_kept(self, [*storage_kept(made, spec.region), *backups_kept(spec)])
