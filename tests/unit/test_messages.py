"""Messages are read by people, in an e-mail: plain text, short lines, and the page that shows them all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hpc_constructs.functions.handlers.layout import (
    SUBJECT_CHARACTERS,
    WIDTH,
    command,
    message,
    paragraph,
    section,
)
from hpc_constructs.functions.handlers.shape import shape
from tests.unit.message_samples import CHAIN, samples, template

PAGE = Path(__file__).parents[2] / "docs" / "messages.md"
SAMPLES = "\n## The cluster is up\n"
MESSAGES = pytest.mark.parametrize("what", sorted(samples()))


def shown() -> str:
    """The page's part that shows the messages."""
    return "".join(
        f"\n## {what}\n\nSubject: {subject}\n\n```text\n{text}```\n" for what, (subject, text) in samples().items()
    )


def test_the_page_shows_the_messages_as_they_are_sent(pytestconfig: pytest.Config) -> None:
    page = PAGE.read_text(encoding="utf-8")
    prose = page.partition(SAMPLES)[0]
    if pytestconfig.getoption("--snapshot-update"):
        PAGE.write_text(prose + shown(), encoding="utf-8")
    again = "./clusterform test tests/unit/test_messages.py --snapshot-update writes this page anew"
    assert PAGE.read_text(encoding="utf-8") == prose + shown(), again


@MESSAGES
def test_lines_are_short_but_for_what_cannot_be_broken(what: str) -> None:
    _, text = samples()[what]
    long = [line for line in text.splitlines() if len(line) > WIDTH + 8]
    assert [line for line in long if not re.fullmatch(r"(Stack: |- |  )?arn:\S+", line)] == []


@MESSAGES
def test_nothing_of_programs_shows(what: str) -> None:
    subject, text = samples()[what]
    assert text.isascii(), "SNS would send it, mail programs differ"
    assert not re.search(r"[{}]|None|Fn::|\bTrue\b|\bFalse\b|\t| $", f"{subject}\n{text}", re.MULTILINE)
    assert not re.search(r"\n\n\n", text)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@MESSAGES
def test_a_subject_says_which_cluster_and_sns_takes_it(what: str) -> None:
    subject, text = samples()[what]
    assert subject.startswith("Cluster demo")
    assert len(subject) <= SUBJECT_CHARACTERS
    assert "demo in us-east-1" in text
    assert text.splitlines()[-1].startswith("Stack: arn:aws:cloudformation:us-east-1:123456789012:stack/")


def test_no_price_is_invented() -> None:
    for subject, text in samples().values():
        assert "$" not in re.sub(r"\$\(", "", subject + text)
        assert "USD" not in subject + text
    assert "Hourly cost: prices are not known here." in samples()["The cluster is up"][1].splitlines()


def test_what_failed_first_comes_first() -> None:
    _, text = samples()["The cluster could not be created"]
    first, therefore = (text.index(f"- {failure.resource} of stack") for failure in CHAIN)
    assert first < therefore


def test_a_message_of_a_long_subject_is_cut_and_empty_parts_are_left_out() -> None:
    assert message("x" * 200, "a", "", "b") == ("x" * 99, "a\n\nb\n")


def test_a_section_without_items_is_not_there() -> None:
    assert section("Storage", []) == ""
    assert section("Storage", ["one", "two\nlines"]) == "Storage\n- one\n- two\n  lines"


def test_a_word_longer_than_a_line_stays_whole() -> None:
    word = "arn:" + "x" * 100
    assert paragraph(f"see  {word}\n now") == f"see\n{word}\nnow"


def test_a_command_is_the_same_command_on_several_lines() -> None:
    long = (
        f"aws ec2 describe-instances --filters Name=a,Values={'x' * 40} Name=b,Values={'y' * 40} --query 'a[].b'"
    )
    lines = command(long)
    assert max(map(len, lines.splitlines())) <= WIDTH
    assert re.sub(r" \\\n +", " ", lines).strip() == long


def test_every_command_that_is_told_is_one_for_a_shell(tmp_path: Path) -> None:
    import subprocess

    _, text = samples()["The cluster is gone"]
    _, up = samples()["The cluster is up"]
    blocks = re.findall(r"(?:^    .*\n)+", text + up, re.MULTILINE)
    assert len(blocks) > 5
    for block in blocks:
        subprocess.run(["bash", "-n"], input=block, text=True, check=True, timeout=10)


def test_the_shape_is_that_of_the_declared_cluster() -> None:
    assert shape(template()) == [
        "head node: c8g.xlarge",
        "login pool login: 2 x c8g.xlarge",
        "queue cpu (spot): 0 to 8 nodes of c8g.2xlarge or c7g.2xlarge; 0 to 8 nodes of c8g.4xlarge",
        "queue gpu (on demand): 1 to 2 nodes of g5g.2xlarge",
    ]


def test_the_shape_of_a_fragments_queue_is_told_too() -> None:
    declared = {
        "Resources": {
            "Cluster": {
                "Type": "Custom::PclusterCluster",
                "Properties": {
                    "ClusterConfiguration": {
                        "HeadNode": {"InstanceType": "t3.micro"},
                        "Scheduling": {
                            "SlurmQueues": [
                                {"Name": "old", "ComputeResources": [{"Name": "a", "InstanceType": "c5.large"}]},
                                {
                                    "Name": "block",
                                    "CapacityType": "CAPACITY_BLOCK",
                                    "ComputeResources": [{"Name": "b"}],
                                },
                            ]
                        },
                    }
                },
            }
        }
    }
    assert shape(declared) == [
        "head node: t3.micro",
        "queue old (on demand): 0 to 10 nodes of c5.large",
        "queue block (capacity block): 0 to 10 nodes of reserved instances",
    ]
