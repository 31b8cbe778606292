# SPDX-License-Identifier: MIT
"""The declarations of a revision in C, as they grow during planning."""

from __future__ import annotations

from typing import List, Union

from codegen.plan import names
from codegen.plan.comments import Comments
from codegen.plan.cplan import AliasDecl, EnumDecl, StructDecl, UnionDecl


class Declarations:
    """The declared types in the order of their first use, with what their names and comments come from."""

    def __init__(self, file: str, prefix: str, registry: names.Registry, comments: Comments) -> None:
        self.file = file
        self.prefix = prefix
        self.registry = registry
        self.comments = comments
        self.enums: List[EnumDecl] = []
        self.aliases: List[AliasDecl] = []
        self.types: List[Union[StructDecl, UnionDecl]] = []
