"""Tags: what may be added to ours."""

from __future__ import annotations

import re
from collections.abc import Iterator

from config.findings import KeyPath
from config.rules.base import Problem, Rule, Subject
from config.wording import quoted

RESERVED_PREFIXES = ("aws:", "parallelcluster:", "clusterform:")
OURS = (
    *("ClusterID", "ClusterOwner", "ClusterOwnerEmail", "ClusterOwnerDepartment", "ClusterStackType"),
    *("ClusterOSType", "ClusterScheduler", "ClusterSerialNumber", "ProdLevel", "ProjectID", "clusterform:owner"),
)
"""The tags that every cluster carries."""
LIMIT = 39
"""ParallelCluster's is 40, of EC2's 50; the provider adds one to the configuration's before they are counted."""
# What every AWS service takes in keys and values (EC2 alone would take more).
TEXT = re.compile(r"[\w\s+\-=.:/@]*")


def taken(key: str) -> str | None:
    """Why a tag's key cannot be one of yours, or None."""
    prefix = next((prefix for prefix in RESERVED_PREFIXES if key.lower().startswith(prefix)), None)
    if prefix is not None:
        return f"tag keys that begin with {prefix} are reserved"
    if key.lower() in {ours.lower() for ours in OURS}:
        return f"{key} is a tag of ours, which cannot be changed"
    return None


class TagKeys(Rule):
    """Keys are your own: not reserved, not one of ours, at most 128 characters."""

    name = "tag-keys"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look at every key."""
        for key in subject.spec.tags:
            path = ("tags", key)
            if why := taken(key):
                yield Problem(path, why, "choose another key")
            elif not 1 <= len(key) <= 128:
                yield Problem(path, f"a tag key has 1 to 128 characters, this one {len(key)}", "shorten it")


class TagText(Rule):
    """Values have at most 256 characters, keys and values only those that every AWS service takes."""

    name = "tag-text"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look at your tags, and at the owner's words that become tags."""
        owner = subject.spec.owner
        texts: list[tuple[KeyPath, str]] = [(("owner", "department"), owner.department)]
        texts.append((("owner", "email"), owner.email))
        texts.append((("owner", "project"), owner.project or ""))
        for key, value in subject.spec.tags.items():
            texts += [(("tags", key), key), (("tags", key), value)]
        for path, text in texts:
            if not TEXT.fullmatch(text):
                hint = "use letters, digits, spaces and + - = . _ : / @"
                yield Problem(path, f"{quoted(text)} holds characters that tags cannot", hint)
            elif len(text) > 256:
                yield Problem(
                    path, f"a tag's value has at most 256 characters, this one {len(text)}", "shorten it"
                )


class TagCount(Rule):
    """At most 39 tags, ours included."""

    name = "tag-count"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Add yours to ours."""
        count = len(subject.spec.tags) + len(OURS)
        if count > LIMIT:
            message = f"{len(subject.spec.tags)} tags and {len(OURS)} of ours: at most {LIMIT} are possible"
            yield Problem(("tags",), message, f"keep {LIMIT - len(OURS)} of yours")
