"""The results bucket, the Spot role and what the account's stack keeps of itself. Plain data."""

from __future__ import annotations

from collections.abc import Sequence

from config.models.account import Account
from hpc_constructs.intrinsics import Value, sub
from hpc_constructs.ledger.rendering import BUCKET_COST, Entry
from hpc_constructs.rendering_accepted import Accepted
from hpc_constructs.staging.rendering import bucket

RESULTS_BUCKET_ID = "ResultsBucket"
SPOT_ROLE_ID = "SpotRole"
SPOT_SERVICE = "spot.amazonaws.com"
UNFINISHED_DAYS = 7
"""Parts of an upload that never ended are charged for, and nobody sees them."""
REPLACED_DAYS = 90
"""How long a deleted or overwritten object can still be fetched back."""

ACCEPTED = (
    Accepted(
        "AwsSolutions-S1",
        (RESULTS_BUCKET_ID,),
        "the log would need a second bucket that is kept for ever; CloudTrail's data events tell the same, for "
        "all buckets of the account",
    ),
)


def results_bucket(spec: Account, tags: Sequence[Value]) -> dict[str, Value]:
    """Properties of the bucket that outlives every cluster."""
    name = spec.results_bucket or sub("clusterform-results-${AWS::AccountId}-${AWS::Region}")
    rules = [
        {
            "Id": "unfinished-uploads",
            "Status": "Enabled",
            "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": UNFINISHED_DAYS},
        },
        {
            "Id": "replaced-versions",
            "Status": "Enabled",
            "NoncurrentVersionExpiration": {"NoncurrentDays": REPLACED_DAYS},
        },
    ]
    return {"BucketName": name, **bucket(tags), "LifecycleConfiguration": {"Rules": rules}}


def account_tags(spec: Account) -> list[dict[str, Value]]:
    """What every resource of the account's stack carries."""
    tags = {
        "ClusterOwner": spec.owner.name,
        "ClusterOwnerDepartment": spec.owner.department,
        "ClusterOwnerEmail": spec.owner.email,
        **({"ProjectID": spec.owner.project} if spec.owner.project else {}),
    }
    return [{"Key": key, "Value": value} for key, value in sorted(tags.items())]


def account_kept(spec: Account) -> list[Entry]:
    """What outlives the account's stack."""
    where = f"--region {spec.region}"
    entries = [
        Entry(
            what=f"S3 bucket ${{{RESULTS_BUCKET_ID}}}",
            reason="holds the results of clusters, those of clusters that are gone among them",
            cost=BUCKET_COST,
            removal=(
                f"aws s3api list-object-versions {where} --bucket ${{{RESULTS_BUCKET_ID}}}",
                f"aws s3api delete-objects {where} --bucket ${{{RESULTS_BUCKET_ID}}} --delete OBJECTS",
                f"aws s3api delete-bucket {where} --bucket ${{{RESULTS_BUCKET_ID}}}",
            ),
        )
    ]
    if spec.spot_role == "create":
        entries.append(
            Entry(
                what=f"role ${{{SPOT_ROLE_ID}}}",
                reason="everything in the account that uses Spot needs it, clusters or not",
                cost="nothing",
                removal=("aws iam delete-service-linked-role --role-name AWSServiceRoleForEC2Spot",),
            )
        )
    return entries
