"""What a reviewer's tool finds in our templates and we accept, with the reason. Plain data, without the tool.

Each table stands beside what it is about. A test runs cdk-nag's AwsSolutions over every example's template, and
fails for a finding without a line as for a line without a finding.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Accepted:
    """A rule that some resources, by their logical ids, do not follow, and why.

    The rule about wildcards (``AwsSolutions-IAM5``) names each one: an ``Action`` in full, a resource as
    ``SERVICE NAME`` without partition, Region and account. ``findings`` are beginnings of these.
    """

    rule: str
    resources: tuple[str, ...]
    why: str
    findings: tuple[str, ...] = ("",)

    def covers(self, rule: str, resource: str, finding: str) -> bool:
        """Whether a finding is meant."""
        return rule == self.rule and resource in self.resources and finding.startswith(self.findings)
