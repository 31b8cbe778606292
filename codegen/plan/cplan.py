# SPDX-License-Identifier: MIT
"""The C plan of a revision: what is declared in C and what its tables say, before either is text.

Table entries follow runtime/include/mcpw/detail/table.h. Kinds are the names of mcpw_kind without their
prefix; C types are spelled out; None in place of a C type means that nothing is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple, Union

from codegen.errors import Note


@dataclass(frozen=True)
class Ref:
    """mcpw_ref: a kind, with the indices of a check and of the entry that describes it."""

    kind: str
    index: int = 0
    check: int = 0


@dataclass(frozen=True)
class Value:
    """A type as it stands in a place: its reference, and the C type that holds it."""

    ref: Ref
    c_type: Optional[str]


@dataclass(frozen=True)
class Row:
    """A member of an object. `c_member` is None where C stores nothing for it."""

    key: str
    ref: Ref
    required: bool
    c_member: Optional[str]


@dataclass(frozen=True)
class StructEntry:
    """mcpw_struct. Without `c_type` it checks text and describes no C struct."""

    name: str
    c_type: Optional[str]
    rows: Tuple[Row, ...]
    keeps_extra: bool
    extra_value: Ref


@dataclass(frozen=True)
class ArrayEntry:
    item: Ref
    c_item: Optional[str]


@dataclass(frozen=True)
class MapEntry:
    value: Ref
    c_entry: Optional[str]


@dataclass(frozen=True)
class Alternative:
    name: str
    ref: Ref
    bits: int


@dataclass(frozen=True)
class TestEntry:
    """mcpw_test; `value` is None where presence decides, `row` where the alternative has no such row."""

    member: str
    value: Optional[str]
    alternative: int
    row: Optional[int]


@dataclass(frozen=True)
class UnionEntry:
    name: str
    c_type: Optional[str]
    alternatives: Tuple[Alternative, ...]
    tests: Tuple[TestEntry, ...]
    otherwise: Optional[int]
    flags: Tuple[str, ...]
    residual: Optional[int] = None
    """The residual constraint of its one alternative; flags are BARE and DEMAND."""


@dataclass(frozen=True)
class EnumEntry:
    name: str
    values: Tuple[str, ...]


@dataclass(frozen=True)
class ConstEntry:
    value: Union[str, int, bool, None]
    bits: int


@dataclass(frozen=True)
class CheckEntry:
    """mcpw_check. Numbers are C constants; texts are the bounds as the schema writes them."""

    flags: Tuple[str, ...] = ()
    minimum: str = "0"
    maximum: str = "0"
    min_number: str = "0"
    max_number: str = "0"
    min_text: Optional[str] = None
    max_text: Optional[str] = None
    argument: Optional[str] = None
    format: str = "NONE"


@dataclass(frozen=True)
class DemandEntry:
    """mcpw_residual: schemas of their own, all of which a value has to meet."""

    texts: Tuple[str, ...]


@dataclass(frozen=True)
class Member:
    """A member of a C struct or union, with its comment."""

    c_type: str
    name: str
    comment: Optional[str] = None


@dataclass(frozen=True)
class EnumDecl:
    """A C enum. `index` is that of its table entry; kinds of unions have none. `notes` has the comments of
    the enumerators, then that of the one for unknown values."""

    name: str
    comment: str
    enumerators: Tuple[str, ...]
    upper: str
    index: Optional[int] = None
    notes: Tuple[str, ...] = ()


@dataclass(frozen=True)
class StructDecl:
    name: str
    comment: str
    members: Tuple[Member, ...]


@dataclass(frozen=True)
class UnionDecl:
    """A C struct of a kind and a union of the alternatives."""

    name: str
    comment: str
    kind: str
    members: Tuple[Member, ...]


@dataclass(frozen=True)
class AliasDecl:
    name: str
    comment: str
    target: str


@dataclass(frozen=True)
class Handle:
    """mcpw_type: `name` as in the schema, `c_table` the C variable, `c_name` the prefix of its functions."""

    name: str
    c_name: str
    c_table: str
    ref: Ref
    c_type: str
    definition: bool
    shared: bool = False
    """The functions are those of the revision below overlays; `c_name` is empty."""


@dataclass(frozen=True)
class MethodPlan:
    """mcpw_method, with the enumerator of its number. Handles are named by their C variables. `pointer` is
    where the schema describes the message, `message` the definition that does; `asked`: a server asks a
    client for it while it handles a request."""

    pointer: str
    name: str
    enumerator: str
    function: str
    flags: Tuple[str, ...]
    message: Optional[Handle]
    params: Optional[Handle]
    result: Optional[Handle]
    response: Optional[Handle]
    task_result: Optional[Handle]
    capability: Optional[str]
    by_sender: bool
    asked: bool


@dataclass(frozen=True)
class Slot:
    """A member of a struct of handlers: a function that takes the params of one method."""

    name: str
    method: str
    params: str
    request: bool
    comment: str


@dataclass(frozen=True)
class Side:
    """The handlers of one side: the C struct of its slots, and the mcpw_dispatch that calls them."""

    role: str
    handlers: str
    dispatch: str
    slots: Tuple[Slot, ...]


@dataclass(frozen=True)
class Wrapper:
    """A typed function that passes one method's number, or one type's table, on to the runtime.

    `method`: the enumerator; `params` and `result`: C types, `void` where there is none; `table`: the handle
    of the result.
    """

    name: str
    comment: str
    method: str = ""
    params: str = ""
    result: str = ""
    table: str = ""


@dataclass(frozen=True)
class EitherCall:
    """A call that waits for the method's result or for another one, whichever comes. `part` is the name of
    the parameter that receives the other."""

    usual: Wrapper
    other: Wrapper
    part: str


@dataclass(frozen=True)
class HandlersPlan:
    """The typed layer over sessions, each kind of wrapper in the order of the methods."""

    sides: Tuple[Side, ...]
    responds: Tuple[Wrapper, ...]
    replies: Tuple[Wrapper, ...]
    requests: Tuple[Wrapper, ...]
    notifies: Tuple[Wrapper, ...]
    asks: Tuple[Wrapper, ...]
    calls: Tuple[Wrapper, ...]
    eithers: Tuple[EitherCall, ...] = ()


@dataclass(frozen=True)
class GateEntry:
    """mcpw_gate; `method` is the enumerator, `value` None where any will do."""

    method: str
    member: str
    value: Optional[str]
    capability: str


@dataclass(frozen=True)
class ExtensionEntry:
    """The descriptor of an extension: its C name, and its id among capabilities."""

    name: str
    id: str


@dataclass(frozen=True)
class FeatureEntry:
    """mcpw_feature; `part` is METHOD, PARAMS, RESULT or VALUE, and what does not matter to it is None."""

    method: Optional[str]
    part: str
    path: Optional[str]
    value: Optional[str]
    capability: str


@dataclass(frozen=True)
class TopicEntry:
    """mcpw_topic."""

    notification: str
    filter: str
    member: str
    capability: str


@dataclass(frozen=True)
class ErrorConstant:
    name: str
    code: int
    comment: str


@dataclass(frozen=True)
class DefaultEntry:
    member: str
    value: str
    below_minimum: bool


@dataclass(frozen=True)
class Tables:
    """All entries of a revision, each kind in the order of its indices."""

    structs: Tuple[StructEntry, ...]
    arrays: Tuple[ArrayEntry, ...]
    maps: Tuple[MapEntry, ...]
    unions: Tuple[UnionEntry, ...]
    enums: Tuple[EnumEntry, ...]
    consts: Tuple[ConstEntry, ...]
    checks: Tuple[CheckEntry, ...]
    shapes: Tuple[Ref, ...]
    residuals: Tuple[DemandEntry, ...] = ()


@dataclass(frozen=True)
class Plan:
    """All that is written for a revision."""

    revision: str
    number: int
    prefix: str
    source: str
    sha256: str
    enums: Tuple[EnumDecl, ...]
    aliases: Tuple[AliasDecl, ...]
    types: Tuple[Union[StructDecl, UnionDecl], ...]
    tables: Tables
    handles: Tuple[Handle, ...]
    error: Handle
    methods: Tuple[MethodPlan, ...]
    handlers: HandlersPlan
    gates: Tuple[GateEntry, ...]
    features: Tuple[FeatureEntry, ...]
    topics: Tuple[TopicEntry, ...]
    errors: Tuple[ErrorConstant, ...]
    codes: Tuple[Tuple[int, int], ...]
    role_codes: Tuple[int, ...]
    defaults: Tuple[DefaultEntry, ...]
    batches: bool
    argument_results: bool
    polled_streams: bool
    short_names: Tuple[Tuple[str, str], ...]
    extensions: Tuple[ExtensionEntry, ...] = ()
    notes: Tuple[Note, ...] = ()
    base: str = ""
    """The revision below overlays, of whose types this makes use."""
    only: Tuple[str, ...] = ()
    """The methods and types that were asked for, where the rest is left out."""
