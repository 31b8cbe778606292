# SPDX-License-Identifier: MIT
"""JSON Schemas of the types in TypeScript files, made by typescript-json-schema, the tool of the
specification's own build. Node runs it, and runs nothing of the file."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Tuple
from urllib.parse import quote

from codegen.errors import BadInput, shortened
from codegen.source.dialects import DIALECTS, Dialect
from codegen.source.jsonfile import TYPESCRIPT, Json, parse_json, read_bytes
from codegen.source.nearest import definitions_of, same_definitions
from codegen.source.plain import Plain
from codegen.source.translate import translated

PACKAGE = "typescript-json-schema"
VERSION = "0.68.0"
"""The version that the specification's build names."""
FOLDER_VARIABLE = "MCPWIRE_NODE_MODULES"

_DRIVER = Path(__file__).with_name("typescript.cjs")
_MEMORY = "--max-old-space-size=2048"
_SECONDS = 120
_INSTALL = (
    f"install it once, in a folder DIR: npm install --ignore-scripts --prefix DIR {PACKAGE}@{VERSION}",
    f"and name the folder: --node-modules DIR, or {FOLDER_VARIABLE}=DIR in the environment",
)


@dataclass(frozen=True)
class Tool:
    """The program and the package that make schemas."""

    node: str
    package: Path
    version: str


@dataclass(frozen=True)
class Converted:
    """The schema made from a file, and warnings about types that it does not express."""

    document: Dict[str, Json]
    warnings: Tuple[str, ...]


def find_tool(folder: Optional[Path]) -> Tool:
    """Finds the tool: in the given folder, else in that of the environment variable, else by the program on
    PATH. The folder of the input file is never searched, because anybody may have written that file."""
    node = shutil.which("node")
    if node is None:
        raise BadInput(
            "TypeScript is read by Node, and there is no program node on PATH: install Node 20 or newer "
            "(Debian: nodejs npm)",
            f"it runs {PACKAGE}: {_INSTALL[0]}",
            _INSTALL[1],
        )
    if folder is None and os.environ.get(FOLDER_VARIABLE):
        folder = Path(os.environ[FOLDER_VARIABLE])
    if folder is not None:
        places = [folder / "node_modules" / PACKAGE, folder / PACKAGE]
    else:
        program = shutil.which(PACKAGE)
        places = [] if program is None else [Path(program).resolve().parent.parent]
    for place in places:
        if (place / "package.json").is_file():
            return Tool(node, place.resolve(), _version(place / "package.json"))
    where = "on PATH" if folder is None else f"in {folder}"
    raise BadInput(f"TypeScript is read by {PACKAGE}, and there is none {where}", *_INSTALL)


def read_typescript(path: Path, tool: Tool, dialect: Dialect, strict_null_checks: bool) -> Converted:
    """The schema of all types in a file."""
    if path.suffix not in TYPESCRIPT:
        raise BadInput(f"{path}: the name of a TypeScript file ends in {', '.join(TYPESCRIPT)}")
    read_bytes(path)  # for its size, and for what keeps it from being read
    answer = _run_driver(path, tool, strict_null_checks)
    if "failed" in answer:
        raise BadInput(f"{path}: {PACKAGE} failed: {shortened(str(answer['failed']))}")
    if "errors" in answer:
        more = answer.get("more")
        lines = [_line(each, path) for each in _dicts(answer["errors"])]
        raise BadInput(*lines, *([f"{path}: {more} more errors"] if more else []))
    document = answer.get("schema")
    definitions = definitions_of(document)
    if not isinstance(document, dict) or not definitions:
        raise BadInput(f"{path}: there is no type in it: no interface, type, enum or class")
    warnings = [
        _line({**each, "text": f"warning: {each.get('text')}"}, path) for each in _dicts(answer["warnings"])
    ]
    if tool.version != VERSION:
        warnings.insert(
            0, f"{path}: warning: made by {PACKAGE} {tool.version}; the specification's build uses {VERSION}"
        )
    bare = _without_namespace(document, str(answer.get("namespace", "")))
    return Converted(_in_dialect(bare, dialect, str(path)), tuple(warnings))


def _version(path: Path) -> str:
    package = parse_json(read_bytes(path), str(path))
    return str(package.get("version")) if isinstance(package, dict) else ""


def _run_driver(path: Path, tool: Tool, strict_null_checks: bool) -> Dict[str, Json]:
    """Runs the driver, and returns its output."""
    command = [tool.node, _MEMORY, str(_DRIVER), str(tool.package), _absolute(path)]
    if strict_null_checks:
        command.append("strict-null")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / f"{path.name}.json"
        with out.open("wb") as written:
            try:
                done = subprocess.run(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=written,
                    stderr=subprocess.PIPE,
                    timeout=_SECONDS,
                    check=False,
                )
            except subprocess.TimeoutExpired as error:
                raise BadInput(f"{path}: {PACKAGE} takes more than {_SECONDS} seconds") from error
            except OSError as error:
                raise BadInput(f"{tool.node}: {error.strerror or error}") from error
        if done.returncode != 0:
            said = next(
                (line for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()), ""
            )
            raise BadInput(f"{path}: node ended with status {done.returncode}: {shortened(said)}")
        answer = parse_json(read_bytes(out), f"{path}: {PACKAGE}")
    return answer if isinstance(answer, dict) else {}


def _absolute(path: Path) -> str:
    """The name by which the compiler knows a file; it never begins with a dash."""
    return os.path.normpath(path.absolute())


def _dicts(value: Json) -> List[Dict[str, Json]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _line(said: Dict[str, Json], path: Path) -> str:
    """A message of the compiler. It names the file as the user has named it."""
    file = said.get("file")
    shown = str(path) if file == _absolute(path) else str(file)
    place = f"{shown}:{said['line']}:{said['column']}" if "line" in said else shown
    return f"{place}: {said.get('text')}"


def _without_namespace(document: Dict[str, Json], namespace: str) -> Dict[str, Json]:
    """The document with names of types without their namespace, if all types are in one."""
    start = f"{namespace}."
    definitions = definitions_of(document)
    renamed = {
        name: name[len(start) :] if namespace and name.startswith(start) else name for name in definitions
    }
    if len(set(renamed.values())) < len(renamed):
        return document
    references = {
        "#/definitions/" + quote(old, safe="~()*!'"): new for old, new in renamed.items() if old != new
    }
    bare = _with_references(
        document, {old: "#/definitions/" + quote(new, safe="~()*!'") for old, new in references.items()}
    )
    assert isinstance(bare, dict)
    return {**bare, "definitions": {renamed[name]: value for name, value in definitions_of(bare).items()}}


def _with_references(value: Json, references: Dict[str, str]) -> Json:
    if isinstance(value, list):
        return [_with_references(each, references) for each in value]
    if not isinstance(value, dict):
        return value
    made = {name: _with_references(each, references) for name, each in value.items()}
    ref = value.get("$ref")
    return {**made, "$ref": references.get(ref, ref)} if isinstance(ref, str) else made


def _in_dialect(document: Dict[str, Json], dialect: Dialect, file: str) -> Dict[str, Json]:
    """Translates a document of draft-07 to another dialect."""
    made = next(each for each in DIALECTS if each.name == "draft-07")
    if dialect is made:
        return document
    whole = translated(document, made, Plain(file, "", document))
    evened = same_definitions(whole, "$defs")
    assert isinstance(evened, dict)
    rest = {name: value for name, value in evened.items() if name not in ("definitions", "$schema")}
    return {"$schema": dialect.uri, **rest, "$defs": definitions_of(evened)}
