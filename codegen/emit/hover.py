# SPDX-License-Identifier: MIT
"""The comments that an editor shows for generated names: of functions and methods, and one line for each
short name.
A short name is a macro, of which editors show the definition: so the line stands inside it."""

from __future__ import annotations

import textwrap
from typing import Dict, Iterator, List, Tuple

from codegen.plan.comments import Comments, plain
from codegen.plan.cplan import ExtensionEntry, Handle, MethodPlan, Plan, Wrapper
from codegen.plan.names import TYPED

LONGEST_LINE = 120

_FUNCTIONS = {
    "decode": "Reads {} from JSON text; see mcpw_decode.",
    "encode": "Writes {} as JSON text; see mcpw_encode.",
    "validate": "Whether JSON text is {}; see mcpw_validate.",
    "validate_value": "Whether a struct is a valid {}; see mcpw_validate_value.",
    "copy": "A deep copy of {}; see mcpw_copy.",
    "equal": "Whether two of {} are equal; see mcpw_equal.",
    "table": "The type handle of {}, for mcpw_decode, mcpw_project and their like.",
}
_ENUM_FUNCTIONS = {
    "text": "The text of an enumerator; absent for values that the schema does not name.",
    "from_text": "The enumerator of a text; 0 for texts that the schema does not name.",
}


def function_comments(label: str) -> Dict[str, str]:
    """The comments of a type's functions and of its table, by the last part of their names."""
    return {part: _FUNCTIONS[part].format(plain(label)) for part in (*TYPED, "table")}


def enum_function_comments() -> Dict[str, str]:
    """The comments of an enum's conversions, by the last part of their names."""
    return dict(_ENUM_FUNCTIONS)


def method_comment(method: MethodPlan, comments: Comments) -> str:
    """The comment of a method: its purpose, its types, and on a line of its own its source."""
    kind = "request" if "REQUEST" in method.flags else "notification"
    from_client, from_server = "FROM_CLIENT" in method.flags, "FROM_SERVER" in method.flags
    sender = (
        " of either side"
        if from_client and from_server
        else " of the client"
        if from_client
        else " of the server"
    )
    words = [f"{plain(method.name)}, a {kind}{sender}."]
    if method.params is not None:
        words.append(f"Params: {plain(method.params.name)}.")
    if method.result is not None:
        words.append(f"Result: {plain(method.result.name)}.")
    if method.capability is not None:
        words.append(f"Needs the capability {plain(method.capability)}.")
    return " ".join(words) + "\n" + comments.source(_definition(method.pointer))


def _definition(pointer: str) -> str:
    """The definition that a pointer leads into."""
    return pointer.split("/")[2].replace("~1", "/").replace("~0", "~")


def short_lines(plan: Plan) -> Dict[str, str]:
    """One line for each full name of a revision."""
    found: Dict[str, str] = {
        "revision": "The tables of this revision.",
        "message_decode": "mcpw_message_decode for this revision.",
        "message_validate": "mcpw_message_validate for this revision.",
        "message_encode": "mcpw_message_encode for this revision.",
        "method": "The methods, by their numbers in mcpw_message.method.",
        "method_name": "A method's name; absent for numbers that the revision does not know.",
        "method_from_name": "A method's number; 0 for names that the revision does not know.",
    }
    lines = {f"{plan.prefix}_{part}": line for part, line in found.items()}
    lines[f"{plan.prefix}_schema_sha256".upper()] = "The sha256 of the schema, in hexadecimal."
    lines.update(_types(plan))
    lines.update(_methods(plan))
    lines.update(_handlers(plan))
    return {name: _one_line(text) for name, text in lines.items()}


def _one_line(text: str) -> str:
    """The first paragraph of a comment, cut where it is long."""
    return textwrap.shorten(text.split("\n")[0], LONGEST_LINE, placeholder=" ...")


def _types(plan: Plan) -> Iterator[Tuple[str, str]]:
    for enum in plan.enums:
        yield enum.name, enum.comment
        names = (*enum.enumerators, f"{_stem(enum.upper, enum.index is None)}_UNKNOWN")
        yield from zip(names, enum.notes)
        if enum.index is not None:
            for part, line in _ENUM_FUNCTIONS.items():
                yield f"{enum.name}_{part}", line
    for alias in plan.aliases:
        yield alias.name, alias.comment
    for decl in plan.types:
        yield decl.name, decl.comment
    for handle in plan.handles:
        if handle.c_name:
            for part, line in function_comments(handle.name).items():
                yield f"{handle.c_name}_{part}", line
        else:
            yield handle.c_table, table_comment(handle)


def _stem(upper: str, kind: bool) -> str:
    return upper[: -len("_KIND")] if kind else upper


def table_comment(handle: Handle) -> str:
    """The comment of a table without functions: of a definition that has those of another revision, or of a
    response."""
    if handle.shared:
        return function_comments(handle.name)["table"]
    return response_comment(handle.name)


def response_comment(label: str) -> str:
    """The comment of the handle by which the answer to a method is read."""
    return f"The type handle by which {plain(label)} is read as an answer: by resultType, without fallback."


def accessor_comment(part: str, method: str) -> str:
    """The comment of the function that takes the params or the result out of a message."""
    return f"The {part} of {plain(method)}; NULL for any other message, and where there are none."


def _methods(plan: Plan) -> Iterator[Tuple[str, str]]:
    for error in plan.errors:
        yield error.name, error.comment
    for method in plan.methods:
        yield method.enumerator, plain(method.name)
        for part, handle in (("params", method.params), ("result", method.response)):
            if handle is not None:
                yield f"{plan.prefix}_{part}_{method.function}", accessor_comment(part, method.name)


def extension_comment(extension: ExtensionEntry) -> str:
    """The comment of a descriptor, for which a program sets handlers and settings."""
    return f"The extension {plain(extension.id)}: copy it, set handlers, add it by <mcpw/extension.h>."


def _handlers(plan: Plan) -> Iterator[Tuple[str, str]]:
    # The names of both sides are taken, also where a side receives nothing.
    for role in ("server", "client"):
        slots = f"{plan.prefix}_{role}_handlers"
        yield slots, f"The handlers of a {role}, one for each message that it may receive."
        yield f"{plan.prefix}_{role}_dispatch", f"For mcpw_session_config.dispatch, with {slots} as handlers."
    for extension in plan.extensions:
        yield extension.name, extension_comment(extension)
    handlers = plan.handlers
    kinds: List[Tuple[Wrapper, ...]] = [
        handlers.responds,
        handlers.replies,
        handlers.requests,
        handlers.notifies,
        handlers.asks,
        handlers.calls,
        tuple(either.usual for either in handlers.eithers),
    ]
    for wrappers in kinds:
        for wrapper in wrappers:
            yield wrapper.name, wrapper.comment
