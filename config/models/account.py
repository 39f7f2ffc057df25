"""The account's file: what all clusters of one account and Region share, deployed by an administrator."""

from __future__ import annotations

from pydantic import Field

from config.models.access import Owner
from config.models.base import AccountId, Model, Region


class Account(Model):
    """What ``config/account.yaml`` declares; it stands alone, without layers beneath it."""

    account: AccountId = Field(description="The account; a deploy with other credentials is refused")
    region: Region = Field(description="The AWS Region; several Regions take one project each")
    owner: Owner
