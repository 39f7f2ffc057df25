"""What the CDK's bootstrap stack of our qualifier has made, by name."""

from __future__ import annotations

QUALIFIER = "clform"
"""Our own, as in cdk.json: what its roles may not do would hit every application that shared it."""
TOOLKIT_STACK = "clusterform-bootstrap"

ASSETS_BUCKET = f"cdk-{QUALIFIER}-assets-${{AWS::AccountId}}-${{AWS::Region}}"
"""Where the CDK CLI uploads assets."""
