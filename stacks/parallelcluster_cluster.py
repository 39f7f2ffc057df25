"""The stack of one cluster on the ParallelCluster engine."""

from __future__ import annotations

from pathlib import Path

from aws_cdk import Environment, Stack
from constructs import Construct

from config.derived import termination_protection
from config.facts.instance_types import load
from config.models.cluster import Cluster
from hpc_constructs.assets import handlers_code
from hpc_constructs.identity.construct import ClusterIdentity
from hpc_constructs.intrinsics import get_att, ref
from hpc_constructs.ledger.construct import declare_kept
from hpc_constructs.ledger.rendering_cluster import data_lost_with_cluster, kept
from hpc_constructs.notifications.construct import Notifications
from hpc_constructs.notifications.rendering import told
from hpc_constructs.parallelcluster.construct import ParallelClusterEngine
from hpc_constructs.parallelcluster.lifecycle import Lifecycle
from hpc_constructs.parallelcluster.outputs import declare_outputs
from hpc_constructs.parallelcluster.rendering import References, cluster_configuration
from hpc_constructs.parallelcluster.rendering_spot import uses_spot
from hpc_constructs.parallelcluster.rendering_storage import storage_forms
from hpc_constructs.parallelcluster.ssh import SshSources
from hpc_constructs.secrets.construct import ClusterSecrets
from hpc_constructs.staging.construct import Buckets, ScriptStaging
from hpc_constructs.storage.construct import Declared
from hpc_constructs.storage.rendering import made_by_cluster, resources
from hpc_constructs.storage.rendering_kept import storage_kept, storage_lost
from hpc_constructs.tags import resource_tags


class ParallelClusterStack(Stack):
    """Everything one cluster is made of, in the order of creation; deletion goes the other way.

    The stack has no tags of its own: CloudFormation would put them on the key pair, and replace it with them.
    ``scripts`` are to be published beside it (:func:`~hpc_constructs.assets.add_assets`).
    """

    def __init__(self, scope: Construct, *, name: str, spec: Cluster, root: Path) -> None:
        super().__init__(
            scope,
            f"clusterform-pc-{name}",
            env=Environment(account=spec.account, region=spec.region),
            description=f"Slurm cluster {name} on AWS ParallelCluster {spec.parallelcluster_version}",
            termination_protection=termination_protection(spec),
        )
        tags = resource_tags(name, spec)
        secrets = ClusterSecrets(self, "Secrets", name=name, database=spec.software.accounting, tags=tags)
        notifications = Notifications(self, "Notifications", spec=spec, tags=tags)
        buckets = Buckets(self, "Buckets", tags=tags)
        identity = ClusterIdentity(
            self,
            "Identity",
            name=name,
            spec=spec,
            staging_bucket=buckets.staging,
            engine_bucket=buckets.engine,
            database_secret=secrets.database_secret,
            key_pair=secrets.key_pair,
        )
        managing = {
            "name": name,
            "code": handlers_code(),
            "ceiling": identity.ceiling,
            "log_days": spec.logs.retention_days,
            "tags": tags,
        }
        staging = ScriptStaging(self, "ScriptStaging", spec=spec, root=root, buckets=buckets, **managing)
        self.scripts = staging.scripts
        made = made_by_cluster(spec)
        filesystems = Declared(self, "Filesystems", resources(made, spec.network.vpc_id, tags, name))
        ledger = [*kept(name, spec), *storage_kept(made, spec.region)]
        lifecycle = Lifecycle(
            self,
            "LifecycleResources",
            notifications=notifications,
            kept=ledger,
            lost=[*data_lost_with_cluster(spec), *storage_lost(made)],
            told=told(name, spec),
            spot=uses_spot(spec),
            filesystems=storage_forms(spec),
            **managing,
        )
        ssh = SshSources(self, "SshSources", name=name, spec=spec, tags=tags)
        references = References(
            permissions_boundary=ref(identity.boundary),
            key_name=secrets.key_name,
            engine_bucket=ref(buckets.engine),
            entry_url=staging.entry_url,
            head_policies=identity.head_policies,
            compute_policies=identity.compute_policies,
            login_policies=identity.login_policies,
            owner=ref("AWS::StackId"),
            manifest_sha256=staging.manifest_sha256,
            job_sha256=staging.job_sha256,
            ssh_prefix_list=ssh.prefix_list,
        )
        parts = (secrets, notifications, buckets, identity, staging, lifecycle, ssh, filesystems)
        ParallelClusterEngine(
            self,
            "Engine",
            name=name,
            version=spec.parallelcluster_version,
            configuration=cluster_configuration(name, spec, load(), references),
            provider_role_arn=get_att(identity.provider_role, "Arn"),
            lifecycle=lifecycle,
            depends_on=[logical_id for part in parts for logical_id in part.dependencies],
            tags=tags,
        )
        declare_kept(self, ledger)
        declare_outputs(self, name, spec, secrets, notifications, buckets)
