# SPDX-License-Identifier: MIT
"""The parts of extensions, by the numbers of methods."""

from __future__ import annotations

from functools import partial
from typing import Dict, List, Optional, Tuple

from codegen.errors import Refusal, Refusals
from codegen.facts.facts import Facts
from codegen.plan import names
from codegen.plan.cplan import ExtensionEntry, FeatureEntry, MethodPlan, TopicEntry
from codegen.source.extension import Extension, Feature


def plan_extensions(facts: Facts, registry: names.Registry) -> Tuple[ExtensionEntry, ...]:
    """The descriptors: one is `extension`, several are named after the last part of their ids."""
    found: List[ExtensionEntry] = []
    for extension in facts.extensions:
        last = names.snake(extension.name.split("/", 1)[1])
        part = "extension" if len(facts.extensions) == 1 else f"{last}_extension"
        name = registry.yielding(part, extension.file)
        found.append(ExtensionEntry(name, extension.name))
    return tuple(found)


def plan_features(
    facts: Facts, methods: Tuple[MethodPlan, ...], refusals: Refusals
) -> Tuple[FeatureEntry, ...]:
    """That there are extensions, the methods that they bring, and what is theirs of the others."""
    known = {method.name: method for method in methods}
    found: List[FeatureEntry] = []
    for extension in facts.extensions:
        found.append(FeatureEntry(None, "VALUE", None, None, _capability(extension)))
        for name in extension.methods:
            if name in known:
                brought = known[name]
                found.append(FeatureEntry(brought.enumerator, "METHOD", None, None, _capability(extension)))
        for feature in extension.features:
            method = _known(known, extension, feature.method, feature.place, refusals)
            refusals.attempt(partial(_check_result, facts, extension, feature), None)
            if method is not None:
                value, part = feature.value or None, feature.part.upper()
                entry = FeatureEntry(method.enumerator, part, feature.path, value, _capability(extension))
                found.append(entry)
    return tuple(found)


def plan_topics(facts: Facts, methods: Tuple[MethodPlan, ...], refusals: Refusals) -> Tuple[TopicEntry, ...]:
    """The notifications of extensions that subscriptions ask for by name."""
    known = {method.name: method for method in methods}
    found: List[TopicEntry] = []
    for extension in facts.extensions:
        for topic in extension.topics:
            method = _known(known, extension, topic.notification, topic.place, refusals)
            if method is None:
                continue
            if "NOTIFICATION" not in method.flags:
                refusals.add(
                    Refusal(extension.file, topic.place, f"{topic.notification} is not a notification")
                )
            found.append(TopicEntry(method.enumerator, topic.filter, topic.member, _capability(extension)))
    return tuple(found)


def _known(
    known: Dict[str, MethodPlan], extension: Extension, name: str, place: str, refusals: Refusals
) -> Optional[MethodPlan]:
    """A method; None where there is none, which is refused unless it may be one of those that were."""
    if name not in known and not refusals:
        refusals.add(Refusal(extension.file, place, f"there is no method {name}"))
    return known.get(name)


def _capability(extension: Extension) -> str:
    """The name by which it is declared, among those of other capabilities."""
    return f"extensions.{extension.name}"


def _check_result(facts: Facts, extension: Extension, feature: Feature) -> None:
    """The definition that a member of a result selects must be known."""
    tag = facts.result_tags.get(feature.method)
    known = dict(tag.values) if tag and tag.member == feature.path else {}
    if feature.part == "result" and feature.value not in known:
        which = f"which result of {feature.method} has {feature.path} {feature.value}"
        cause = f"nothing says {which}: state it in result_alternatives of methods.json"
        raise Refusal(extension.file, feature.place, cause)
