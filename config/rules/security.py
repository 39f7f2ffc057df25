"""Encryption, entry and the directory."""

from __future__ import annotations

from collections.abc import Iterator

from config.derived import termination_protection
from config.findings import KeyPath, Severity
from config.models.cluster import Cluster
from config.models.filesystems import EbsSettings, EfsSettings
from config.models.storage import Efs, Imported
from config.models.storage_file import StorageFile
from config.rules.base import FileSubject, FilesystemRule, Problem, Rule, Subject
from config.rules.parts import made
from config.wording import quoted


class EncryptionOff(FilesystemRule):
    """Disks and filesystems are encrypted unless somebody says otherwise; this is where it shows."""

    name = "encryption-off"
    severity = Severity.WARNING

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Look at everything that can be encrypted."""
        for path, encrypted in _encryption(subject.spec):
            if not encrypted:
                yield Problem(path, "encryption is switched off", "remove the line: encrypted is the default")


class SomebodyCanLogIn(Rule):
    """Without Session Manager and without a reader of the SSH key, nobody reaches the cluster."""

    name = "somebody-can-log-in"
    severity = Severity.WARNING

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look for either way; a directory brings users with keys or passwords of their own."""
        spec = subject.spec
        if not spec.session_manager and spec.ssh.key_reader is None and spec.directory is None:
            message = "nobody can log in: session_manager is off and nobody may read the SSH key"
            yield Problem(("session_manager",), message, "write ssh.key_reader: ROLE, or session_manager: true")


class KeyReaderInProd(Rule):
    """In prod, Session Manager leaves a trace of who came in; a shared key does not."""

    name = "key-reader-in-prod"
    severity = Severity.WARNING

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look for a reader in prod."""
        spec = subject.spec
        if spec.environment == "prod" and spec.ssh.key_reader is not None:
            message = f"role {spec.ssh.key_reader} may read the private key of a production cluster"
            yield Problem(("ssh", "key_reader"), message, "remove it and use Session Manager")


class UnprotectedProd(FilesystemRule):
    """A production stack without termination protection is one command away from deletion."""

    name = "unprotected-prod"
    severity = Severity.WARNING

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Look for protection that is switched off."""
        if subject.spec.environment == "prod" and not termination_protection(subject.spec):
            message = "a production stack without termination protection"
            yield Problem(
                ("termination_protection",), message, "remove the line: protection is the default in prod"
            )


class CeilingInProd(Rule):
    """In prod, whoever can deploy a cluster cannot also raise what its managing roles may do."""

    name = "ceiling-in-prod"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look for a ceiling of the cluster's own."""
        spec = subject.spec
        if spec.environment == "prod" and spec.identity.ceiling == "cluster":
            message = "a production cluster whose own stack declares the ceiling over the roles that manage it"
            hint = (
                "write identity: {ceiling: account}, once an administrator has deployed the account's stack "
                "(-c scope=account), or the ARN of your organisation's own boundary"
            )
            yield Problem(("identity", "ceiling"), message, hint)


class DirectoryTls(Rule):
    """Passwords go to the directory over TLS. ParallelCluster takes ``ldap://`` with a further setting only."""

    name = "directory-tls"
    severity = Severity.WARNING

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look at each address."""
        for index, address in enumerate(subject.spec.directory.address if subject.spec.directory else ()):
            if address.startswith("ldap://"):
                path = ("directory", "address", index)
                yield Problem(
                    path, f"{address} is not encrypted", f"write ldaps://{address.removeprefix('ldap://')}"
                )


class DirectoryCertificate(Rule):
    """The directory's certificate is verified, else anybody on the way can pretend to be it."""

    name = "directory-certificate"
    severity = Severity.WARNING

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look for anything but hard and demand."""
        directory = subject.spec.directory
        if directory is not None and directory.verify_certificate not in ("hard", "demand"):
            message = f"{quoted(directory.verify_certificate)} accepts a directory with any certificate"
            yield Problem(("directory", "verify_certificate"), message, "write hard")


def _encryption(spec: Cluster | StorageFile) -> Iterator[tuple[KeyPath, bool]]:
    for path, each in made(spec):
        if isinstance(each, EbsSettings | EfsSettings):
            yield (*path, "encrypted"), each.encrypted
    if isinstance(spec, StorageFile):
        return
    yield ("head_node", "root_volume", "encrypted"), spec.head_node.root_volume.encrypted
    for index, queue in enumerate(spec.queues):
        yield ("queues", index, "root_volume", "encrypted"), queue.root_volume.encrypted
    for index, storage in enumerate(spec.storage):
        if isinstance(storage, Efs | Imported):
            yield ("storage", index, "encryption_in_transit"), storage.encryption_in_transit
