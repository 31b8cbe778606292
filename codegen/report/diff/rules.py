# SPDX-License-Identifier: MIT
"""The kinds of change, and what a C user does about each: the one table of sentences of the reports.

In a sentence, {c} is the C name of the place, {old} and {new} are what stood there before and stands there
now, {c_old} and {c_new} their C types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Mapping, Optional


@dataclass(frozen=True)
class Rule:
    """A kind of change.

    `mirror` is the kind that the same change is when read backwards. `action` says what to do; `broken` where
    C source breaks, `text` where C keeps the place as JSON text, `constant` where it stores nothing, if those
    are something else. An `addition` is not breaking for being unknown to a peer of the old schema: whoever
    sends it knows from the negotiated revision that the peer has it.
    """

    title: str
    mirror: str
    action: str
    broken: Optional[str] = None
    text: Optional[str] = None
    constant: Optional[str] = None
    addition: bool = False


_WRITTEN = "Nothing; encode writes it."

_TYPES: Mapping[str, Rule] = {
    "type-added": Rule("new type", "type-removed", "Nothing; {c} is there to use."),
    "type-removed": Rule(
        "type gone", "type-added", "Nothing.", "Remove what uses {c} and the functions named after it."
    ),
    "type-named": Rule(
        "described in place before, now a type", "type-unnamed", "Nothing; {c} had this name already."
    ),
    "type-unnamed": Rule(
        "no type any more, described in place", "type-named", "Nothing; {c} keeps its name."
    ),
    "type-renamed": Rule(
        "type renamed",
        "type-renamed",
        "Nothing.",
        "Write {c} for {c_old}; nothing else about it changed.",
    ),
    "named": Rule(
        "described in place, now a type",
        "inlined",
        "Nothing.",
        "Use {c_new} for {c}, which had a C type of its own.",
    ),
    "inlined": Rule(
        "a type, now described in place",
        "named",
        "Nothing.",
        "Use the C type of its own that {c} has now in place of {c_old}.",
    ),
}

_MEMBERS: Mapping[str, Rule] = {
    "member-added": Rule(
        "new optional member",
        "member-removed",
        "Nothing; set {c} where you want to send it.",
        text="Nothing; put {c} into the text where you want to send it.",
    ),
    "member-added-required": Rule(
        "new required member",
        "member-removed-required",
        "Set {c} before encoding, which fails without it.",
        text="Put {c} into the text: encode fails without it.",
        constant=_WRITTEN,
    ),
    "member-removed": Rule(
        "member gone",
        "member-added",
        "Nothing; what a peer still sends there is kept in extra.",
        "Remove {c}; what a peer still sends there is kept in extra.",
        text="Nothing; what a peer still sends there stays in the text.",
    ),
    "member-removed-required": Rule(
        "required member gone",
        "member-added-required",
        "Nothing; peers of the old schema still insist on it.",
        "Remove {c}; peers of the old schema still insist on it.",
    ),
    "member-required": Rule(
        "now required",
        "member-optional",
        "Always set {c}: encode fails without it.",
        "Always set {c}, which has another C form now that it is required.",
        text="Always put {c} into the text: encode fails without it.",
        constant=_WRITTEN,
    ),
    "member-optional": Rule(
        "now optional",
        "member-required",
        "Look whether {c} is there before you read it.",
        "Look whether {c} is there before you read it; it has another C form now that it is optional.",
    ),
    "reference-renamed": Rule(
        "names a renamed type", "reference-renamed", "Nothing.", "Use {c_new} for {c}, as {c_old} is gone."
    ),
    "type-changed": Rule(
        "another type",
        "type-changed",
        "Write {c} as {new}, and expect that of peers.",
        "Read and write {c} as {new}.",
    ),
    "values-changed": Rule(
        "other values",
        "values-changed",
        "Write {c} as {new}, and handle each of them.",
        "Replace the enumerators of {c} that are gone; it is {new} now.",
    ),
    "constraint-changed": Rule(
        "other bounds", "constraint-changed", "Keep {c} within its bounds, which are now: {new}."
    ),
    "format-changed": Rule(
        "another format",
        "format-changed",
        "Nothing, unless you set MCPW_STRICT, which checks {c} as {new}.",
    ),
    "others-changed": Rule(
        "other rule for unnamed members",
        "others-changed",
        "Look at the members that {c} does not name; they are now: {new}.",
        "Take extra out of {c}, or use it: members that it does not name are now: {new}.",
        text="Look at the members that {c} does not name; they are now: {new}.",
    ),
    "alternative-added": Rule(
        "new alternative",
        "alternative-removed",
        "Handle {new} where you look at the kind of {c}.",
        "Handle {new} in {c}, whose C type changed with it.",
        text="Expect {new} as {c} too.",
    ),
    "alternative-removed": Rule(
        "alternative gone",
        "alternative-added",
        "Stop sending {old} as {c}.",
        "Remove the case of {old} where you look at the kind of {c}.",
    ),
    "alternative-renamed": Rule(
        "alternative renamed",
        "alternative-renamed",
        "Nothing.",
        "Write {new} for {old} where you look at the kind of {c}.",
    ),
    "message-added": Rule("new message", "message-removed", "Nothing; see the method.", addition=True),
    "message-removed": Rule(
        "message gone",
        "message-added",
        "Nothing; see the method.",
        "Remove the case of {old} in {c}; see the method.",
    ),
    "envelope": Rule(
        "states the rule of JSON-RPC",
        "envelope",
        "Nothing; sessions write it, and every message has it.",
        "Nothing where sessions write the message; else set {c} as it stands in C now.",
    ),
}

_METHODS: Mapping[str, Rule] = {
    "method-added": Rule(
        "new method",
        "method-removed",
        "Nothing; add a handler or a call where you want it. Older peers answer METHOD_NOT_FOUND.",
        addition=True,
    ),
    "method-removed": Rule(
        "method gone",
        "method-added",
        "Nothing; a peer of the old schema may still send it.",
        "Remove its handlers and calls; a peer of the old schema may still send it.",
    ),
    "method-direction": Rule(
        "goes another way",
        "method-direction",
        "Send and serve it as it goes now: {new}.",
        "Move its handlers and calls to where it goes now: {new}.",
    ),
    "method-inside": Rule(
        "goes inside a result, or no longer does",
        "method-inside",
        "Nothing where handlers ask with its function mcp_ask_..., which works either way.",
    ),
    "method-params": Rule(
        "other type of params",
        "method-params",
        "Nothing beyond the changes of {new}.",
        "Use {c_new} for the params of its handlers and calls.",
    ),
    "method-params-required": Rule("params now required", "method-params-optional", "Always pass params."),
    "method-params-optional": Rule(
        "params now optional", "method-params-required", "Expect NULL for params."
    ),
    "method-result": Rule(
        "other result",
        "method-result",
        "Answer with {new}, and expect it of peers.",
        "Answer with {new}, and expect it of peers; the functions that answer and read replies changed.",
    ),
    "method-capability": Rule(
        "other capability",
        "method-capability",
        "Declare what it needs now, {new}, on that side, and look for it before you use the method.",
    ),
    "error-added": Rule("new error code", "error-removed", "Nothing; answer with it where it fits."),
    "error-removed": Rule(
        "error code gone",
        "error-added",
        "Stop sending {old}; a handler that answers it sends {new}.",
        "Stop sending {old}, whose name is gone; a handler that answers it sends {new}.",
    ),
    "error-changed": Rule(
        "other number", "error-changed", "Nothing where you write the name; the number is {new}."
    ),
    "batches-added": Rule(
        "messages may come as arrays",
        "batches-removed",
        "Nothing; sessions take arrays apart and answer alike.",
    ),
    "batches-removed": Rule(
        "messages no longer come as arrays",
        "batches-added",
        "Nothing; sessions refuse arrays and write single messages.",
    ),
}

RULES: Mapping[str, Rule] = {**_TYPES, **_MEMBERS, **_METHODS}
