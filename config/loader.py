"""Loads the selected clusters: layers, models, rules, and every finding of all of them at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from config import layers, neighbours, salvage
from config.document import Node, Origin, along, origins, plain
from config.facts import instance_types
from config.findings import ConfigError, Finding, KeyPath, Severity
from config.models.cluster import Cluster
from config.models.storage import Imported, Storage
from config.models.storage_file import StorageFile
from config.near import listing, nearest
from config.report import in_order
from config.rules.base import Problem, Subject
from config.rules.run import check
from config.rules.storage_files import STORAGE_RULES
from config.selection import CLUSTERS, STORAGE, STORAGE_FILE, Selection, existing
from config.source import Source, read
from config.standalone import LoadedFile, load_file
from config.translate import MISSING_KEY, findings, located
from config.wording import shown

DEFAULTS = "config/defaults.yaml"
PROFILES = "config/profiles"


@dataclass(frozen=True)
class LoadedCluster:
    """One valid cluster. ``origins`` holds every value that some layer gave; what is absent there is a default.

    ``findings`` are warnings: errors never get this far.
    """

    name: str
    spec: Cluster
    origins: Mapping[KeyPath, Origin]
    findings: tuple[Finding, ...]


def load_clusters(root: Path, selection: Selection) -> list[LoadedCluster]:
    """The selected clusters in the selection's order; ``root`` is the project's root.

    Raises ``ConfigError`` with all findings of all selected clusters if one of them is an error.
    """
    shared = _SharedLayers(root)
    attempts = [_Attempt(root, name, selection, shared) for name in selection.clusters]
    loaded = [attempt.load() for attempt in attempts]
    found = [finding for attempt in attempts for finding in attempt.findings]
    found += _clashes([cluster for cluster in loaded if cluster], root, shared)
    if any(finding.severity is Severity.ERROR for finding in found):
        raise ConfigError(in_order(found))
    return [cluster for cluster in loaded if cluster]


def _clashes(clusters: list[LoadedCluster], root: Path, shared: _SharedLayers) -> list[Finding]:
    """Names that the clusters share with one another, or with clusters that are not selected but can be loaded."""
    near = neighbours.related([cluster.name for cluster in clusters], existing(root))
    others = [_Attempt(root, name, Selection((name,)), shared).load() for name in near]
    known = [(cluster.name, cluster.spec) for cluster in (*others, *clusters) if cluster]
    selected = {cluster.name: cluster for cluster in clusters}
    return [
        _clash(selected[name], problem)
        for name, problem in neighbours.clashes(known, instance_types.load())
        if name in selected
    ]


def _clash(cluster: LoadedCluster, problem: Problem) -> Finding:
    origin = cluster.origins.get(problem.path, Origin(f"{CLUSTERS}/{cluster.name}.yaml"))
    return Finding(
        rule="clashing-names",
        message=problem.message,
        path=problem.path,
        file=origin.file,
        line=origin.line,
        hint=problem.hint,
    )


class _SharedLayers:
    """The defaults, profiles and storage files, each read once however many clusters use it."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._sources: dict[str, Source] = {}
        self._storage: dict[str, tuple[LoadedFile[StorageFile] | None, list[Finding]]] = {}

    def storage(self, name: str) -> tuple[LoadedFile[StorageFile] | None, list[Finding]]:
        """A storage file that exists, or None with an error among its findings."""
        if name not in self._storage:
            self._storage[name] = load_file(self._root, f"{STORAGE}/{name}.yaml", StorageFile, STORAGE_RULES)
        return self._storage[name]

    def layer(self, file: str) -> Source:
        """One shared file; an absent or empty one is an empty layer, with a finding if a profile is absent."""
        if file not in self._sources:
            self._sources[file] = self._read(file)
        return self._sources[file]

    def _read(self, file: str) -> Source:
        if file == DEFAULTS and not (self._root / file).exists():
            return Source(file, Node({}, Origin(file)))
        source = read(self._root, file)
        if source.root is None and not source.findings:
            return Source(file, Node({}, Origin(file)))
        if source.root and isinstance(source.root.value, dict) and "extends" in source.root.value:
            entries = dict(source.root.value)
            place = entries.pop("extends").origin
            source.findings.append(
                Finding(
                    rule="extends",
                    message="only a cluster's own file can extend a profile",
                    path=("extends",),
                    file=place.file,
                    line=place.line,
                    hint="write the values of the other profile here",
                )
            )
            source.root = replace(source.root, value=entries)
        return source


class _Attempt:
    """One cluster on its way from files to a typed specification."""

    def __init__(self, root: Path, name: str, selection: Selection, shared: _SharedLayers) -> None:
        self.findings: list[Finding] = []
        self._root, self._name, self._selection, self._shared = root, name, selection, shared
        self._complete = True

    def load(self) -> LoadedCluster | None:
        """The cluster, or None with at least one error among the findings."""
        tree = self._tree()
        if tree is None:
            return None
        spec = self._typed(tree)
        if spec is None or any(finding.severity is Severity.ERROR for finding in self.findings):
            return None
        return LoadedCluster(self._name, spec, dict(origins(tree)), tuple(in_order(self.findings)))

    def _tree(self) -> Node | None:
        """All layers merged, or None when the cluster's own file cannot be read."""
        file = f"{CLUSTERS}/{self._name}.yaml"
        source = read(self._root, file)
        self.findings += source.findings
        if source.root is None:
            if not source.findings:
                self._find("file-empty", "the file is empty", Origin(file), hint="declare a cluster in it")
            return None
        tree = self._based(source.root, DEFAULTS)
        for override in self._selection.overrides:
            try:
                tree = layers.apply(tree, override, Cluster)
            except layers.OverrideError as error:
                self.findings.append(error.finding)
        return tree

    def _based(self, own: Node, defaults: str) -> Node:
        base = self._layer(defaults)
        profile = self._profile(own)
        if profile:
            base = layers.merge(base, self._layer(profile))
        return layers.merge(base, own)

    def _layer(self, file: str) -> Node:
        source = self._shared.layer(file)
        self.findings += source.findings
        if source.root is None:
            self._complete = False
        return source.root or Node({}, Origin(file))

    def _profile(self, own: Node) -> str | None:
        """The file of the profile that the cluster, or an override, names."""
        named = [override.value for override in self._selection.overrides if override.path == ("extends",)]
        node = named[-1] if named else list(along(own, ("extends",)))[-1]
        if node is own or node.value is None or not node.readable:
            return None
        if not isinstance(node.value, str):
            self._complete = False
            return None
        known = existing(self._root, PROFILES)
        if node.value in known:
            return f"{PROFILES}/{node.value}.yaml"
        self._complete = False
        self._no_profile(node, node.value, known)
        return None

    def _no_profile(self, node: Node, name: str, known: list[str]) -> None:
        unsuffixed = f"{PROFILES}/{name}.yml"
        if re.fullmatch(r"[\w-]+", name) and (self._root / unsuffixed).is_file():
            hint = f"rename {unsuffixed} to {name}.yaml"
        else:
            close = nearest(name, known)
            hint = f"did you mean {close!r}? " if close else ""
            hint += f"profiles in {PROFILES}: {listing(known)}"
        self._find("extends", f"there is no such profile, got {shown(node)}", node.origin, ("extends",), hint)

    def _typed(self, tree: Node) -> Cluster | None:
        """The model, or None; the rules' findings come in either case as far as they mean something."""
        data = plain(tree)
        try:
            spec = Cluster.model_validate(data)
        except ValidationError as error:
            details = error.errors(include_url=False)
            found = findings(details, tree, Cluster)
            self.findings += [one for one in found if self._complete or one.rule != MISSING_KEY]
            remains = salvage.without(data, details) if self._complete else None
            if remains:
                self._check(remains.spec, tree, remains.doubtful)
            return None
        return self._check(spec, tree, ()) if self._complete else spec

    def _check(self, spec: Cluster, tree: Node, doubtful: tuple[KeyPath, ...]) -> Cluster:
        """The cluster with its storage files looked up, after what the rules find about it is noted."""
        storage = [self._looked_up(entry, index, tree) for index, entry in enumerate(spec.storage)]
        spec = spec.model_copy(update={"storage": storage})
        subject = Subject(self._name, spec, instance_types.load(), self._root)
        for rule, problem in check(subject):
            if not any(problem.path[: len(path)] == path for path in doubtful):
                self.findings.append(located(rule, problem, tree))
        return spec

    def _looked_up(self, entry: Storage, index: int, tree: Node) -> Storage:
        """The entry, with the storage file that it names; one that is not valid tells its own errors."""
        if not isinstance(entry, Imported):
            return entry
        known = existing(self._root, STORAGE)
        if entry.from_ in known:
            file, findings = self._shared.storage(entry.from_)
            self.findings += [] if file else findings
            return entry.bound(file.spec if file else None)
        path: KeyPath = ("storage", index, "from")
        close = nearest(entry.from_, known)
        hint = f"did you mean {close!r}? " if close else ""
        hint += f"storage files in {STORAGE}: {listing(known)}"
        node = list(along(tree, path))[-1]
        self._find(
            STORAGE_FILE.unknown, f"there is no such storage file, got {shown(node)}", node.origin, path, hint
        )
        return entry

    def _find(self, rule: str, message: str, origin: Origin, path: KeyPath = (), hint: str = "") -> None:
        finding = Finding(rule=rule, message=message, path=path, file=origin.file, line=origin.line, hint=hint)
        self.findings.append(finding)
