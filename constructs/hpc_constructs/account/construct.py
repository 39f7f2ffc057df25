"""What all clusters of one account and Region share."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from aws_cdk import Stack

from config.models.account import Account
from hpc_constructs.account.rendering_failures import NOTICES, pattern, transformer
from hpc_constructs.account.rendering_policies import account_policies
from hpc_constructs.account.rendering_results import (
    RESULTS_BUCKET_ID,
    SPOT_ROLE_ID,
    SPOT_SERVICE,
    results_bucket,
)
from hpc_constructs.cloudformation import Part, declare
from hpc_constructs.identity.rendering_documents import ACCOUNT_PATH, account_policy_name, document
from hpc_constructs.intrinsics import Value, get_att, ref
from hpc_constructs.staging.rendering import bucket_policy, tls_only


class Results(Part):
    """The results bucket: kept whatever becomes of the stack, and written by whoever a cluster's file lets."""

    def __init__(self, scope: Part | Stack, construct_id: str, *, spec: Account, tags: Sequence[Value]) -> None:
        super().__init__(scope, construct_id)
        bucket = declare(self, RESULTS_BUCKET_ID, "AWS::S3::Bucket", results_bucket(spec, tags), retain=True)
        declare(
            self,
            f"{RESULTS_BUCKET_ID}Policy",
            "AWS::S3::BucketPolicy",
            bucket_policy(bucket, [tls_only(bucket)]),
            retain=True,
        )


class FailureNotices(Part):
    """A topic, and the rules that tell it of updates and deletions of our stacks which failed."""

    def __init__(self, scope: Part | Stack, construct_id: str, *, spec: Account, tags: Sequence[Value]) -> None:
        super().__init__(scope, construct_id)
        self.topic = declare(self, "FailureTopic", "AWS::SNS::Topic", {"Tags": tags})
        for email in sorted(set(spec.notifications.emails or [spec.owner.email])):
            logical_id = f"Subscription{hashlib.sha256(email.encode()).hexdigest()[:8]}"
            properties = {"TopicArn": ref(self.topic), "Protocol": "email", "Endpoint": email}
            declare(self, logical_id, "AWS::SNS::Subscription", properties)
        rules = [self._rule(logical_id) for logical_id in NOTICES]
        declare(
            self,
            "FailureTopicPolicy",
            "AWS::SNS::TopicPolicy",
            {"Topics": [ref(self.topic)], "PolicyDocument": document(self._publishers(rules))},
        )

    def _rule(self, logical_id: str) -> str:
        notice = NOTICES[logical_id]
        target = {"Id": "Topic", "Arn": ref(self.topic), "InputTransformer": transformer(notice)}
        properties = {"Description": notice.headline, "EventPattern": pattern(notice), "Targets": [target]}
        return declare(self, logical_id, "AWS::Events::Rule", properties)

    def _publishers(self, rules: Sequence[str]) -> list[dict[str, Value]]:
        topic = ref(self.topic)
        insecure = {"Bool": {"aws:SecureTransport": "false"}}
        return [
            {
                "Sid": "Rules",
                "Effect": "Allow",
                "Principal": {"Service": "events.amazonaws.com"},
                "Action": "sns:Publish",
                "Resource": topic,
                "Condition": {"ArnEquals": {"aws:SourceArn": [get_att(rule, "Arn") for rule in rules]}},
            },
            {
                "Sid": "TlsOnly",
                "Effect": "Deny",
                "Principal": "*",
                "Action": "sns:Publish",
                "Resource": topic,
                "Condition": insecure,
            },
        ]


class Policies(Part):
    """The managed policies. None is attached: whoever administers the account decides who gets which."""

    def __init__(self, scope: Part | Stack, construct_id: str, *, spec: Account) -> None:
        super().__init__(scope, construct_id)
        for policy in account_policies(spec):
            declare(
                self,
                policy.logical_id,
                "AWS::IAM::ManagedPolicy",
                {
                    "ManagedPolicyName": account_policy_name(policy.purpose),
                    "Path": ACCOUNT_PATH,
                    "PolicyDocument": document(policy.statements),
                },
            )


class SpotRole(Part):
    """The role that Spot needs, once an account. Kept: EC2 refuses to delete it while anything uses Spot."""

    def __init__(self, scope: Part | Stack, construct_id: str) -> None:
        super().__init__(scope, construct_id)
        declare(self, SPOT_ROLE_ID, "AWS::IAM::ServiceLinkedRole", {"AWSServiceName": SPOT_SERVICE}, retain=True)
