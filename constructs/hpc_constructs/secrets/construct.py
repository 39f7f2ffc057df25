"""What only some may read: the SSH key pair, and the accounting database's password."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import Stack

from hpc_constructs.cloudformation import Part, declare
from hpc_constructs.intrinsics import Value, ref, sub
from hpc_constructs.rendering_accepted import Accepted

KEY_PAIR_ID = "KeyPair"
DATABASE_SECRET_ID = "DatabaseSecret"

PASSWORD_CHARACTERS = 32

ACCEPTED = (
    Accepted(
        "AwsSolutions-SMG4",
        (DATABASE_SECRET_ID,),
        "the accounting daemon reads the password when it starts: a rotation would end accounting until somebody "
        "restarts it. Only the head node reads the secret, and it ends with the cluster",
    ),
)


class ClusterSecrets(Part):
    """The key pair and, with accounting, the database's secret; both go when the stack goes.

    EC2 keeps the private key in one place, the parameter ``/ec2/keypair/<id>`` of Systems Manager. The key pair's
    fixed name lets only one of two stacks that declare the same cluster at the same time come any further. It has
    no tags: EC2 cannot change them, so a changed tag would replace the key of a live cluster.
    """

    def __init__(
        self, scope: Part | Stack, construct_id: str, *, name: str, database: bool, tags: Sequence[Value]
    ) -> None:
        super().__init__(scope, construct_id)
        self.key_pair = declare(
            self, KEY_PAIR_ID, "AWS::EC2::KeyPair", {"KeyName": f"{name}-key", "KeyType": "ed25519"}
        )
        self.dependencies = [self.key_pair]
        self.key_name = ref(self.key_pair)
        self.private_key_parameter = sub(f"/ec2/keypair/${{{self.key_pair}.KeyPairId}}")
        self.database_secret: str | None = None
        if database:
            self.database_secret = declare(
                self,
                DATABASE_SECRET_ID,
                "AWS::SecretsManager::Secret",
                {
                    "Name": f"/clusterform/{name}/database",
                    "Description": f"Slurm's accounting database of cluster {name}",
                    "GenerateSecretString": {"PasswordLength": PASSWORD_CHARACTERS, "ExcludePunctuation": True},
                    "Tags": tags,
                },
            )
            self.dependencies.append(self.database_secret)
