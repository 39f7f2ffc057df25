"""Names: of the cluster, and of everything that is named within it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from config.findings import KeyPath
from config.models.cluster import Cluster
from config.rules.base import Problem, Rule, Subject
from config.vcpu_classes import class_name
from config.wording import quoted


class ClusterName(Rule):
    """The cluster's name: 3-27 characters, so that the names derived from it fit everywhere.

    ParallelCluster's own stack bears the name, hence no ``clusterform-`` in front: those are our stacks.
    """

    name = "cluster-name"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look at the file's stem."""
        name = subject.name
        if not (3 <= len(name) <= 27 and re.fullmatch(r"(?!.*--)[a-z][a-z0-9-]*[a-z0-9]", name)):
            yield Problem(
                (),
                f"{quoted(name)} cannot be a cluster's name: that has 3-27 characters of a-z, 0-9 and single "
                "hyphens, from a letter to a letter or digit",
                "rename the file: its stem is the cluster's name",
            )
        elif name == "account" or name.startswith("clusterform-"):
            yield Problem(
                (),
                f"{quoted(name)} is reserved: account and names that begin with clusterform- are our own",
                "rename the file",
            )


class UniqueNames(Rule):
    """Queues, login pools, filesystems, downloads: each name once within its list."""

    name = "unique-names"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Report the second of two."""
        for section, names in _names(subject.spec).items():
            first: dict[str, int] = {}
            for index, name in enumerate(names):
                if name in first:
                    path = (section, index, "name")
                    yield Problem(
                        path, f"{quoted(name)} is already the name of {section}[{first[name]}]", "rename one"
                    )
                first.setdefault(name, index)


class NameLength(Rule):
    """Queue and login pool names have at most 25 characters, filesystem names at most 30 (ParallelCluster)."""

    name = "name-length"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare with ParallelCluster's limits."""
        limits = {"queues": 25, "login": 25, "storage": 30}
        names = _names(subject.spec)
        for section, limit in limits.items():
            for index, name in enumerate(names[section]):
                if len(name) > limit:
                    message = f"{quoted(name)} has {len(name)} characters, at most {limit} are allowed"
                    yield Problem((section, index, "name"), message, "shorten it")


class HiddenNameCollision(Rule):
    """Different names of ours that ParallelCluster turns into one and the same name of its own.

    It drops the hyphens of login pools in its templates, and names launch templates after the pool, or after the
    queue and its compute resource.
    """

    name = "hidden-name-collision"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Derive ParallelCluster's names and compare."""
        templates = dict(_launch_templates(subject))
        bare: dict[str, str] = {}
        for index, pool in enumerate(subject.spec.login):
            path: KeyPath = ("login", index, "name")
            squeezed = pool.name.replace("-", "")
            other = bare.setdefault(squeezed, pool.name)
            if other != pool.name:
                yield Problem(
                    path,
                    f"{quoted(pool.name)} and {quoted(other)} are one name to ParallelCluster: {quoted(squeezed)}",
                    "rename one",
                )
            if pool.name in templates:
                owner = quoted(templates[pool.name])
                yield Problem(
                    path,
                    f"{quoted(pool.name)} is also what ParallelCluster calls a launch template of queue {owner}",
                    "rename the login pool",
                )


class UniqueEmails(Rule):
    """An address is told once."""

    name = "unique-emails"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Report the second of two."""
        yield from repeated_emails(subject.spec.notifications.emails)


def repeated_emails(emails: Sequence[str]) -> Iterator[Problem]:
    """Each address of ``notifications.emails`` that stands in the list before."""
    for index, email in enumerate(emails):
        if email in emails[:index]:
            yield Problem(("notifications", "emails", index), f"{email} is listed already", "remove one")


class TopicOrEmails(Rule):
    """An organisation's topic has its own subscriptions; addresses beside it would never be told."""

    name = "topic-or-emails"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Report addresses beside a topic."""
        told = subject.spec.notifications
        if told.topic_arn is not None and told.emails:
            message = f"addresses are given beside the topic {told.topic_arn}, which we subscribe nobody to"
            yield Problem(("notifications", "emails"), message, "leave emails out, or topic_arn")


def _names(spec: Cluster) -> dict[str, list[str]]:
    return {
        "queues": [queue.name for queue in spec.queues],
        "login": [pool.name for pool in spec.login],
        "storage": [storage.name for storage in spec.storage],
        "downloads": [download.name for download in spec.downloads],
    }


def _launch_templates(subject: Subject) -> Iterator[tuple[str, str]]:
    for queue in subject.spec.queues:
        for name in queue.instance_types:
            if name in subject.types:
                group = class_name(subject.types[name], multithreading=queue.multithreading)
                yield f"{queue.name}-{group}", queue.name
