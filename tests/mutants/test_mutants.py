"""One changed line of the source each, and the test that must notice.

A test that cannot fail proves nothing. Each mutant breaks one rule in a copy of the package;
the named tests are run against the copy in a process of their own and have to fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

import gapless
from tests.mutants.heart import HEART
from tests.mutants.mutant import Mutant

PACKAGE = Path(gapless.__file__).parent
TESTS = Path(__file__).parents[1]


MUTANTS = [
    *HEART,
    Mutant(
        "merge takes the higher phase",
        "actors/ledger.py",
        "low, high = sorted((left, right), key=lambda it: (task_rank(it), -it.by.number))",
        "low, high = left, right",
        "test_ledger.py -k merge",
    ),
    Mutant(
        "of two facts at one phase the earlier evidence stays",
        "actors/ledger.py",
        "low, high = sorted((left, right), key=lambda it: (note_rank(it), -it.by.number))",
        "low, high = sorted((left, right), key=note_rank)",
        "test_ledger.py -k commutative",
    ),
    Mutant(
        "an owed continuation ends at 60,000 ms, not before",
        "actors/drain.py",
        "if moment.idle_ms - max(moment.idle_base_ms, since) < settings.owed_lease_ms:",
        "if moment.idle_ms - max(moment.idle_base_ms, since) < settings.owed_lease_ms - 1:",
        "test_owed.py -k rings_early",
    ),
    Mutant(
        "nor after",
        "actors/drain.py",
        "if moment.idle_ms - max(moment.idle_base_ms, since) < settings.owed_lease_ms:",
        "if moment.idle_ms - max(moment.idle_base_ms, since) <= settings.owed_lease_ms:",
        "test_owed.py -k test_an_owed",
    ),
    Mutant(
        "the lease starts anew at the turn's end",
        "actors/session.py",
        "clock = msgspec.structs.replace(state.clock, idle_base_ms=state.clock.idle_ms)",
        "clock = state.clock",
        "test_owed.py -k later_of",
    ),
    Mutant(
        "a clock jump expires nothing",
        "actors/clock.py",
        "skipped += at_ms - clock.at_ms",
        "skipped += 0",
        "test_owed.py -k jump",
    ),
    Mutant(
        "a new epoch voids the children of the old one",
        "actors/roster.py",
        "lives = living.void(state.lives, moment, doomed)",
        "lives = state.lives",
        "test_epochs.py -k voids",
    ),
    Mutant(
        "a new epoch voids what the old one owes",
        "actors/drain.py",
        "state = _void(state, moment, _open(state), HowSettled.NEW_EPOCH)",
        "pass",
        "test_epochs.py -k voids",
    ),
    Mutant(
        "pruning forgets nothing that is not over",
        "actors/ledger.py",
        "doomed = {key for key, ended_ms in ledger.standing.over.items() if ended_ms < before_ms}",
        "doomed = set(ledger.tasks)",
        "test_ledger.py -k never_pruned",
    ),
    Mutant(
        "an entry that owes is not over before it is settled",
        "actors/standing.py",
        "return not end.owes if note is None",
        "return True if note is None",
        "test_ledger.py -k that_owes",
    ),
    Mutant(
        "what was pruned is over for ever",
        "actors/ledger.py",
        "return place_of(key) in self.over.get(lane_of(key), NO_PLACES)",
        "return False",
        "test_ledger.py -k comes_back",
    ),
    Mutant(
        "a later start of a child is a new life",
        "actors/lives.py",
        "    return _begin(lives, moment, what.task, kind, what)\n\n\ndef _within",
        "    return lives\n\n\ndef _within",
        "test_tasks.py -k later_one",
    ),
    Mutant(
        "an end that owes after all keeps the time at which it was heard",
        "actors/lives.py",
        "life, ending=TaskEnded(by=end.by, owes=True, how=end.how), number=moment.by.number",
        "life, ending=TaskEnded(by=moment.by, owes=True, how=end.how), number=moment.by.number",
        "test_owed.py -k when_it_was_heard",
    ),
    Mutant(
        "a call of a turn that was cut short is over as well",
        "actors/lead.py",
        "calling.over_at_once(state.calls, what, limit)",
        "calling.start(state.calls, what, limit)",
        "test_turns.py -k cut_short",
    ),
    Mutant(
        "an early end cancels one start only within 2 s",
        "actors/lives.py",
        "if end is None or moment.by.at_ms - end.by.at_ms > settings.early_end_ms:",
        "if end is None:",
        "test_tasks.py -k cancels_one",
    ),
    Mutant(
        "an ask is released by its own call alone",
        "actors/calls.py",
        "    if ask.call is not None:\n        return False\n",
        "",
        "test_asks.py -k pairs",
    ),
    Mutant(
        "an injected prompt releases no ask",
        "actors/lead.py",
        "if what.typed:\n        calls =",
        "if True:\n        calls =",
        "test_asks.py -k not_released",
    ),
    Mutant(
        "after an interrupt crons do not hold the state",
        "actors/projection.py",
        "if state.lead.crons and not isinstance(turn.outcome, Interrupted):",
        "if state.lead.crons:",
        "test_turns.py -k crons or after_an_interrupt_they",
    ),
    Mutant(
        "an incomplete inventory removes nothing",
        "actors/lives.py",
        "    if not inventory.complete:\n        return lives\n",
        "",
        "test_tasks.py -k incomplete",
    ),
    Mutant(
        "a doubt keeps a session from being closable",
        "actors/projection.py",
        "    if doubts:\n        return Undetermined(",
        "    if doubts and left:\n        return Undetermined(",
        "test_invariants.py -k g6",
    ),
    Mutant(
        "a lost part keeps what its owner holds until it has resent all",
        "actors/losses.py",
        "by = {**state.lost, **{it.owner: it.by for it in lost}} if lost else {}",
        "by = dict(state.lost)",
        "test_faults.py",
    ),
    Mutant(
        "the end of a turn settles what it carried",
        "actors/turn.py",
        "sends = (ToDrain(TurnOver(moment=moment)),)",
        "sends = ()",
        "test_owed.py -k settles",
    ),
    Mutant(
        "a permit is stale for good",
        "actors/closing.py",
        "stale = msgspec.structs.replace(grant, stale=True)",
        "stale = grant",
        "test_closing.py -k stale",
    ),
    Mutant(
        "a permit is of one version",
        "actors/closing.py",
        "if grant is None or (grant.question == what.question and grant.as_of != what.as_of):",
        "if grant is None:",
        "test_closing.py -k forged",
    ),
    Mutant(
        "the registry shows a shell until the drain has its notification",
        "actors/registry.py",
        "    if not owes:\n        return _put(state, Managed(key=shell, phase=end))",
        "    if not owes or True:\n        return _put(state, Managed(key=shell, phase=end))",
        "test_owed.py -k managed",
    ),
    Mutant(
        "the link `owes`: an ended shell holds until its notification is settled",
        "actors/registry.py",
        "return _end(state, moment, shell, _how(code), owes=True), ()",
        "return _end(state, moment, shell, _how(code), owes=False), ()",
        "test_owed.py -k managed",
    ),
    Mutant(
        "a shell holds from before its process exists",
        "actors/registry.py",
        "return _put(state, started), (effect,)",
        "return state, (effect,)",
        "test_closing.py -k gated",
    ),
    Mutant(
        "the end of an older prompt does not end the turn",
        "actors/lead.py",
        "return what.prompt in turn.prompts or what.prompt in lead.finished",
        "return False",
        "test_turns.py -k newest or repeat",
    ),
    Mutant(
        "a repeated stop changes nothing",
        "actors/hearing.py",
        "if isinstance(what, TurnEnded) and leading.is_old_stop(state.lead, what):",
        "if False:",
        "test_turns.py -k repeat",
    ),
    Mutant(
        "what the status file ends is not closable until a stop could have come",
        "actors/projection.py",
        "    if isinstance(state.lead.turn, TurnClosed) and state.lead.turn.unheard:",
        "    if False:",
        "test_told.py -k nothing_is_closed",
    ),
    Mutant(
        "in a young turn the file's word has to stand",
        "actors/told.py",
        "            if now_ms - begun_ms > settings.status_lag_ms:",
        "            if True:",
        "test_told.py -k young_turn",
    ),
    Mutant(
        "busy takes an idle back",
        "actors/told.py",
        "            if told.vouches:",
        "            if False:",
        "test_told.py -k takes_an_idle_back",
    ),
    Mutant(
        "a mark behind a queued prompt is of the turn before",
        "actors/told.py",
        "        if joined or (young and not cut_short):",
        "        if young and not cut_short:",
        "test_told.py -k turn_before",
    ),
    Mutant(
        "what the host saw is opened by a prompt alone",
        "actors/turn.py",
        "    return not turn.presumed or is_late(turn, moment, settings)",
        "    return is_late(turn, moment, settings)",
        "test_told.py -k host",
    ),
    Mutant(
        "busy after waiting answers what was shown, and nothing that was asked later",
        "actors/calls.py",
        "    if len(calls.asks) != 1 or calls.asks[0].by.at_ms > by_ms:",
        "    if len(calls.asks) != 1:",
        "test_told.py -k answers_nothing_else",
    ),
    Mutant(
        "a session no hook told of is never closable",
        "actors/told.py",
        "    unheard = unheard or state.begun_ms is None",
        "    unheard = unheard",
        "test_told.py -k no_hook_told",
    ),
    Mutant(
        "a word that did not change is no news",
        "actors/told.py",
        "        if 0 <= older_ms <= settings.status_lag_ms:",
        "        if False:",
        "test_told.py -k no_news",
    ),
    Mutant(
        "late news of a turn leaves it as over as it was",
        "actors/turn.py",
        "        was = turn if ended and is_late(turn, moment, settings) else None",
        "        was = None",
        "test_told.py -k late_news",
    ),
    Mutant(
        "a call that runs on shows that the turn goes on",
        "actors/turn.py",
        "    if state.calls.open:",
        "    if False:",
        "test_told.py -k runs_on",
    ),
    Mutant(
        "what was asked about is known when it is asked again",
        "actors/calls.py",
        "        over = remember(over, call, was.digest, limit)",
        "        over = remember(over, call, None, limit)",
        "test_told.py -k asked_again",
    ),
    Mutant(
        "an idle that does not follow shell may be older than the shell",
        "actors/unnamed.py",
        "            if not followed or idle_ms <= settings.status_lag_ms:",
        "            if idle_ms <= settings.status_lag_ms:",
        "test_told.py -k older_than_the_shell",
    ),
    Mutant(
        "a continuation that nobody hears of is lost after 10 min",
        "actors/drain.py",
        "if moment.quiet and moment.quiet_ms - since >= settings.active_lease_ms:",
        "if False:",
        "test_owed.py -k taken",
    ),
    Mutant(
        "another process is nested while a shell runs that it can be in",
        "actors/conversations.py",
        "return what.process != known.process and (shell_open or shells)",
        "return shell_open",
        "test_epochs.py -k process",
    ),
    Mutant(
        "neither a shell nor a monitor is a reason to be working",
        "actors/projection.py",
        "CHILD_KINDS: Final = frozenset({TaskKind.AGENT, TaskKind.TEAMMATE, TaskKind.WORKFLOW})",
        "CHILD_KINDS: Final = frozenset(TaskKind)",
        "test_tasks.py -k nor_does_a_monitor",
    ),
    Mutant(
        "a nested CLI touches nothing",
        "actors/conversations.py",
        "        return shell_open\n",
        "        return False\n",
        "test_epochs.py -k inside",
    ),
    Mutant(
        "the oracle: an owed continuation ends at 60,000 ms",
        "testing/model/_session.py",
        "for life in [life for life, left in self.leases() if left <= 0]:",
        "for life in [life for life, left in self.leases() if left < 0]:",
        "test_owed.py -k test_an_owed",
    ),
    Mutant(
        "the oracle: nothing is closable while a doubt is open",
        "testing/model/_session.py",
        'return "undetermined" if unsure else "closable"',
        'return "closable"',
        "test_tasks.py -k unknown_type",
    ),
    Mutant(
        "the oracle: an injected prompt releases no ask",
        "testing/model/_told.py",
        "if it.typed:",
        "if True:",
        "test_asks.py -k not_released",
    ),
    Mutant(
        "the oracle: a complete inventory removes what it does not list",
        "testing/model/_lives.py",
        "self.end(life, HowEnded.VANISHED)",
        "pass",
        "test_tasks.py -k complete_inventory",
    ),
]


NO_MUTANT = Mutant("every rule holds", "__init__.py", "", "", "")


def run(mutant: Mutant, root: Path) -> subprocess.CompletedProcess[str]:
    """Run the tests that should catch it against a copy of the package that has it."""
    leave = shutil.ignore_patterns("__pycache__", "mutants", "types", "tree")
    shutil.copytree(PACKAGE, root / "src" / "gapless", ignore=leave)
    shutil.copytree(TESTS, root / "tests", ignore=leave)
    source = root / "src" / "gapless" / mutant.file
    text = source.read_text()
    assert mutant.line in text, f"{mutant.rule}: the line to be changed is no longer there"
    source.write_text(text.replace(mutant.line, mutant.instead) if mutant.line else text)
    file, _, only = mutant.caught_by.partition(" -k ")
    options = "-B -m pytest -q -x -p no:randomly -p no:cacheprovider --import-mode=importlib"
    return subprocess.run(
        [
            *(sys.executable, *options.split(), "-c", os.devnull, "--rootdir", str(root)),
            *(["-k", only] if only else []),
            *(["-m", "walks or not walks"] if mutant.folder == "heart" else []),
            str(root / "tests" / mutant.folder / file),
        ],
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(root / "src"), str(root)))},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def outcomes(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Future[subprocess.CompletedProcess[str]]]:
    """All of them, two at a time: each is a process of its own."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return {
            mutant.rule: pool.submit(run, mutant, tmp_path_factory.mktemp("mutant"))
            for mutant in (NO_MUTANT, *MUTANTS)
        }


@pytest.mark.timeout(600)
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda it: it.rule)
def test_a_mutant_is_caught(
    outcomes: dict[str, Future[subprocess.CompletedProcess[str]]], mutant: Mutant
) -> None:
    done = outcomes[mutant.rule].result()
    assert done.returncode == 1, done.stdout + done.stderr  # 1: tests ran, and some failed
    said = [line for line in done.stdout.splitlines() if line.startswith("E ")]
    assert mutant.says in "\n".join(said), done.stdout


@pytest.mark.timeout(600)
def test_without_a_mutant_they_pass(
    outcomes: dict[str, Future[subprocess.CompletedProcess[str]]],
) -> None:
    done = outcomes[NO_MUTANT.rule].result()
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_is_named_by_a_rule_of_its_own() -> None:
    assert len({mutant.rule for mutant in MUTANTS}) == len(MUTANTS)
