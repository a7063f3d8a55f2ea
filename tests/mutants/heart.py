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
        "the link `owed`: an ended shell holds until its notification is settled",
        "projection.py: or standing.shells_owed",
        "",
        "TwoShellsEndInATurn",
        "G1a",
    ),
    _mutant(
        "an end owes a notification",
        "registry.py: return _end(state, moment, shell, _how(code), owes=True), ()",
        "return _end(state, moment, shell, _how(code), owes=False), ()",
        "TwoShellsEndInATurn",
        "G1b",
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
        "drain.py: return _reply(state, after, moment, message.hop, (receipt,), told=keys)",
        "return _reply(state, state, moment, message.hop, (receipt,))",
        "TwoShellsEndInATurn",
        "G1b",
    ),
    _mutant(
        "the drain keeps what is active until it is settled: the lead may not have it yet",
        "drain.py: after = _noted(state, dict.fromkeys(taken, _carried(moment)))",
        "left = {k: v for k, v in state.notes.items() if k not in taken}; "
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
        "hold before fork: a shell is known when its process begins",
        "registry.py: return _put(state, started), (effect,)",
        "return state, (effect,)",
        "ATurnStartsAShell",
        "G1a",
    ),
    _mutant(
        "a close question is asked once more when its turn is over",
        "closing.py: return _answer(_desk(state, gate=None, grant=state.desk.grant), question, "
        "gate.ignoring)",
        "return _answer(_desk(state, gate=None, grant=state.desk.grant), question, "
        "frozenset({('shell', 'background-shells')}))",
        "AShellEndsWhileClosing",
        "G6",
    ),
    _mutant(
        "the end of a turn settles what is active",
        "drain.py: after = _settle(state, moment, _in(state, Active), HowSettled.DELIVERED)",
        "after = state",
        "AContinuationEnds",
        "G2",
    ),
    _mutant(
        "the end of a turn settles what is active, and nothing else",
        "drain.py: after = _settle(state, moment, _in(state, Active), HowSettled.DELIVERED)",
        "after = _settle(state, moment, list(state.notes), HowSettled.DELIVERED)",
        "AShellEndsWhileClosing",
        "G1a",
    ),
    _mutant(
        "once settled, settled, also before the end is heard",
        "drain.py: if not isinstance(state.notes.get(key), Settled)}",
        "if isinstance(state.notes.get(key), Queued | Active)}",
        "SettledBeforeTheEndIsHeard",
        "G2",
    ),
    _mutant(
        "an end without a start cancels one start",
        "lives.py: known = remember(lives.early, what.task, end, settings.remembered)",
        "known = lives.early",
        "AChildEndsBeforeItsStart",
        "a child runs on after its end",
    ),
    _mutant(
        "a new epoch keeps the shells",
        "registry.py: return _leave(state), ()",
        "return msgspec.structs.replace(_leave(state), managed={}), ()",
        "ClearedWithAShellRunning",
        "G1b",
    ),
    _mutant(
        "a new epoch voids what was owed, in whatever order",
        "drain.py: state = _void(state, moment, _open(state), HowSettled.NEW_EPOCH)",
        "pass",
        "ClearedWithANotificationQueued",
        "G2",
    ),
    _mutant(
        "the gate belongs to one question",
        "closing.py: if state.desk.gate is not None:\n        busy",
        "if False:\n        busy",
        "TwoCloseQuestions",
        "of the questions [1, 2] these are answered or open",
    ),
    _mutant(
        "a permit is stale for good once something began",
        "closing.py: if grant.stale or grant.question != what.question:",
        "if grant.question != what.question:",
        "APermitGoesStale",
        "G6: closed by a permit of an earlier version",
    ),
    _mutant(
        "an inventory ends what it does not list",
        "lives.py: if life.key.task not in listed and not spared:",
        "if False:",
        "AStopNamesAShellAndAChild",
        "a child that is not listed runs on",
    ),
    _mutant(
        "a shell that is listed no more has ended",
        "lives.py: if life.key.task not in listed and not spared:",
        "if life.kind is not TaskKind.SHELL and life.key.task not in listed and not spared:",
        "AReportedShellVanishes",
        "a shell that is listed no more runs on",
    ),
    _mutant(
        "a shell that is listed no more owes its end",
        "lives.py: if life.kind in {TaskKind.SHELL, TaskKind.MONITOR, TaskKind.WORKFLOW}:",
        "if life.kind in {TaskKind.MONITOR, TaskKind.WORKFLOW}:",
        "AReportedShellVanishes",
        "nobody is owed the end of a shell",
    ),
    _mutant(
        "an input begins when the one before has ended",
        "turnstile.py: if state.flight is not None or not state.line:\n        return None\n",
        "if not state.line:\n        return None\n",
        "TwoShellsEndInATurn",
        "G5",
    ),
    _mutant(
        "facts of another input are ignored",
        "flight.py: return flight if flight is not None and flight.row.number == number else None",
        "return flight",
        "TwoShellsEndInATurn REPEATS",
        "G5",
    ),
    _mutant(
        "an effect whose outcome was lost is released again",
        'landing.py: return (StartTimer("effects",',
        'return () or (CancelTimer("effects"),) or (StartTimer("effects",',
        "ATurnStartsAShell LOSES",
        "an effect was forgotten",
    ),
    _mutant(
        "a parked part is told to be lost, not counted as one that says nothing",
        "owner.py: lost = Lost(number=moment.number, answers=message.hop, by=moment.by)\n",
        "lost = Facts(number=moment.number, answers=message.hop)\n",
        "TwoShellsEndInATurn RAISES_TWICE",
        "G5",
    ),
    _mutant(
        "of a torn input no facts are folded",
        "session.py: if lost:\n        facts = []\n",
        "if not lost:\n        facts = list(facts)\n",
        "TwoShellsEndInATurn RAISES_TWICE",
        "G5",
    ),
    _mutant(
        "an event that the session failed on is a doubt",
        "losses.py: return msgspec.structs.replace(state, voided_by=by, tasks_voided=tasks)",
        "return state",
        "APermitGoesStale RAISES_TWICE",
        "G6: closed by a permit of an earlier version",
    ),
    _mutant(
        "what was lost is asked for",
        "losses.py: return bool(state.lost) and not (asked or state.closed)",
        "return False",
        "AContinuationEnds RAISES_TWICE",
        "what was lost was not asked for at once",
    ),
    _mutant(
        "what the session wants itself comes before what waits",
        "landing.py: line=state.line.put_first(wants),",
        "line=__import__('functools').reduce(lambda line, it: line.put(it), wants, state.line),",
        "ClearedWithANotificationQueued RAISES_TWICE",
        "what was lost was not asked for at once",
    ),
    _mutant(
        "an owner takes again what it parked",
        "owner.py: for parked in kept.parked:",
        "for parked in ():",
        "TwoShellsEndInATurn RAISES_TWICE",
        "G5",
    ),
    _mutant(
        "in a resync what was sent is sent again",
        "owner.py: sends = tuple(_again(send, moment.number) for send in done.sends)",
        "sends = ()",
        "AContinuationEnds DELAYS_OUTBOX",
        "G5",
    ),
    _mutant(
        "an input that the session failed on while another went on has its turn",
        "turnstile.py: return Turned(_queue(state, message))  # it has not had its turn yet",
        "return Turned(state)",
        "SettledBeforeTheEndIsHeard RAISES_TWICE",
        "G2",
    ),
    Mutant(
        "what is sent again is answered, also if its input is past",
        "actors/owner.py",
        "            return self._all(kept, message, Done((), ()))\n",
        "            return Next(kept)\n",
        "test_prefix.py -k vain",
        "heart",
    ),
]
