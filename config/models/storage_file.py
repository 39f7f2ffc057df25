"""A storage file: filesystems that outlive clusters and may be shared by several."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from config.models.access import Network, Owner
from config.models.base import AccountId, Model, Region


class StorageFile(Model):
    """What ``config/storage/NAME.yaml`` declares; it stands alone, without layers beneath it."""

    account: AccountId | None = Field(
        default=None, description="When given, a deploy with other credentials is refused"
    )
    region: Region = Field(description="The AWS Region, which its clusters must share")
    owner: Owner
    environment: Literal["dev", "test", "stage", "prod"] = Field(
        default="dev", description="What the data is for; prod has rules of its own"
    )
    network: Network
