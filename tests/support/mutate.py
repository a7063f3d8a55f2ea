"""Payloads as nobody meant them: a real one with something of it changed, again and again."""

from __future__ import annotations

from random import Random

from tests.support.claude import Json, Payload

WORDS: tuple[Json, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1 << 62,
    1 << 200,
    "",
    " ",
    "x" * 600,
    "\ud800",
    "\u2028",
    "\x00",
    "<task-notification>",
    "running",
    "completed",
    "Stop",
    "subagent",
    [],
    {},
    [None],
    [{}],
    {"id": None},
)


def places(value: Json, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the way to each value in a payload."""
    found = [path] if path else []
    if isinstance(value, dict):
        found.extend(it for key, inner in value.items() for it in places(inner, (*path, key)))
    elif isinstance(value, list):
        found.extend(it for key, inner in enumerate(value) for it in places(inner, (*path, key)))
    return found


def mutant(payload: Payload, chance: Random, others: list[Json]) -> Json:
    """Return a payload in which one to three things were replaced, taken out, or renamed."""
    mutated: Json = payload
    for _ in range(chance.randint(1, 3)):
        ways = places(mutated)
        if not ways:
            return chance.choice(WORDS)
        way = chance.choice(ways)
        match chance.randrange(4):
            case 0:
                mutated = put(mutated, way, chance.choice(WORDS))
            case 1:
                mutated = put(mutated, way, chance.choice(others))
            case 2:
                mutated = _without(mutated, way)
            case _:
                mutated = put(mutated, (*way[:-1], str(chance.choice(WORDS))), "new")
    return mutated


def put(value: Json, way: tuple[str | int, ...], new: Json) -> Json:
    """Return the payload with something else in this place."""
    if not way:
        return new
    first, rest = way[0], way[1:]
    if isinstance(value, dict):
        return {**value, str(first): put(value.get(str(first)), rest, new)}
    if isinstance(value, list) and isinstance(first, int) and first < len(value):
        return [*value[:first], put(value[first], rest, new), *value[first + 1 :]]
    return new


def _without(value: Json, way: tuple[str | int, ...]) -> Json:
    first, rest = way[0], way[1:]
    if isinstance(value, dict):
        left = {key: it for key, it in value.items() if rest or key != first}
        return left if not rest else {**left, str(first): _without(value[str(first)], rest)}
    if isinstance(value, list) and isinstance(first, int):
        if not rest:
            return [*value[:first], *value[first + 1 :]]
        return [*value[:first], _without(value[first], rest), *value[first + 1 :]]
    return value
