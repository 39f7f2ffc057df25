"""The ParallelCluster document of one cluster, as plain data."""

from __future__ import annotations

from config.derived import HEAD_ROOT_GIB, bootstrap_timeout
from config.facts.instance_types import InstanceTypes
from config.models.access import Directory
from config.models.cluster import Cluster
from hpc_constructs.intrinsics import Value
from hpc_constructs.parallelcluster.rendering_actions import head_actions
from hpc_constructs.parallelcluster.rendering_compute import login_pool, node_iam, security_groups, slurm_queue
from hpc_constructs.parallelcluster.rendering_merge import merge
from hpc_constructs.parallelcluster.rendering_references import References as References
from hpc_constructs.parallelcluster.rendering_ssh import dcv, ssh_source
from hpc_constructs.parallelcluster.rendering_storage import root_volume, shared_storage
from hpc_constructs.parallelcluster.rendering_tags import document_tags


def cluster_configuration(
    name: str, spec: Cluster, types: InstanceTypes, references: References
) -> dict[str, Value]:
    """The whole configuration that ParallelCluster is given for cluster ``name``.

    ``spec`` has passed the rules, so that nothing is checked here. Keys stand in the order of ParallelCluster's
    own documentation; empty sections are left out. The raw fragment is laid over the result last.
    """
    document: dict[str, Value] = {
        "Region": spec.region,
        "Image": {"Os": spec.os, **({"CustomAmi": spec.custom_ami} if spec.custom_ami else {})},
        "HeadNode": _head_node(spec, references),
        "LoginNodes": {"Pools": [login_pool(spec, pool, types, references) for pool in spec.login]},
        "Scheduling": {
            "Scheduler": "slurm",
            "SlurmSettings": _slurm_settings(spec),
            "SlurmQueues": [slurm_queue(spec, queue, types, references) for queue in spec.queues],
        },
        "SharedStorage": shared_storage(spec),
        "DirectoryService": _directory(spec.directory) if spec.directory else {},
        # The log group outlives the cluster on purpose: it tells why a cluster failed.
        "Monitoring": {
            "Logs": {"CloudWatch": {"RetentionInDays": spec.logs.retention_days, "DeletionPolicy": "Retain"}}
        },
        "Iam": {
            "PermissionsBoundary": references.permissions_boundary,
            "ResourcePrefix": f"/clusterform/{name}/",
        },
        "Imds": {"ImdsSupport": "v2.0"},
        "CustomS3Bucket": references.engine_bucket,
        "DevSettings": {"Timeouts": {"HeadNodeBootstrapTimeout": bootstrap_timeout(spec)}},
        "Tags": document_tags(name, spec, references.owner),
    }
    if not spec.login:
        del document["LoginNodes"]
    return merge({key: value for key, value in document.items() if value}, spec.parallelcluster.raw)


def _head_node(spec: Cluster, references: References) -> dict[str, Value]:
    head = spec.head_node
    networking: dict[str, Value] = {"SubnetId": spec.network.subnets[head.subnet].id}
    if head.elastic_ip:
        networking["ElasticIp"] = True
    document: dict[str, Value] = {"InstanceType": head.instance_type}
    if not head.multithreading:
        document["DisableSimultaneousMultithreading"] = True
    document |= {
        "Networking": networking | security_groups(spec, head.security_groups),
        "Ssh": {"KeyName": references.key_name, "AllowedIps": ssh_source(spec, references)},
        "LocalStorage": {"RootVolume": root_volume(head.root_volume, HEAD_ROOT_GIB)},
        "Dcv": dcv(spec),
        "CustomActions": head_actions(spec, references),
        "Iam": node_iam(references.head_policies, head.policies),
        # Only root and the cluster's administrator may ask the metadata service for the head node's credentials.
        "Imds": {"Secured": True},
    }
    return {key: value for key, value in document.items() if value}


def _slurm_settings(spec: Cluster) -> dict[str, Value]:
    settings: dict[str, Value] = {
        "ScaledownIdletime": spec.slurm.scaledown_idletime,
        "QueueUpdateStrategy": spec.slurm.queue_update_strategy,
    }
    if spec.slurm.custom_settings:
        settings["CustomSlurmSettings"] = [dict(setting) for setting in spec.slurm.custom_settings]
    return settings


def _directory(directory: Directory) -> dict[str, Value]:
    document = {
        "DomainName": directory.domain_name,
        "DomainAddr": ",".join(directory.address),
        "PasswordSecretArn": directory.password_secret,
        "DomainReadOnlyUser": directory.read_only_user,
        "LdapTlsCaCert": directory.ca_certificate,
        "LdapTlsReqCert": directory.verify_certificate,
        "LdapAccessFilter": directory.access_filter,
        "GenerateSshKeysForUsers": directory.generate_ssh_keys,
    }
    return {key: value for key, value in document.items() if value is not None}
