"""Runs rules over one cluster."""

from __future__ import annotations

from collections.abc import Iterable

from config.rules.base import Problem, Rule, Subject
from config.rules.registry import RULES


def check(subject: Subject, rules: Iterable[Rule] = RULES) -> list[tuple[Rule, Problem]]:
    """Every problem of one cluster with the rule that found it, in the order of the rules.

    Rules see a configuration that the models accepted; they do not depend on one another's outcome.
    """
    return [(rule, problem) for rule in rules for problem in rule.check(subject)]
