# SPDX-License-Identifier: MIT
"""Methods and types as nodes, what refers to what as edges."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Dict, FrozenSet, List, Mapping, Optional, Set, Tuple

from codegen.errors import BadInput
from codegen.model.nodes import EnumType, Node, ObjectType, UnionType
from codegen.model.walk import reachable, reference_map
from codegen.plan.cplan import MethodPlan
from codegen.report.diff.methods import method_side
from codegen.report.diff.side import Side
from codegen.report.diff.words import describe
from codegen.source.pointers import split

SHARED = ""
"""The family of types that several families use."""
UNUSED = "carried by no method"
_NOTIFICATIONS = "notifications/"
_SESSION = "session"


@dataclass(frozen=True)
class GraphNode:
    """A method or a type. `kind` is request, notification, object, union, enum or value."""

    id: str
    label: str
    kind: str
    family: str
    title: str

    @property
    def is_method(self) -> bool:
        """Whether it is a method."""
        return self.kind in ("request", "notification")


@dataclass(frozen=True)
class Graph:
    """Nodes in the order of their ids, and the nodes that each one refers to."""

    name: str
    nodes: Tuple[GraphNode, ...]
    edges: Mapping[str, Tuple[str, ...]]
    root: Optional[str]

    def node(self, node_id: str) -> GraphNode:
        """The node of an id that is known to exist."""
        return next(node for node in self.nodes if node.id == node_id)


def build_graph(side: Side, root: Optional[str] = None, depth: Optional[int] = None) -> Graph:
    """The graph of a schema, or of what can be come to from one method or type in so many steps."""
    edges: Dict[str, Tuple[str, ...]] = {
        _type_id(name): tuple(map(_type_id, names)) for name, names in reference_map(side.document).items()
    }
    for method in side.plan.methods:
        edges[_method_id(method.name)] = tuple(map(_type_id, _carried(side, method)))
    families = _families(side, edges)
    nodes = [_method_node(side, method) for method in side.plan.methods]
    nodes += [_type_node(side, name, families) for name in side.names]
    start = _start(side, root)
    if start is None and depth is not None:
        raise BadInput("--depth counts from a root: state it with --root")
    kept = {node.id for node in nodes} if start is None else _near(edges, start, depth)
    found = sorted((node for node in nodes if node.id in kept), key=lambda node: node.id)
    if start is not None:
        # One family only, so that everything stands by its distance from the root.
        found = [replace(node, family=SHARED) for node in found]
    held = {
        node.id: tuple(dict.fromkeys(target for target in edges[node.id] if target in kept)) for node in found
    }
    return Graph(side.name, tuple(found), held, start)


def _method_id(name: str) -> str:
    return f"method {name}"


def _type_id(name: str) -> str:
    return f"type {name}"


def _start(side: Side, root: Optional[str]) -> Optional[str]:
    if root is None:
        return None
    if any(method.name == root for method in side.plan.methods):
        return _method_id(root)
    if side.index.has(root):
        return _type_id(root)
    raise BadInput(f'{side.name} has neither a method nor a type "{root}"')


def _near(edges: Mapping[str, Tuple[str, ...]], start: str, depth: Optional[int]) -> Set[str]:
    """The nodes that can be reached from the start in so many steps."""
    found, last = {start}, [start]
    farthest = len(edges)
    for _ in range(farthest if depth is None else min(depth, farthest)):
        last = sorted({target for node in last for target in edges[node]} - found)
        found.update(last)
    return found


def _carried(side: Side, method: MethodPlan) -> List[str]:
    """The types of a method: its message, params, results, and the response that holds the result."""
    message = split(method.pointer)[1]
    names = [message]
    if method.params is not None and method.params.definition:
        names.append(method.params.name)
    names += method_side(side, method).results
    if message.endswith("Request"):
        names.append(f"{message[: -len('Request')]}ResultResponse")
    return [name for name in dict.fromkeys(names) if side.index.has(name)]


def family_of(method: str) -> str:
    """The subject of a method: the first part of its name, or `session` if that is the whole name."""
    name = method[len(_NOTIFICATIONS) :] if method.startswith(_NOTIFICATIONS) else method
    first, _, rest = name.partition("/")
    return first if rest else _SESSION


def _families(side: Side, edges: Mapping[str, Tuple[str, ...]]) -> Dict[str, FrozenSet[str]]:
    """The families whose methods come to each node."""
    found: Dict[str, Set[str]] = {}
    for method in side.plan.methods:
        for node_id in reachable(edges, [_method_id(method.name)]):
            found.setdefault(node_id, set()).add(family_of(method.name))
    return {node_id: frozenset(families) for node_id, families in found.items()}


def _method_node(side: Side, method: MethodPlan) -> GraphNode:
    kind = "request" if "REQUEST" in method.flags else "notification"
    title = f"{kind}, {method_side(side, method).direction}"
    return GraphNode(_method_id(method.name), method.name, kind, family_of(method.name), title)


def _type_node(side: Side, name: str, families: Mapping[str, FrozenSet[str]]) -> GraphNode:
    used = families.get(_type_id(name), frozenset())
    family = UNUSED if not used else next(iter(used)) if len(used) == 1 else SHARED
    node = side.node(name)
    line = side.facts.docs.line(side.facts.revision, name) or node.description or describe(node)
    return GraphNode(_type_id(name), name, _kind(side.index.resolve(node)), family, " ".join(line.split()))


def _kind(node: Node) -> str:
    if isinstance(node, ObjectType):
        return "object"
    if isinstance(node, UnionType):
        return "union"
    return "enum" if isinstance(node, EnumType) else "value"
