"""The stack of an account: what all clusters of one account and Region share."""

from __future__ import annotations

from aws_cdk import CfnOutput, Environment, LegacyStackSynthesizer, Stack, Token
from constructs import Construct

from config.models.account import Account
from hpc_constructs.account.construct import FailureNotices, Policies, Results, SpotRole
from hpc_constructs.account.rendering_execution import bootstrap_command
from hpc_constructs.account.rendering_results import RESULTS_BUCKET_ID, account_kept, account_tags
from hpc_constructs.intrinsics import ref
from hpc_constructs.ledger.construct import declare_kept

NAME = "clusterform-account"


class AccountStack(Stack):
    """Deployed by an administrator, with the administrator's own permissions, before the CDK is bootstrapped.

    The bootstrap's execution role gets its policies from here, and must not be able to change them. So the stack
    takes no role of the bootstrap's, and has no assets. (The CDK's BootstraplessSynthesizer still takes the deploy
    role, in spite of its name.)
    """

    def __init__(self, scope: Construct, *, spec: Account) -> None:
        super().__init__(
            scope,
            NAME,
            env=Environment(account=spec.account, region=spec.region),
            description="What all Slurm clusters of this account and Region share",
            synthesizer=LegacyStackSynthesizer(),
            termination_protection=True,
        )
        tags = account_tags(spec)
        Results(self, "Results", spec=spec, tags=tags)
        FailureNotices(self, "FailureNotices", spec=spec, tags=tags)
        Policies(self, "Policies", spec=spec)
        if spec.spot_role == "create":
            SpotRole(self, "Spot")
        CfnOutput(self, "ResultsBucketName", value=Token.as_string(ref(RESULTS_BUCKET_ID)))
        CfnOutput(self, "BootstrapCommand", value=Token.as_string(bootstrap_command(spec)))
        declare_kept(self, account_kept(spec))
