"""Slurm's own settings."""

from __future__ import annotations

from collections.abc import Iterator

from config.rules.base import Problem, Rule, Subject
from config.wording import quoted

# Written by ParallelCluster 3.16.1 itself, which refuses them; Slurm ignores case.
DENIED = {
    *("epilog", "grestypes", "launchparameters", "prolog", "reconfigflags", "resumefailprogram", "resumeprogram"),
    *("resumetimeout", "slurmctldhost", "slurmctldlogfile", "slurmctldparameters", "slurmdlogfile", "slurmuser"),
    *("suspendexcnodes", "suspendprogram", "suspendtime", "taskplugin", "treewidth"),
}
ACCOUNTING = {
    *("accountingstoragetype", "accountingstoragehost", "accountingstorageport", "accountingstorageuser"),
    "jobacctgathertype",
}
# A line of slurm.conf that describes something begins with one of these and holds further settings.
DESCRIBING = ("nodename", "partitionname", "nodeset", "downnodes", "frontendname", "switchname")


class SlurmSettings(Rule):
    """``custom_settings`` leave alone what ParallelCluster and our accounting write into slurm.conf themselves."""

    name = "slurm-settings"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look at lines of one setting; lines that describe nodes or partitions may hold any."""
        for index, setting in enumerate(subject.spec.slurm.custom_settings):
            path = ("slurm", "custom_settings", index)
            if len(setting) != 1:
                if not any(key.lower() in DESCRIBING for key in setting):
                    message = f"{len(setting)} settings in one item" if setting else "an empty item"
                    yield Problem(path, message, "write one setting an item, each after its own hyphen")
                continue
            (key,) = setting
            if key.lower() in DENIED:
                yield Problem((*path, key), f"{key} is ParallelCluster's own to set", "remove it")
            elif key.lower() in ACCOUNTING and subject.spec.software.accounting:
                hint = "remove it, or write software.accounting: false"
                yield Problem((*path, key), f"{key} is set by the cluster's accounting", hint)


class SlurmNodeNames(Rule):
    """Names with ``-st-`` or ``-dy-`` in them are ParallelCluster's own nodes."""

    name = "slurm-node-names"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look at nodes that the settings describe."""
        for index, setting in enumerate(subject.spec.slurm.custom_settings):
            for key, value in setting.items():
                if key.lower() == "nodename" and any(part in str(value) for part in ("-st-", "-dy-")):
                    message = f"{quoted(str(value))}: -st- and -dy- in node names are ParallelCluster's own"
                    yield Problem(("slurm", "custom_settings", index, key), message, "rename the nodes")


class DrainStrategy(Rule):
    """``rollout: drain`` replaces nodes through the queue update strategy, which must be DRAIN or TERMINATE."""

    name = "drain-strategy"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare the two."""
        strategy = subject.spec.slurm.queue_update_strategy
        if subject.spec.rollout == "drain" and strategy == "COMPUTE_FLEET_STOP":
            message = f"rollout: drain needs queues that are updated by DRAIN or TERMINATE, not {strategy}"
            hint = "write slurm.queue_update_strategy: DRAIN, or rollout: next_boot"
            yield Problem(("slurm", "queue_update_strategy"), message, hint)
