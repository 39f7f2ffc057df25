"""A cluster and a storage file with everything that permissions depend on."""

from __future__ import annotations

from typing import Any

from tests.factories import MINIMAL, document, storage_document
from tests.iam.resolver import ACCOUNT, PARTITIONS
from tests.parallelcluster_cases import FULL

PERSISTENT = {"deployment_type": "PERSISTENT_1", "throughput_per_tib": 50}


def everything(partition: str) -> dict[str, Any]:
    """Every key of the model, with secrets of three kinds that are not the same one."""
    where = f"arn:{partition}:{{}}:{PARTITIONS[partition]}:{ACCOUNT}"
    secret = where.format("secretsmanager")
    directory = {**FULL["directory"], "password_secret": f"{secret}:secret:directory-AbCdEf"}
    return {
        **FULL,
        "account": ACCOUNT,
        "extends": None,
        "ssh": {"allowed_cidrs": ["10.1.0.0/16", "10.2.0.0/16"], "key_reader": "admins"},
        "session_manager": True,
        "identity": {"ceiling": "cluster"},
        "software": {"accounting": True},
        "directory": directory,
        "access": {**FULL["access"], "secrets": [f"{secret}:secret:licence-AbCdEf"]},
        "notifications": {"emails": ["team@example.org"], "webhook_secret": f"{secret}:secret:webhook-AbCdEf"},
    }


def fragment(partition: str) -> dict[str, Any]:
    """A cluster whose raw fragment asks for all that policies read from one."""
    where = f"arn:{partition}:{{}}:{PARTITIONS[partition]}:{ACCOUNT}"
    group = where.format("resource-groups") + ":group/hpc"
    efs = {"FileSystemId": "fs-0123456789abcdef0", "IamAuthorization": True, "EncryptionInTransit": True}
    raw = {
        "Scheduling": {
            "SlurmSettings": {"MungeKeySecretArn": where.format("secretsmanager") + ":secret:munge-AbCdEf"},
            "SlurmQueues": [
                {"Name": "cpu", "CapacityReservationTarget": {"CapacityReservationResourceGroupArn": group}}
            ],
        },
        "SharedStorage": [{"Name": "raw", "MountDir": "/raw", "StorageType": "Efs", "EfsSettings": efs}],
        "DeploymentSettings": {
            "LambdaFunctionsVpcConfig": {"SubnetIds": ["subnet-0aaa1234"], "SecurityGroupIds": ["sg-0aaa1234"]}
        },
    }
    return document(parallelcluster={"raw": raw})


def storage(partition: str) -> dict[str, Any]:
    """Filesystems of every kind, all with backups, under a ceiling of the stack's own."""
    key = f"arn:{partition}:kms:{PARTITIONS[partition]}:{ACCOUNT}:key/01234567-89ab-cdef-0123-456789abcdef"
    backup = {"schedule": "cron(0 3 ? * * *)", "keep_days": 35}
    return storage_document(
        {"name": "home", "type": "efs", "kms_key": key, "backup": backup},
        {"name": "fast", "type": "fsx-lustre", "subnet": "private-a", **PERSISTENT, "backup": backup},
        {
            "name": "disk",
            "type": "ebs",
            "zone": MINIMAL["network"]["subnets"]["private-a"]["zone"],
            "backup": backup,
        },
    )
