"""What a rule is: one small class that looks at one configuration and names what is wrong with it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from config.facts.instance_types import InstanceTypes
from config.findings import KeyPath, Severity
from config.models.base import Model
from config.models.cluster import Cluster
from config.models.storage_file import StorageFile

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Subject:
    """What a rule may look at. ``root`` is the project's root, for files that the configuration names."""

    name: str
    spec: Cluster
    types: InstanceTypes
    root: Path


@dataclass(frozen=True)
class Problem:
    """One violation: the place in the expanded configuration, what is wrong, what to write instead."""

    path: KeyPath
    message: str
    hint: str = ""


class Check(ABC):
    """Checks one thing. ``name`` is stable: it is documented, tested and shown. Never raises for bad input."""

    name: ClassVar[str]
    severity: ClassVar[Severity] = Severity.ERROR


class Rule(Check):
    """A check of one expanded cluster."""

    @abstractmethod
    def check(self, subject: Subject) -> Iterator[Problem]:
        """Yield every violation."""


@dataclass(frozen=True)
class FileSubject(Generic[M]):
    """What a rule about a file that stands alone may look at: the file's stem, and what it declares."""

    name: str
    spec: M


class FileRule(Check, Generic[M]):
    """A check of one file that stands alone: a storage file, or the account's."""

    @abstractmethod
    def check(self, subject: FileSubject[M]) -> Iterator[Problem]:
        """Yield every violation."""


class FilesystemRule(Rule, FileRule[StorageFile]):
    """A check of what is made, in clusters and in storage files alike."""

    @abstractmethod
    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Yield every violation."""
