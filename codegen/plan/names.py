# SPDX-License-Identifier: MIT
"""C names: how names of the schema become identifiers, and the check that no two become the same one.

A name depends on the schema's name alone, never on what was met before it. If two come out equal, or one is
taken by C, C++ or this library, a fixed rule adds an underscore or the schema is refused.
"""

from __future__ import annotations

import re
from typing import Dict, Iterable, Iterator, Mapping, Tuple

from codegen.errors import Refusal

C_WORDS = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if inline int
    long register restrict return short signed sizeof static struct switch typedef union unsigned void
    volatile while""".split()
)
CPP_WORDS = frozenset(
    """alignas alignof and and_eq asm bitand bitor bool catch char8_t char16_t char32_t class co_await
    co_return co_yield compl concept const_cast consteval constexpr constinit decltype delete dynamic_cast
    explicit export false final friend import module mutable namespace new noexcept not not_eq nullptr
    operator or or_eq override private protected public reinterpret_cast requires static_assert static_cast
    template this thread_local throw true try typeid typename typeof using virtual wchar_t xor
    xor_eq""".split()
)
# Object-like macros that common platforms define, which would rewrite a member of that name.
PLATFORM_WORDS = frozenset(
    "assert errno far i386 interface linux major makedev minor near offsetof stderr stdin stdout unix".split()
)
# The names that the generated structs and functions use themselves.
OWN_WORDS = frozenset(
    "as copy count decode encode entry equal extra items kind list map table unknown validate".split()
)
# Names that follow the prefix of a revision directly.
OWN_GLOBALS = frozenset(
    """client_dispatch client_handlers error_code message method method_from_name method_name revision
    schema_sha256 server_dispatch server_handlers""".split()
)

# The functions of a type, by what follows its C name.
TYPED = ("decode", "encode", "validate", "validate_value", "copy", "equal")
# The other suffixes that may follow the C name of a type in a name of its own.
OWN_ENDINGS = (*TYPED, "table", "kind", "text", "from_text")

RESERVED_MEMBERS = C_WORDS | CPP_WORDS | PLATFORM_WORDS | OWN_WORDS

# The suffix of a type whose C name would be that of a definition.
INLINE = "_inline"

SPECIAL_MEMBERS: Mapping[str, str] = {"$schema": "schema_uri"}
# Enumerators that every C enum here may get besides those of the schema.
RESERVED_ENUMERATORS = frozenset(("UNKNOWN", "MAX_ENUM"))

_ACRONYM_END = re.compile(r"([A-Z]+)([A-Z][a-z])")
_WORD_END = re.compile(r"([a-z0-9])([A-Z])")
_NO_WORD = re.compile(r"[^A-Za-z0-9]+")
_OVERLAID = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})-(.+)")
_REVERSE_DNS = re.compile(r"^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+/(.+)$")


def snake(name: str) -> str:
    """`name` in snake_case with acronyms kept together; empty where nothing of it can stand in C."""
    parted = _WORD_END.sub(r"\1_\2", _ACRONYM_END.sub(r"\1_\2", name))
    return _NO_WORD.sub("_", parted).strip("_").lower()


def upper(name: str) -> str:
    """`name` as the part of an enumerator or macro."""
    return snake(name).upper()


def revision_prefix(revision: str) -> str:
    """The prefix of all C names of a revision, such as `mcp_20251125`, or `mcp_20260728_tasks` with an
    overlay."""
    overlaid = _OVERLAID.fullmatch(revision)
    if overlaid:
        return f"{revision_prefix(overlaid.group(1))}_{snake(overlaid.group(2))}"
    return "mcp_" + _NO_WORD.sub("", revision).lower()


def revision_number(revision: str) -> int:
    """The revision as a number, such as 20251125; 0 for one whose name is no date."""
    digits = revision.replace("-", "")
    return int(digits) if re.fullmatch(r"[0-9]{8}", digits) else 0


def definition_name(file: str, pointer: str, name: str) -> str:
    """The C name of a definition, without the revision's prefix."""
    plain = snake(name)
    if not plain:
        raise Refusal(file, pointer, f'definition name "{name}" leaves nothing to name it by in C')
    return plain + "_" if plain in OWN_GLOBALS else plain


def definition_names(file: str, definitions: Iterable[Tuple[str, str]]) -> Dict[str, str]:
    """The C names of all definitions, each given with its pointer, by their names. A definition that would
    have the name of another one's function gets an underscore."""
    plain = {name: definition_name(file, pointer, name) for name, pointer in definitions}
    made = {f"{c_name}_{ending}" for c_name in plain.values() for ending in OWN_ENDINGS}
    return distinct({name: c_name + "_" if c_name in made else c_name for name, c_name in plain.items()})


def distinct(c_names: Mapping[str, str]) -> Dict[str, str]:
    """C names by names, with those numbered that are equal: the first by name keeps its own, whatever the
    order in which they stand."""
    taken = set(c_names.values())
    found: Dict[str, str] = {}
    for name in sorted(c_names):
        c_name, number = c_names[name], 2
        if c_name in found.values():
            while f"{c_name}_{number}" in taken:
                number += 1
            c_name = f"{c_name}_{number}"
            taken.add(c_name)
        found[name] = c_name
    return {name: found[name] for name in c_names}


def member_names(names: Iterable[str]) -> Dict[str, str]:
    """The C names of an object's members, by their names in JSON.

    A reverse-DNS key is named by its last segment, or in full where that name is another member's.
    """
    full = {name: _member(name) for name in names}
    short: Dict[str, str] = {}
    for name in full:
        matched = _REVERSE_DNS.match(name)
        short[name] = _member(matched.group(1)) if matched else full[name]
    clashing = {c for c in short.values() if list(short.values()).count(c) > 1}
    chosen = {name: full[name] if short[name] in clashing else short[name] for name in full}
    return distinct(chosen)


_UNNAMED = "unnamed"
"""The name of a member whose own name has no letter or digit of ASCII."""


def _member(part: str) -> str:
    plain = SPECIAL_MEMBERS.get(part) or snake(part) or _UNNAMED
    if plain[0].isdigit():
        return "_" + plain
    return plain + "_" if plain in RESERVED_MEMBERS else plain


def slot_name(function: str) -> str:
    """The member of a struct of handlers for a method whose functions have this name."""
    if function[0].isdigit():
        return "_" + function
    return function + "_" if function in RESERVED_MEMBERS else function


def enumerator_parts(values: Iterable[str]) -> Tuple[str, ...]:
    """The last parts of the enumerators of an enum's values, in their order."""
    parts: Dict[str, str] = {}
    for value in values:
        part = upper(value) or _UNNAMED.upper()
        parts[value] = part + "_" if part in RESERVED_ENUMERATORS else part
    return tuple(distinct(parts).values())


class Registry:
    """The identifiers of one revision that share C's global name space."""

    def __init__(self, file: str, prefix: str) -> None:
        self._file = file
        self._prefix = prefix
        self._owners: Dict[str, str] = {}

    def claim(self, name: str, pointer: str) -> str:
        """Takes a full C name for what stands at `pointer`; refused when something else has it."""
        if name in self._owners:
            taken = self._owners[name] or "this library"
            raise Refusal(self._file, pointer, f"would be {name} in C, which names {taken} already")
        self._owners[name] = pointer
        return name

    def lower(self, part: str, pointer: str) -> str:
        """Claims the prefix and `part` as the name of a type, function or table."""
        return self.claim(f"{self._prefix}_{part}", pointer)

    def yielding(self, part: str, pointer: str) -> str:
        """The same for a function of a method, which gets an underscore where a type has its name."""
        name = f"{self._prefix}_{part}"
        while name in self._owners:
            name += "_"
        return self.claim(name, pointer)

    def upper(self, part: str, pointer: str) -> str:
        """Claims the prefix and `part` as the name of an enumerator or macro."""
        return self.claim(f"{self._prefix}_{part}".upper(), pointer)

    def names(self) -> Iterator[str]:
        """All names, in the order in which they were taken."""
        return iter(self._owners)

    def short_names(self) -> Tuple[Tuple[str, str], ...]:
        """(short name, full name) of all, in the order in which they were taken."""
        cut = len(self._prefix)
        return tuple((name[:3] + name[cut:], name) for name in self._owners)
