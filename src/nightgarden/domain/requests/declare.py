"""How an operation is declared: a frozen value whose fields carry their name, type, help, choices and bounds.

    class Forget(OperationRequest):
        "Archive a memory: recall no longer returns it."

        id: str = arg("id of a memory", ids=("memory",))
        reason: str = arg("why; kept in the journal", default="")

Type checkers see a frozen dataclass (PEP 681). At run time it is a small class of its own: importing `dataclasses` and
compiling forty of them costs a command more than asking the daemon.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, ClassVar, Literal, Self, dataclass_transform

    Kind = Literal["text", "integer", "number", "boolean", "texts", "moment", "object"]
else:

    def dataclass_transform(**_):
        return lambda kind: kind


class Missing:
    """The default of a field that must be given."""


class Field:
    """One argument of an operation."""

    __slots__ = (
        *("name", "kind", "help", "default", "choices", "min", "max", "aliases", "short", "metavar", "ids", "words"),
        *("positional", "inside", "users", "end_of_day", "brief", "annotation"),
    )
    name: str
    kind: Kind
    help: str
    default: Any
    choices: tuple[str, ...]
    min: float | None
    max: float | None
    aliases: tuple[str, ...]  # names it had before; still taken
    short: str  # its letter on the command line
    metavar: str
    ids: tuple[str, ...]  # it is an id, or a list of ids, of these kinds of things: the first or last characters do
    words: bool  # on the command line, all words that are no option; standard input when there are none
    positional: bool  # on the command line, a word of its own and not an option
    inside: bool  # only for programs that use the SDK: no surface offers it
    users: str  # not an agent's to say; what its user can run instead
    end_of_day: bool  # a date stands for its end
    brief: str | None  # its help where every token costs
    annotation: str  # its type as it was written

    def __init__(self, **given: Any) -> None:
        for name, value in given.items():
            setattr(self, name, value)

    @property
    def required(self) -> bool:
        return self.default is Missing

    def but(self, **changes: Any) -> Field:
        """The same with some parts changed."""
        return Field(**{**{name: getattr(self, name) for name in self.__slots__}, **changes})


def arg(  # noqa: PLR0913 - as many as a field can have traits
    help: str,
    *,
    default: Any = Missing,
    choices: Iterable[str] = (),
    min: float | None = None,
    max: float | None = None,
    aliases: tuple[str, ...] = (),
    short: str = "",
    metavar: str = "",
    ids: tuple[str, ...] = (),
    words: bool = False,
    positional: bool = False,
    inside: bool = False,
    users: str = "",
    end_of_day: bool = False,
    brief: str | None = None,
    kw_only: bool = True,  # noqa: ARG001 - read by type checkers
) -> Any:
    """A field of an operation. See `Field` for what each part means."""
    return Field(
        help=help,
        default=default,
        choices=tuple(str(choice) for choice in choices),
        min=min,
        max=max,
        aliases=aliases,
        short=short,
        metavar=metavar,
        ids=ids,
        words=words,
        positional=positional or words or (bool(ids) and default is Missing),
        inside=inside,
        users=users,
        end_of_day=end_of_day,
        brief=brief,
    )


def plain_field(name: str, help: str, *, kind: Kind = "text", default: Any = None) -> Field:
    """A field of no operation, described as if it were one of."""
    field: Field = arg(help, default=default)
    field.name, field.kind, field.annotation = name, kind, ""
    return field


_KINDS: dict[str, Kind] = {
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "datetime": "moment",
    "Mapping[str, Any]": "object",
}


def _kind(annotation: str) -> Kind:
    first = annotation.removesuffix(" | None")
    if first.startswith(("Sequence[", "Iterable[", "tuple[")):
        return "texts"
    return _KINDS.get(first, "text")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(arg,))
class OperationRequest:
    """One thing that can be asked, with all that its caller said. The docstring is its overview."""

    operation: ClassVar[str] = ""
    reads: ClassVar[bool] = False  # it changes nothing
    users_only: ClassVar[str] = ""  # not an agent's to ask; the command that its user can run
    own_process_only: ClassVar[bool] = False  # asked on the machine itself, never over HTTP
    fields: ClassVar[Mapping[str, Field]] = {}

    def __init_subclass__(
        cls, *, name: str = "", reads: bool = False, users_only: str = "", own_process_only: bool = False
    ) -> None:
        cls.operation = name or cls.operation or cls.__name__.removesuffix("Request").lower()
        cls.reads = reads or cls.reads
        cls.users_only = users_only
        cls.own_process_only = own_process_only
        found = dict(cls.fields)
        for field_name, annotation in cls.__annotations__.items():
            field = cls.__dict__[field_name]
            field.name, field.annotation, field.kind = field_name, annotation, _kind(annotation)
            found[field_name] = field
            delattr(cls, field_name)
        cls.fields = found

    def __init__(self, *given: Any, **named: Any) -> None:
        fields = type(self).fields
        named = {**dict(zip(fields, given, strict=False)), **named}
        if unknown := [name for name in named if name not in fields]:
            raise TypeError(f"{self.operation} has no argument {', '.join(unknown)}")
        for name, field in fields.items():
            value = named.get(name, field.default)
            if value is Missing:
                raise TypeError(f"{self.operation} needs {name}: {field.help}")
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self.operation} is a value; make a new one with another {name}")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), *map(repr, vars(self).values())))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.given().items())})"

    def given(self) -> dict[str, Any]:
        """The fields that are not as they are when left out."""
        fields = type(self).fields
        return {name: value for name, value in vars(self).items() if value != fields[name].default}

    def but(self, **changes: Any) -> Self:
        """The same with other values in some fields."""
        return type(self)(**{**vars(self), **changes})
