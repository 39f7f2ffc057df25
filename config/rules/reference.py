"""Writes docs/rules.md from the registry: ``python -m config.rules.reference > docs/rules.md``."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable
from itertools import groupby

from config.rules.account_file import ACCOUNT_RULES
from config.rules.base import Check, Rule
from config.rules.registry import RULES
from config.rules.storage_files import STORAGE_RULES

ALL: tuple[Check, ...] = (*RULES, *(rule for rule in STORAGE_RULES if not isinstance(rule, Rule)), *ACCOUNT_RULES)
"""Every rule there is: of clusters, then of the files that stand alone."""

HEAD = """# Rules

Generated from `config/rules/` by `python -m config.rules.reference > docs/rules.md`; edit the rules instead.

Every cluster file is checked by all rules at every synthesis, after its layers are merged and its types are right;
storage files and the account's file by the rules under their own titles; a storage file also by those rules about
volumes, filesystems, encryption and subnets that mean something for it.
An *error* refuses the synthesis, a *warning* is shown and lets it pass. The name stands beside each message.
"""


def markdown(rules: Iterable[Check]) -> str:
    """The page: one table a concern, in the order of the registry."""
    parts = [HEAD]
    for module, group in groupby(rules, key=lambda rule: type(rule).__module__):
        title = inspect.getdoc(sys.modules[module]) or ""
        parts.append(
            f"\n## {title.splitlines()[0].removesuffix('.')}\n\n| Rule | | What it asks for |\n|---|---|---|\n"
        )
        parts += [f"| `{rule.name}` | {rule.severity.value} | {_text(rule)} |\n" for rule in group]
    return "".join(parts)


def _text(rule: Check) -> str:
    text = " ".join((inspect.getdoc(type(rule)) or "").split())
    return text.replace("``", "`").replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(markdown(ALL))
