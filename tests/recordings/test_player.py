"""Lines of a recording: what they may be, and how they are lived."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapless.recordings import Answered, Difference, Header, Line, NotUnderstood, Player, parse
from gapless.recordings.lines import BrokenLine
from gapless.typings.outcome import Failure, Success
from tests.support.claude import Json, event, prompt, stop


def line(at_ms: int, session: str | None = "s", **members: Json) -> Line:
    row = {"at_ms": at_ms, "session": session, **members}
    outcome = parse(json.dumps(row).encode(), first=False)
    assert isinstance(outcome, Success), outcome
    found = outcome.unwrap()
    assert isinstance(found, Line), found
    return found


def hook(at_ms: int, payload: Json, session: str = "s", **members: Json) -> Line:
    return line(at_ms, session, harness="claude", hook=payload, **members)


def play(*lines: Line) -> Answered:
    player = Player()
    return [player.play(it) for it in lines][-1]


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"[]", b'"x"', b"{}", b'{"at_ms": "0"}', b'{"at_ms": -1}', b"\xff", b"[" * 100_000],
)
def test_without_a_time_a_line_breaks_its_file(text: bytes) -> None:
    outcome = parse(text, first=False)
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.failure(), BrokenLine)


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"hooks": {}}, "unknown field `hooks`"),
        ({"host": {"did": "juggle"}}, "'juggle' - at `$.host.did`"),
        ({"shell": {"id": "s1", "is": "grew", "to": -1}}, "at `$.shell.to`"),
        ({"hook": {}, "shell": {"id": "s1", "is": "started"}}, "not hook and shell"),
        ({"session": None, "hook": {}}, "of which `session`"),
    ],
)
def test_what_means_nothing_is_not_understood_and_its_clock_counts(
    members: dict[str, Json], reason: str
) -> None:
    outcome = parse(json.dumps({"at_ms": 7, "session": "s", **members}).encode(), first=False)
    assert isinstance(outcome, Success)
    found = outcome.unwrap()
    assert isinstance(found, NotUnderstood)
    assert found.at_ms == 7
    assert reason in found.reason


def test_only_the_first_line_is_a_header() -> None:
    text = b'{"case": "c", "harness": "claude"}'
    assert parse(text, first=True) == Success(Header(case="c", harness="claude"))
    assert isinstance(parse(text, first=False), Failure)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_line_or_none(text: bytes) -> None:
    parse(text, first=True)


def test_a_clock_that_goes_back_is_refused() -> None:
    with pytest.raises(ValueError, match="goes back"):
        play(line(5), line(4))


def test_a_tick_moves_the_clock_of_the_only_session() -> None:
    ticked = play(hook(0, prompt()), line(9_000, session=None))
    assert ticked.session == "s"
    assert ticked.answer is not None
    assert ticked.answer.state == "working"


def test_a_tick_of_many_sessions_is_nobodys() -> None:
    assert play(hook(0, prompt(), "a"), hook(0, stop(), "b"), line(9, None)).answer is None


def test_sessions_live_beside_each_other() -> None:
    player = Player()
    one = player.play(hook(0, prompt(), "a")).answer
    two = player.play(hook(5, stop(), "b")).answer
    assert one is not None
    assert two is not None
    assert (one.state, two.state) == ("working", "done")


def test_what_is_not_as_expected_says_so_and_why() -> None:
    answered = play(hook(0, prompt(), expect={"state": "done", "lead": "working"}))
    difference = Difference(member="state", expected="done", actual="working")
    assert answered.differences == (difference,)
    assert answered.because[0].text == "the lead's turn is open"


def test_what_nobody_answers_differs() -> None:
    answered = play(hook(0, prompt(), expect={"cpu": "none"}))
    assert [it.member for it in answered.differences] == ["cpu"]


@pytest.mark.parametrize(
    ("given", "trouble"),
    [
        (hook(0, {}), "$.hook_event_name: it is missing"),
        (line(0, harness="abacus", hook={}), "nothing reads the hooks of harness 'abacus'"),
        (line(0, host={"did": "settle", "notification": "n"}), "no notification is called 'n'"),
        (line(0, poll={"shell": "x"}), "`poll` means nothing to this version"),
        (line(0, harness="claude", log={}), "$.type: it is missing"),
        (line(0, harness="claude", status=["idle"]), "$: expected an object, not a list"),
        (line(0, harness="abacus", log={}), "nothing reads the log of harness 'abacus'"),
    ],
)
def test_what_a_line_says_of_nothing_known_is_trouble(given: Line, trouble: str) -> None:
    assert play(given).trouble == (trouble,)


def test_an_edge_is_told_once_with_the_next_line_of_its_session() -> None:
    player = Player()
    lines = [hook(0, prompt()), hook(1, stop()), hook(2, event("Notification")), line(400)]
    told = [[str(edge) for edge in player.play(it).edges] for it in lines]
    assert told == [[], ["done"], [], []]
