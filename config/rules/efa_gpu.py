"""EFA, GPUDirect and accelerators: what the facts say of each type, never its name."""

from __future__ import annotations

from collections.abc import Iterator

from config.findings import Severity
from config.rules.base import Problem, Rule, Subject
from config.wording import quoted


class EfaCapable(Rule):
    """With ``efa: true`` every instance type of the queue has EFA."""

    name = "efa-capable"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """List the types without."""
        for index, queue in enumerate(subject.spec.queues):
            without = [
                name for name in queue.instance_types if name in subject.types and not subject.types[name].efa
            ]
            if queue.efa and without:
                message = f"queue {quoted(queue.name)} uses EFA, which {', '.join(without)} cannot"
                yield Problem(("queues", index, "efa"), message, "take other types, or write efa: false")


class GpudirectNeedsEfa(Rule):
    """GPUDirect RDMA goes over EFA."""

    name = "gpudirect-needs-efa"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look for one without the other."""
        for index, queue in enumerate(subject.spec.queues):
            if queue.gpudirect and not queue.efa:
                message = f"queue {quoted(queue.name)} uses GPUDirect, which goes over EFA, and has no EFA"
                yield Problem(("queues", index, "gpudirect"), message, "write efa: true, or leave gpudirect out")


class GpudirectCapable(Rule):
    """With ``gpudirect: true`` every instance type of the queue can do GPUDirect RDMA."""

    name = "gpudirect-capable"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """List the types that cannot; one of which it is unknown is the writer's to judge."""
        for index, queue in enumerate(subject.spec.queues):
            types = subject.types
            without = [name for name in queue.instance_types if name in types and types[name].gpudirect is False]
            if queue.gpudirect and without:
                message = f"queue {quoted(queue.name)} uses GPUDirect, which {', '.join(without)} cannot"
                yield Problem(("queues", index, "gpudirect"), message, "leave gpudirect out, or take other types")


class AcceleratorDrivers(Rule):
    """ParallelCluster's images drive NVIDIA's GPUs and AWS's own accelerators; others need your own image."""

    name = "accelerator-drivers"
    severity = Severity.WARNING
    driven = {"gpu": "nvidia", "inference": "aws"}

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look at queues without a custom image."""
        for index, queue in enumerate(subject.spec.queues):
            if queue.custom_ami or subject.spec.custom_ami:
                continue
            for place, name in enumerate(queue.instance_types):
                for chip in self._undriven(subject, name):
                    path = ("queues", index, "instance_types", place)
                    message = f"the image has no driver for the {chip} of {name}"
                    yield Problem(path, message, "give the queue a custom_ami that has one")

    def _undriven(self, subject: Subject, name: str) -> list[str]:
        accelerators = subject.types[name].accelerators if name in subject.types else ()
        return [
            f"{accelerator.maker} {accelerator.name}"
            for accelerator in accelerators
            if accelerator.maker.lower() != self.driven.get(accelerator.kind, accelerator.maker.lower())
        ]
