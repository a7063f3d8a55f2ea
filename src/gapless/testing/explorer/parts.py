"""Taking values apart: what a value of some type holds, read so that the type cannot mislead.

Containers and texts are read by what they are derived from, whatever a subclass makes of ``iter``,
``==`` or ``hash``, and together with the attributes that it adds.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from operator import attrgetter
from types import CellType, FunctionType, MethodType
from typing import Final, TypeAlias, cast

from msgspec import Struct

from gapless.actors.runtime import DispatchedActor, Ref
from gapless.actors.runtime.agenda import Agenda, Alarm
from gapless.actors.runtime.slips import NOTHING
from gapless.typings.outcome import Failure, Success

Parts: TypeAlias = Callable[[object], Sequence[object]]

FUNCTIONS: Final = (FunctionType, MethodType, partial)
# Each is called with a value of the type that it stands beside, or of one derived from it.
ATOMS: Final[dict[type[object], Callable[[object], object]]] = {
    int: lambda it: int.__add__(cast("int", it), 0),
    str: lambda it: str.__add__(cast("str", it), ""),
    bytes: lambda it: bytes.__add__(cast("bytes", it), b""),
    float: lambda it: float.__repr__(cast("float", it)),  # 0.0 == -0.0, and nan is not nan
    type(None): lambda it: it,
}
"""What is one value, and as which the built-in type sees it."""


def among(kind: type[object], *bases: type[object]) -> bool:
    """Say what ``issubclass`` does, without having a checker infer what is in the container."""
    return issubclass(kind, bases)


def is_solid(kind: type[object]) -> bool:
    """Whether values of this type stay as they are, as far as their parts do."""
    if issubclass(kind, Struct):
        return kind.__struct_config__.frozen and attributes_of(kind) is None
    if dataclasses.is_dataclass(kind):
        params: object = vars(kind).get("__dataclass_params__")  # of its own: not inherited
        return bool(getattr(params, "frozen", False))
    if attributes_of(kind) is not None:
        return False
    if among(kind, AbstractSet):
        return among(kind, frozenset)
    return not among(kind, Mapping, list, deque, bytearray, *FUNCTIONS)


def slots_of(kind: type[object]) -> tuple[str, ...]:
    """Return the names of the slots that a type and those it is derived from have."""
    slots: list[str] = []
    for base in kind.__mro__:
        named: object = vars(base).get("__slots__", ())
        # Names are all that a type can be made with here, one or several.
        names = (named,) if isinstance(named, str) else tuple(cast("Iterable[str]", named))
        slots += [f"_{base.__name__.lstrip('_')}{it}" if _mangled(it) else it for it in names]
    return tuple(it for it in slots if it not in {"__dict__", "__weakref__"})


def attributes_of(kind: type[object]) -> Parts | None:
    """Return what reads the attributes that values of a type have besides what they hold."""
    fields: tuple[str, ...] = kind.__struct_fields__ if issubclass(kind, Struct) else ()
    slots = [it for it in slots_of(kind) if it not in fields]
    has_dict = kind.__dictoffset__ != 0
    if not slots and not has_dict:
        return None

    def read(value: object) -> Sequence[object]:
        inside: list[object] = [getattr(value, name, NOTHING) for name in slots]
        if has_dict:
            inside += _entries(vars(value))
        return inside

    return read


def _mangled(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def with_attributes(kind: type[object], parts: Parts) -> Parts:
    """Return what reads the attributes of a value as well, if its type has any."""
    attributes = attributes_of(kind)
    return parts if attributes is None else lambda it: [*parts(it), *attributes(it)]


def items_of(kind: type[object]) -> Parts:
    """Return what reads a container as the built-in type does that it is derived from."""
    return next((read for base, read in _ITEMS.items() if among(kind, base)), _any_items)


def parts_of(kind: type[object]) -> Parts | None:
    """Return what takes values of this type apart, or ``None`` if nothing does."""
    if issubclass(kind, Struct):
        return with_attributes(kind, _fields(kind.__struct_fields__))
    if dataclasses.is_dataclass(kind):
        return attributes_of(kind) or _fields(())
    if among(kind, tuple, list):
        return with_attributes(kind, items_of(kind))
    found = next((parts for kinds, parts in _PARTS if among(kind, *kinds)), None)
    if found is None or not among(kind, deque, Mapping, FunctionType):
        return found
    return with_attributes(kind, found)


def _fields(names: tuple[str, ...]) -> Parts:
    if not names:
        return lambda _: ()
    get = attrgetter(*names)
    if len(names) == 1:
        return lambda it: (get(it),)
    return get


def _entries(value: object) -> Sequence[object]:
    mapping = cast("Mapping[object, object]", value)  # its type says so
    return [*mapping, *mapping.values()]


def _closure(function: FunctionType) -> Sequence[object]:
    cells = function.__closure__ or ()
    defaults = function.__defaults__, function.__kwdefaults__
    return [function.__code__, *defaults, *map(_content, cells)]


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not set yet
        return NOTHING


def _own(base: type[object], name: str) -> Callable[[object], Iterable[object]]:
    """Return a built-in type's own method, whatever one derived from it has instead."""
    method: object = vars(base)[name]
    return cast("Callable[[object], Iterable[object]]", method)  # as that type defines it


def _reading(items: Callable[[object], Iterable[object]]) -> Parts:
    return lambda it: tuple(items(it))


def _dict_entries(value: object) -> Sequence[object]:
    return [*_KEYS(value), *_VALUES(value)]


def _any_items(value: object) -> Sequence[object]:
    return tuple(cast("Iterable[object]", value))  # some kind of set


def _default_entries(value: object) -> Sequence[object]:
    mapping = cast("defaultdict[object, object]", value)  # its type says so
    return [mapping.default_factory, *_dict_entries(value)]


# Each is called with a value of the type that it stands beside.
_PARTS: Final[tuple[tuple[tuple[type, ...], Parts], ...]] = (
    ((deque,), lambda it: [cast("deque[object]", it).maxlen, *items_of(deque)(it)]),
    ((bytearray,), lambda it: [bytes(cast("bytearray", it))]),
    ((defaultdict,), _default_entries),
    ((dict,), _dict_entries),
    ((Mapping,), _entries),
    ((Ref,), lambda it: [cast("Ref[object, object]", it).mailbox]),
    ((DispatchedActor, Agenda), _fields(("mailbox",))),
    ((Alarm,), _fields(("key", "message"))),  # whether it counts, its slip or its timer says
    ((Success,), lambda it: [cast("Success[object]", it).unwrap()]),
    ((Failure,), lambda it: [cast("Failure[object]", it).failure()]),
    ((FunctionType,), lambda it: _closure(cast("FunctionType", it))),
    ((MethodType,), _fields(("__func__", "__self__"))),
    ((partial,), _fields(("func", "args", "keywords"))),
)

_KEYS: Final = _own(dict, "__iter__")
_VALUES: Final = _own(dict, "values")
_ITEMS: Final = {
    base: _reading(_own(base, "__iter__")) for base in (tuple, list, set, frozenset, deque)
}
