"""A busy neighbour. Stock leaves this to the system's scheduler, which no test can hold still."""

from __future__ import annotations

import threading

import pytest

from gapless.actors.runtime import ActorSystem, Ref
from tests.runtime.kit import PATIENCE_S, Do, Doer, Give, Host, caught_up

BATCH = 16


def flood(busy: Ref[Do, Give], log: list[str]) -> None:
    for _ in range(40 * BATCH):
        busy.tell(Do(lambda: log.append("busy")))


def ahead_of_the_quiet(log: list[str], busy: Ref[Do, Give], quiet: Ref[Do, Give]) -> int:
    caught_up(busy)
    caught_up(quiet)
    return log.index("quiet")


@pytest.fixture
def held(background: Host) -> tuple[ActorSystem, threading.Event]:
    """A system whose only thread is held in a handler until the gate opens."""
    system = background.system()
    gate, inside = threading.Event(), threading.Event()

    def hold() -> None:
        inside.set()
        assert gate.wait(PATIENCE_S)

    system.spawn(Doer).tell(Do(hold))
    assert inside.wait(PATIENCE_S)
    return system, gate


def test_a_flooded_actor_takes_at_most_a_batch_before_a_quiet_one(
    held: tuple[ActorSystem, threading.Event],
) -> None:
    system, gate = held
    busy, quiet = system.spawn(Doer), system.spawn(Doer)
    log: list[str] = []
    flood(busy, log)
    quiet.tell(Do(lambda: log.append("quiet")))
    gate.set()
    assert ahead_of_the_quiet(log, busy, quiet) <= BATCH


def test_so_it_does_when_handlers_send_to_both(host: Host) -> None:
    system = host.system()
    sender, busy, quiet = system.spawn(Doer), system.spawn(Doer), system.spawn(Doer)
    log: list[str] = []

    def send() -> None:
        flood(busy, log)
        quiet.tell(Do(lambda: log.append("quiet")))

    sender.tell(Do(send))
    caught_up(sender)
    assert ahead_of_the_quiet(log, busy, quiet) <= BATCH


def test_many_flooded_actors_take_a_batch_each_before_a_quiet_one(
    held: tuple[ActorSystem, threading.Event],
) -> None:
    system, gate = held
    many = [system.spawn(Doer) for _ in range(5)]
    quiet = system.spawn(Doer)
    log: list[str] = []
    for busy in many:
        flood(busy, log)
    quiet.tell(Do(lambda: log.append("quiet")))
    gate.set()
    for busy in many:
        caught_up(busy)
    assert ahead_of_the_quiet(log, many[0], quiet) <= 5 * BATCH


def test_an_actor_that_keeps_itself_busy_does_not_keep_the_outside_out(background: Host) -> None:
    system = background.system()
    busy, quiet = system.spawn(Doer), system.spawn(Doer)
    over = threading.Event()

    def again() -> None:
        if not over.is_set():
            busy.tell(Do(again))

    busy.tell(Do(again))
    try:
        for _ in range(20):  # each time this thread has to get the interpreter back
            caught_up(quiet)
    finally:
        over.set()
