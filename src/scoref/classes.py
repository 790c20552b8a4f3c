"""Dataclasses and named tuples that are created without compiling source code.

The standard library writes the methods of each such class as source code and compiles
it, which takes 0.1 ms for a named tuple and up to 2 ms for a dataclass. A run that
scores two small files would spend a tenth of its time on that. Here, all classes share
a few functions. Type checkers see the classes of the standard library.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from dataclasses import Field, dataclass
    from inspect import Parameter, Signature
    from typing import NamedTuple

__all__ = ["NamedTuple", "dataclass"]


class _SignatureOnDemand:
    """The signature that `help` shows for a class; `inspect` is slow to load."""

    def __init__(
        self, method: str, parameters: Callable[[type], Iterable[Parameter]]
    ) -> None:
        self._method = method
        self._parameters = parameters

    def __get__(self, instance: object, owner: type) -> Signature:
        from inspect import Signature  # for help only

        if getattr(owner, self._method).__module__ != __name__:
            raise AttributeError("__signature__")  # a subclass with its own method
        return Signature([*self._parameters(owner)])


class _Arguments:
    """The arguments that create an object: its fields, some of which have defaults."""

    def __init__(
        self, fields: Sequence[str], positional: Sequence[str], defaults: dict[str, Any]
    ) -> None:
        self._fields = frozenset(fields)
        self._positional = positional
        self._defaults = defaults

    def of(
        self, name: str, given: tuple[Any, ...], values: dict[str, Any]
    ) -> dict[str, Any]:
        """Return the value of each field; the name is that of the class."""
        arguments = {**dict(zip(self._positional, given, strict=False)), **values}
        row = {**self._defaults, **arguments}
        if len(arguments) == len(given) + len(values) and row.keys() == self._fields:
            return row
        if len(given) > len(self._positional):
            what = f"{len(given)} positional arguments"
        elif unknown := row.keys() - self._fields:
            what = f"unknown arguments: {', '.join(sorted(unknown))}"
        elif missing := self._fields - row.keys():
            what = f"missing arguments: {', '.join(sorted(missing))}"
        else:
            what = f"arguments that are given twice: {', '.join(sorted(values))}"
        raise TypeError(f"{name}() has {what}")


if not TYPE_CHECKING:
    try:
        from _collections import _tuplegetter
    except ImportError:  # not CPython

        def _tuplegetter(index: int, doc: str) -> property:
            return property(lambda row: tuple.__getitem__(row, index), doc=doc)

    class _NamedTuples(type):
        """Makes a class of tuples of each class that is derived from `NamedTuple`."""

        def __new__(
            mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]
        ) -> type:
            if not bases:
                return type.__new__(mcs, name, bases, space)
            fields = tuple(space.get("__annotations__", ()))
            defaults = {field: space[field] for field in fields if field in space}
            getters = {
                field: _tuplegetter(index, f"Alias for field number {index}")
                for index, field in enumerate(fields)
            }
            return type(
                name,
                (tuple,),
                {
                    **_TUPLE_METHODS,
                    "__new__": _new_tuple(fields, defaults),
                    "__slots__": (),
                    "__match_args__": fields,
                    "_fields": fields,
                    "_field_defaults": defaults,
                    **space,
                    **getters,
                },
            )

    class NamedTuple(metaclass=_NamedTuples):
        """A tuple whose items have names: see `typing.NamedTuple`."""

    def _new_tuple(
        fields: tuple[str, ...], defaults: dict[str, Any]
    ) -> Callable[..., Any]:
        size, make = len(fields), tuple.__new__
        arguments = _Arguments(fields, fields, defaults)

        def new(cls: type, /, *given: Any, **values: Any) -> Any:
            if len(given) == size and not values:
                return make(cls, given)
            row = arguments.of(cls.__name__, given, values)
            return make(cls, [row[field] for field in fields])

        return new

    def _make(cls: type, values: Iterable[Any]) -> Any:
        return cls(*values)

    def _items(row: Any) -> tuple[Any, ...]:
        return tuple(row)

    def _asdict(row: Any) -> dict[str, Any]:
        return dict(zip(row._fields, row, strict=True))

    def _replace(row: Any, /, **values: Any) -> Any:
        return type(row)(**{**_asdict(row), **values})

    def _tuple_repr(row: Any) -> str:
        fields = (f"{name}={value!r}" for name, value in _asdict(row).items())
        return f"{type(row).__name__}({', '.join(fields)})"

    def _tuple_parameters(owner: Any) -> Iterator[Parameter]:
        from inspect import Parameter

        for name in owner._fields:
            yield Parameter(
                name,
                Parameter.POSITIONAL_OR_KEYWORD,
                default=owner._field_defaults.get(name, Parameter.empty),
                annotation=owner.__annotations__[name],
            )

    _TUPLE_METHODS = {
        "_make": classmethod(_make),
        "_asdict": _asdict,
        "_replace": _replace,
        "__replace__": _replace,
        "__repr__": _tuple_repr,
        "__getnewargs__": _items,
        "__signature__": _SignatureOnDemand("__new__", _tuple_parameters),
    }

    def dataclass(
        *,
        frozen: bool = False,
        eq: bool = True,
        repr: bool = True,
        kw_only: bool = False,
    ) -> Callable[[type], type]:
        """Add methods to a class: see `dataclasses.dataclass`."""
        import dataclasses

        def add(cls: type) -> type:
            # `dataclasses` finds the fields. Without methods, it compiles nothing.
            dataclasses.dataclass(init=False, eq=False, repr=False, kw_only=kw_only)(
                cls
            )
            fields = dataclasses.fields(cls)
            compared = attrgetter(*(field.name for field in fields if field.compare))
            cls.__init__ = _initialiser(fields)
            cls.__signature__ = _SignatureOnDemand("__init__", _parameters)
            if repr:
                cls.__repr__ = _repr
            if eq:
                cls.__eq__ = _equality(compared)
                cls.__hash__ = _hash(compared) if frozen else None
            if frozen:
                cls.__setattr__ = cls.__delattr__ = _refuse
            return cls

        return add

    def _initialiser(fields: Sequence[Field[Any]]) -> Callable[..., None]:
        from dataclasses import MISSING

        names = [field.name for field in fields if field.init]
        positional = [
            field.name for field in fields if field.init and not field.kw_only
        ]
        factories = [
            (field.name, field.default_factory)
            for field in fields
            if field.default_factory is not MISSING
        ]
        defaults = {
            **{f.name: f.default for f in fields if f.default is not MISSING},
            **{name: MISSING for name, _ in factories if name in names},
        }
        arguments = _Arguments(names, positional, defaults)
        set_field = object.__setattr__

        def init(self: Any, /, *given: Any, **values: Any) -> None:
            row = arguments.of(type(self).__name__, given, values)
            for name, factory in factories:
                if row.get(name, MISSING) is MISSING:
                    row[name] = factory()
            for name, value in row.items():
                set_field(self, name, value)
            if has_more := getattr(self, "__post_init__", None):
                has_more()

        return init

    def _equality(compared: Callable[[Any], Any]) -> Callable[[Any, Any], bool]:
        def equal(self: Any, other: object) -> bool:
            if type(other) is not type(self):
                return NotImplemented
            return compared(self) == compared(other)

        return equal

    def _hash(compared: Callable[[Any], Any]) -> Callable[[Any], int]:
        return lambda record: hash(compared(record))

    def _repr(record: Any) -> str:
        from dataclasses import fields

        shown = (
            f"{field.name}={getattr(record, field.name)!r}"
            for field in fields(record)
            if field.repr
        )
        return f"{type(record).__qualname__}({', '.join(shown)})"

    def _refuse(_record: Any, name: str, *_value: Any) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot change field {name!r}")

    def _parameters(owner: type) -> Iterator[Parameter]:
        from dataclasses import MISSING, fields
        from inspect import Parameter

        kinds = {False: Parameter.POSITIONAL_OR_KEYWORD, True: Parameter.KEYWORD_ONLY}
        for field in fields(owner):
            if not field.init:
                continue
            default = field.default
            if field.default_factory is not MISSING:
                default = field.default_factory
            yield Parameter(
                field.name,
                kinds[field.kw_only],
                default=Parameter.empty if default is MISSING else default,
                annotation=field.type,
            )
