"""Builds a tree with line numbers from YAML events, and refuses what a configuration has no use for.

libyaml only splits the text into events (30 times faster than a parser in Python, and it knows every line); what a
plain word means is decided by ``config.scalars``. See docs/decisions/yaml-reading.md.
"""

from __future__ import annotations

from typing import Any

import yaml
from yaml.events import AliasEvent, DocumentStartEvent, MappingStartEvent, ScalarEvent, SequenceStartEvent

from config import yaml_errors
from config.document import Node, Origin
from config.findings import Finding, KeyPath
from config.scalars import resolve

DEPTH_LIMIT = 32
"""Levels of nesting: three times the deepest place of ParallelCluster's own configuration."""

# PyYAML's wheels bring libyaml; a build without it falls back on the same events from Python code.
_Parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SHARE = "write the value out, or share it through a profile (extends: NAME)"


class Refused(Exception):
    """The text cannot be read any further. ``line`` counts from 1; 0 means the file as a whole."""

    def __init__(self, line: int, message: str, hint: str = "", rule: str = "yaml-syntax") -> None:
        super().__init__(message)
        self.line, self.message, self.hint, self.rule = line, message, hint, rule


class Composer:
    """Builds the tree from the parser's events, collecting what can be reported while going on."""

    def __init__(self, file: str, fixed: Origin | None = None) -> None:
        """``fixed`` is every value's origin where lines mean nothing, as on the command line."""
        self.findings: list[Finding] = []
        self._file = file
        self._fixed = fixed

    def compose(self, text: str, *, root_is_mapping: bool = True) -> Node | None:
        """The document's tree, or None when it holds nothing. Raises ``Refused``."""
        self._parser = _Parser(text)
        try:
            return self._document(root_is_mapping)
        except yaml.YAMLError as error:
            line, message, hint = yaml_errors.explain(error, text)
            raise Refused(line, message, hint) from None
        finally:
            self._parser.dispose()

    def _document(self, root_is_mapping: bool) -> Node | None:
        self._parser.get_event()
        if not isinstance(self._parser.get_event(), DocumentStartEvent):
            return None
        first = self._parser.get_event()
        root = self._node(first, (), first.start_mark.line + 1)
        self._parser.get_event()
        following = self._parser.get_event()
        if isinstance(following, DocumentStartEvent):
            raise Refused(
                following.start_mark.line + 1, "a second document starts here", "one file declares one thing"
            )
        if root_is_mapping and root.value is None and root.readable:
            return None
        if root_is_mapping and root.readable and not isinstance(root.value, dict):
            what = "a list" if isinstance(root.value, list) else "text or a number"
            raise Refused(
                root.origin.line,
                f"the file must hold keys and values, got {what}",
                "write key: value, with a space after the colon",
            )
        return root if isinstance(root.value, dict) or not root_is_mapping else None

    def _node(self, event: Any, path: KeyPath, line: int) -> Node:
        if len(path) > DEPTH_LIMIT:
            raise Refused(line, f"this is nested deeper than {DEPTH_LIMIT} levels", rule="too-deep")
        origin = self._fixed or Origin(self._file, line)
        kind = type(event)
        if kind is AliasEvent:
            return self._unreadable(event, path, origin, f"*{event.anchor}")
        readable = self._without_anchor_or_tag(event, path, line)
        if kind is ScalarEvent:
            return self._scalar(event, path, origin, readable)
        if kind is MappingStartEvent:
            return Node(self._mapping(path), origin, readable=readable)
        if kind is SequenceStartEvent:
            return Node(self._sequence(path), origin, readable=readable)
        raise Refused(line, "not valid YAML")

    def _scalar(self, event: Any, path: KeyPath, origin: Origin, readable: bool) -> Node:
        text = event.value
        if not event.implicit[0]:
            return Node(text, origin, text, readable)
        try:
            return Node(resolve(text), origin, text, readable)
        except ValueError as error:
            self._find("yaml-number", path, origin.line, f"{error}, got {text[:40]}")
            return Node(None, origin, text, readable=False)

    def _sequence(self, path: KeyPath) -> list[Node]:
        items: list[Node] = []
        while not isinstance(event := self._parser.get_event(), yaml.SequenceEndEvent):
            items.append(self._node(event, (*path, len(items)), event.start_mark.line + 1))
        return items

    def _mapping(self, path: KeyPath) -> dict[str, Node]:
        entries: dict[str, Node] = {}
        while not isinstance(event := self._parser.get_event(), yaml.MappingEndEvent):
            line = event.start_mark.line + 1
            key = self._key(event, path, line)
            here = (*path, key or "?")
            value = self._node(self._parser.get_event(), here, line)
            if key is None:
                continue
            if key in entries:
                first = entries[key].origin.line
                self._find(
                    "duplicate-key",
                    here,
                    line,
                    f"the key is given twice, first in line {first}",
                    "keep one of them",
                )
            entries[key] = value
        return entries

    def _key(self, event: Any, path: KeyPath, line: int) -> str | None:
        """The key's text; None, with a finding, where it is nothing that a configuration could know."""
        findings = len(self.findings)
        node = self._node(event, (*path, "?"), line)
        if len(self.findings) > findings:
            return None
        if isinstance(node.value, str) and not (node.value == "<<" and event.implicit[0]):
            return node.value
        if node.value == "<<":
            self._find("yaml-merge", path, line, "merge keys (<<) are not read", _SHARE)
        else:
            shown = node.text if not isinstance(node.value, dict | list) else "a mapping or list"
            hint = f'write it in quotes: "{shown}"' if node.text else ""
            self._find("yaml-key", path, line, f"a key must be text, got {shown or 'nothing'}", hint)
        return None

    def _without_anchor_or_tag(self, event: Any, path: KeyPath, line: int) -> bool:
        if event.anchor is not None:
            self._find("yaml-alias", path, line, f"anchors are not read, got &{event.anchor}", _SHARE)
        if event.tag is not None:
            self._find("yaml-tag", path, line, f"tags are not read, got {event.tag[:60]}", "write the value alone")
        return event.tag is None

    def _unreadable(self, event: Any, path: KeyPath, origin: Origin, shown: str) -> Node:
        self._find("yaml-alias", path, origin.line, f"aliases are not read, got {shown}", _SHARE)
        return Node(None, origin, shown, readable=False)

    def _find(self, rule: str, path: KeyPath, line: int, message: str, hint: str = "") -> None:
        finding = Finding(rule=rule, message=message, path=path, file=self._file, line=line, hint=hint)
        self.findings.append(finding)
