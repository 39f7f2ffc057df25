"""A custom resource that is not answered hangs a deployment: whatever happens, one answer goes out."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from hpc_constructs.functions.handlers import response
from tests.unit.callback import STACK_ID, Callback, Context, listen


@pytest.fixture
def callback() -> Iterator[Callback]:
    with listen() as address:
        yield address


def fail() -> None:
    raise ValueError("the reason")


def test_success_names_the_resource(callback: Callback) -> None:
    response.answer(callback.event("ScriptManifest"), Context(), "id-1", lambda: None)
    assert callback.only == {
        "Status": "SUCCESS",
        "Reason": "done",
        "PhysicalResourceId": "id-1",
        "StackId": STACK_ID,
        "RequestId": "request-1",
        "LogicalResourceId": "ScriptManifest",
    }


def test_the_answer_has_no_content_type_since_the_signed_address_allows_none(callback: Callback) -> None:
    response.answer(callback.event("ScriptManifest"), Context(), "id-1", lambda: None)
    assert callback.content_types == [""]


def test_an_exception_is_the_reason_of_a_failure(callback: Callback) -> None:
    response.answer(callback.event("ScriptManifest"), Context(), "id-1", fail)
    assert (callback.only["Status"], callback.only["Reason"]) == ("FAILED", "the reason")


def test_an_exception_without_text_still_has_a_reason(callback: Callback) -> None:
    def action() -> None:
        raise KeyError

    response.answer(callback.event("ScriptManifest"), Context(), "id-1", action)
    assert callback.only["Reason"] == "KeyError()"


def test_a_long_reason_is_cut_since_an_answer_may_hold_4096_bytes(callback: Callback) -> None:
    def action() -> None:
        raise ValueError("x" * 10_000)

    response.answer(callback.event("ScriptManifest"), Context(), "id-1", action)
    assert len(callback.only["Reason"]) == response.REASON_CHARACTERS


def test_what_must_never_fail_succeeds_and_logs_the_reason(
    callback: Callback, capsys: pytest.CaptureFixture[str]
) -> None:
    response.answer(callback.event("GoneNotice"), Context(), "id-1", fail, never_fail=True)
    assert callback.only["Status"] == "SUCCESS"
    assert "the reason" in capsys.readouterr().out


def test_the_signed_address_is_never_logged(
    callback: Callback, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(response.time, "sleep", lambda seconds: None)
    callback.refusals = 1
    response.answer(callback.event("ScriptManifest"), Context(), "id-1", lambda: None)
    assert "signature" not in capsys.readouterr().out


def test_the_answer_is_repeated_until_it_is_taken(callback: Callback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response.time, "sleep", lambda seconds: None)
    callback.refusals = response.ATTEMPTS - 1
    response.answer(callback.event("ScriptManifest"), Context(), "id-1", lambda: None)
    assert callback.only["Status"] == "SUCCESS"


@pytest.mark.parametrize(("never_fail", "status"), [(False, "FAILED"), (True, "SUCCESS")])
def test_an_action_that_takes_too_long_is_answered_for_once(
    callback: Callback, never_fail: bool, status: str
) -> None:
    def action() -> None:
        end = time.monotonic() + 5
        while not callback.answers and time.monotonic() < end:
            threading.Event().wait(0.01)

    context = Context(response.MARGIN_SECONDS + 0.05)
    response.answer(callback.event("ScriptManifest"), context, "id-1", action, never_fail=never_fail)
    assert callback.only["Status"] == status
