"""The rules of the heart, each with what breaks it and the race in which that shows."""

from __future__ import annotations

from tests.mutants.mutant import Mutant


def _mutant(rule: str, line: str, instead: str, race: str, says: str) -> Mutant:
    """``line`` is ``file: text``; ``race`` a scenario, and a fault if it takes one."""
    file, _, text = line.partition(": ")
    name, _, fault = race.partition(" ")
    only = f"{name} and {fault}" if fault else f"{name} and promises"
    return Mutant(rule, f"actors/{file}", text, instead, f"test_walks.py -k {only}", "heart", says)


HEART = [
    _mutant(
        "an end owes a notification",
        "registry.py: if not owes:",
        "if True:",
        "TwoShellsEndInATurn",
        "G1a",
    ),
    _mutant(
        "in whatever order, the registry shows a shell until the drain has its notification",
        "registry.py: shown = Running(by=moment.by) if managed is None else managed.phase",
        "shown = end",
        "TwoShellsEndInATurn",
        "G1b",
    ),
    _mutant(
        "the drain shows a notification before it confirms it",
        "drain.py: after = _queue(after, moment, key)",
        "pass",
        "TwoShellsEndInATurn",
        "G1",
    ),
    _mutant(
        "the drain keeps what is active until it is settled",
        "drain.py: after = msgspec.structs.replace(state, notes={**state.notes, **active})",
        "left = {k: v for k, v in state.notes.items() if k not in active}; "
        "after = msgspec.structs.replace(state, notes=left)",
        "AContinuationStartsAShell",
        "G1b",
    ),
    _mutant(
        "effects are released after publication",
        "landing.py: outs.extend(Release(effect) for effect in concluded.effects)",
        "outs[:0] = [Release(effect) for effect in concluded.effects]",
        "ATurnStartsAShell",
        "G1a",
    ),
    _mutant(
        "the end of a turn settles what is active",
        "drain.py: after = _settle(state, moment, _in(state, Active), HowSettled.DELIVERED)",
        "after = state",
        "AContinuationEnds",
        "G2",
    ),
    _mutant(
        "a new epoch voids what was owed, in whatever order",
        "drain.py: state = _void(state, moment, _open(state), HowSettled.NEW_EPOCH)",
        "pass",
        "ClearedWithANotificationQueued",
        "G2",
    ),
    _mutant(
        "an input begins when the one before has ended",
        "turnstile.py: if state.flight is not None or not state.line:\n"
        "        return Turned(state)\n    take, line = state.line.take()\n"
        "    state = msgspec.structs.replace(state, line=line)\n    row = _row(state, take, at)\n",
        "if not state.line:\n"
        "        return Turned(state)\n    take, line = state.line.take()\n"
        "    state = msgspec.structs.replace(state, line=line)\n    row = _row(state, take, at)\n",
        "TwoShellsEndInATurn",
        "Violation",
    ),
    _mutant(
        "facts of another input are ignored",
        "turnstile.py: if flight is None or said.number != flight.row.number or",
        "if flight is None or",
        "TwoShellsEndInATurn REPEATS",
        "Violation",
    ),
    _mutant(
        "an effect whose outcome was lost is released again",
        'landing.py: return (StartTimer("effects",',
        'return () or (CancelTimer("effects"),) or (StartTimer("effects",',
        "ATurnStartsAShell LOSES",
        "an effect was forgotten",
    ),
    _mutant(
        "a message that is lost is told, not taken for one that says nothing",
        "owner.py: lost = Lost(number=moment.number, answers=message.hop, by=moment.by)\n",
        "lost = Facts(number=moment.number, answers=message.hop)\n",
        "TwoShellsEndInATurn RAISES_TWICE",
        "Violation",
    ),
    _mutant(
        "of a torn input no facts are folded",
        "session.py: if lost:\n        facts = []\n",
        "if not lost:\n        facts = list(facts)\n",
        "TwoShellsEndInATurn RAISES_TWICE",
        "Violation",
    ),
    _mutant(
        "what was lost is asked for",
        "losses.py: return bool(state.lost) and not (asked or state.closed)",
        "return False",
        "AContinuationEnds RAISES_TWICE",
        "what was lost was not resent",
    ),
    _mutant(
        "what the session wants itself comes before what waits",
        "landing.py: line=state.line.put_first(wants),",
        "line=state.line if not wants else _last(state.line, wants),",
        "TwoCloseQuestions",
        "Violation",
    ),
    _mutant(
        "an owner takes again what it parked",
        "owner.py: for parked in kept.parked:",
        "for parked in ():",
        "TwoShellsEndInATurn RAISES_TWICE",
        "Violation",
    ),
    _mutant(
        "in a resync what was sent is sent again",
        "owner.py: sends = tuple(_again(send, moment.number) for send in done.sends)",
        "sends = ()",
        "AContinuationEnds DELAYS_OUTBOX",
        "Violation",
    ),
    _mutant(
        "an input that the session failed on while another went on has its turn",
        "turnstile.py: return Turned(_queue(state, message))  # it has not had its turn yet",
        "return Turned(state)",
        "SettledBeforeTheEndIsHeard RAISES_TWICE",
        "G2",
    ),
]
