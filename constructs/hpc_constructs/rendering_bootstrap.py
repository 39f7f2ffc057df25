"""What the CDK's bootstrap stack of our qualifier has made, by name."""

from __future__ import annotations

ASSETS_BUCKET = "cdk-clform-assets-${AWS::AccountId}-${AWS::Region}"
"""Where the CDK CLI uploads assets."""
