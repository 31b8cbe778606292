# SPDX-License-Identifier: MIT
"""The guide names what there is: statuses and defaults as in the headers, options of CMake, links.

Usage: check_guide.py ROOT
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

LIST = re.compile(r'X\((\w+), (\d+), "(.*?)"\)')
STATUS = re.compile(r"^\| `MCPW_(\w+)` \| (\d+) \| (.*?) \|", re.MULTILINE)
NAMED = re.compile(r"(\d+)(?: ([KMG])iB)? \(`(MCPW_\w+)`\)")
MEMBER = re.compile(r"^\| `([a-z_]+)` \| (\d+)(?: ([KMG])iB)? \|", re.MULTILINE)
COLUMNS = ("data", "limit", "default", "beyond it", "test")
MISTAKES = ("class", "rule", "test")
ADVISORY = re.compile(r"CVE-\d{4}-\d+|GHSA(?:-[0-9a-z]{4}){3}")
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def statuses(header: str, page: str) -> list[str]:
    """The differences of the two lists of statuses."""
    declared, shown = LIST.findall(header), STATUS.findall(page)
    return [f"error.h has {row}, the page has not" for row in declared if row not in shown] + [
        f"the page has {row}, error.h has not" for row in shown if row not in declared
    ]


def value_of(name: str, headers: str) -> int:
    """The value of a constant, as its macro or enumerator spells it."""
    found = re.search(
        rf"(?:#define )?\b{name}(?: =)? \(?(?:MCPW_CAST\(size_t, )?(\d+)U?\)?(?: << (\d+))?", headers
    )
    if found is None:
        raise ValueError(f"no header has {name}")
    return int(found[1]) << int(found[2] or 0)


def limits(headers: str, page: str) -> list[str]:
    """Constants whose value is not the one shown."""
    found = NAMED.findall(page)
    return [
        f"{name} is {value_of(name, headers)}, not {number} {unit}"
        for number, unit, name in found
        if value_of(name, headers) != int(number) * UNITS[unit]
    ] + ([] if len(found) >= len(UNITS) else ["the page names no constants"])


def session_defaults(header: str, headers: str, page: str) -> list[str]:
    """Members of mcpw_session_config whose comment gives another default."""
    wrong: list[str] = []
    shown = {name: int(number) * UNITS[unit] for name, number, unit in MEMBER.findall(page)}
    config = header[
        header.index("typedef struct mcpw_session_config") : header.index("} mcpw_session_config;")
    ]
    told: dict[str, int] = {}
    behind = re.findall(r"(\w+);[ \t]*/\*(.*?)\*/", config, re.DOTALL)
    above = re.findall(r"^ */\*((?:(?!\*/).)*)\*/\n[^;/]*?\b(\w+);", config, re.DOTALL | re.MULTILINE)
    for name, text in [*behind, *((name, text) for text, name in above)]:
        default = re.search(
            r"default\s+(?:(\d+)(?: ([KMG])iB)?|(MCPW_\w+))", " ".join(text.replace("*", "").split())
        )
        if default is not None and name not in ("cache_ttl_ms",):
            known = value_of(default[3], headers) if default[3] else int(default[1]) * UNITS[default[2] or ""]
            told[name] = known
    for name in sorted(told.keys() | shown.keys()):
        if told.get(name) != shown.get(name):
            wrong.append(f"{name}: session.h says {told.get(name)}, the page {shown.get(name)}")
    return wrong


_OF_TESTS = {"MCPW_PYTHON", "MCPW_PIN", "MCPW_NODE_MODULES", "MCPW_PUBLISHED_SERVERS", "MCPW_TYPESCRIPT"}


def options(root: Path) -> list[str]:
    """Options of CMake that the guide names and no file of CMake knows."""
    files = [
        *sorted((root / "cmake").glob("*.cmake")),
        root / "runtime/CMakeLists.txt",
        root / "tools/CMakeLists.txt",
    ]
    text = "\n".join(path.read_text("utf-8") for path in files)
    known = set(re.findall(r"(?:option|set)\((MCPW_\w+) ", text))
    known |= set(re.findall(r"TRY_COMPILE_PLATFORM_VARIABLES (.*)\)", text)[0].split())
    pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    return [
        f"{page.relative_to(root)}: there is no option {name}"
        for page in pages
        for name in re.findall(r"-D(MCPW_\w+)=", page.read_text("utf-8"))
        if name not in known | _OF_TESTS
    ]


def rows_told_twice(page: str) -> list[str]:
    """Members that the tables of the page about limits explain in two rows."""
    names = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    return [f"{name} has two rows" for name in sorted(set(names)) if names.count(name) > 1]


def libraries(root: Path) -> list[str]:
    """Libraries that are installed, and that the page about packages leaves out of a list."""
    install = (root / "cmake" / "McpwireInstall.cmake").read_text("utf-8")
    page = (root / "docs" / "guide" / "pin-and-upgrade.md").read_text("utf-8")
    parts: list[str] = re.findall(r"^mcpw_install_libraries\((\w+) ", install, re.MULTILINE)
    listed = re.search(r"^set\(_parts (.*?)\)", install, re.MULTILINE)
    parts += listed[1].split() if listed else []
    components = re.search(r"A component is (.*?)\. ", page, re.DOTALL)
    modules = {path.name.removesuffix(".pc.in") for path in (root / "cmake").glob("mcpwire-*.pc.in")}
    wrong = [f"no module {name}" for name in sorted(modules) if f"`{name}`" not in page]
    for part in parts:
        if part != "codec":
            wrong += [f"no target mcpwire::{part}"] if f"| `mcpwire::{part}`" not in page else []
            wrong += (
                [f"no component {part}"] if components is None or f"`{part}`" not in components[1] else []
            )
    return (
        [f"pin-and-upgrade.md: {line}" for line in wrong]
        if listed and modules
        else ["no library is installed"]
    )


def rows_of(page: str, heading: str) -> list[str]:
    """The rows of the table under a heading, without the two of its head."""
    section = re.search(rf"^## {heading}$(.*?)^## ", page, re.DOTALL | re.MULTILINE)
    return re.findall(r"^\| (.*) \|$", section[1] if section else "", re.MULTILINE)[2:]


def tests_of(root: Path, row: str, columns: tuple[str, ...]) -> tuple[list[str], str]:
    """Faults of a row whose last cell names tests; the texts of the files of these tests."""
    cells = row.split(" | ")
    tests = re.findall(r"`([\w/.]+): (\w+)`", cells[-1])
    wrong = [] if len(cells) == len(columns) and all(cells) else [f"{cells[0]}: not {len(columns)} cells"]
    wrong += [] if tests else [f"{cells[0]}: no test"]
    texts = []
    for file, name in tests:
        path = root / "tests" / file
        text = path.read_text("utf-8") if path.is_file() else ""
        runs = rf"\bRUN\({name}\);" if path.suffix in (".c", ".h") else rf"\bdef {name}\("
        wrong += [] if re.search(runs, text) else [f"{cells[0]}: there is no test {name} in {file}"]
        texts.append(text)
    return wrong, "\n".join(texts)


def kept_of_a_peer(root: Path) -> list[str]:
    """Rows of SECURITY.md about data kept from peers that name no test, or one that is not there."""
    rows = rows_of((root / "SECURITY.md").read_text("utf-8"), "Data kept from peers")
    wrong: list[str] = [] if rows else ["there are no rows about data kept from peers"]
    for row in rows:
        wrong += tests_of(root, row, COLUMNS)[0]
    return [f"SECURITY.md: {line}" for line in wrong]


def known_mistakes(root: Path) -> list[str]:
    """Rows of SECURITY.md about advisories that name no test, or one that does not name the advisory."""
    rows = rows_of((root / "SECURITY.md").read_text("utf-8"), "Mistakes of other implementations")
    wrong: list[str] = [] if rows else ["there are no rows about mistakes of other implementations"]
    for row in rows:
        faults, texts = tests_of(root, row, MISTAKES)
        wrong += faults
        wrong += [
            f"{row.split(' | ')[0]}: no file of its tests names {advisory}"
            for advisory in ADVISORY.findall(row)
            if advisory not in texts
        ]
    return [f"SECURITY.md: {line}" for line in wrong]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    found = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def links(root: Path) -> list[str]:
    """Links of any page to files or headings that are not there."""
    wrong: list[str] = []
    pages = [
        *root.glob("*.md"),
        *root.glob("schema/*.md"),
        *root.glob("docs/**/*.md"),
        *root.glob("tests/**/*.md"),
    ]
    for page in sorted(pages):
        prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
        for target, anchor in re.findall(r"\]\((?!https?:|mailto:)([^)#\s]*)#?([^)\s]*)\)", prose):
            path = (page.parent / target).resolve() if target else page
            lost = not path.exists() or (anchor and path.suffix == ".md" and anchor not in anchors(path))
            if lost:
                wrong.append(
                    f"{page.relative_to(root)}: nothing is at {target}{'#' if anchor else ''}{anchor}"
                )
    return wrong


def sources(root: Path) -> list[str]:
    """Files that ARCHITECTURE.md names and that are not there."""
    text = (root / "ARCHITECTURE.md").read_text("utf-8")
    named = set(re.findall(r"`([\w./<>-]+\.(?:c|h|inc|py|cmake|json))`", text))
    named |= set(re.findall(r"\b\w+\.c\b", "".join(re.findall(r"^    .*$", text, re.MULTILINE))))
    wrong = []
    for name in sorted(named):
        pattern = f"**/{name}" if "/" not in name else name.replace("<revision>", "*")
        if next(root.glob(pattern), None) is None:
            wrong.append(f"ARCHITECTURE.md: there is no {name}")
    return wrong if named else ["ARCHITECTURE.md names no files"]


def main() -> int:
    """Print every difference."""
    root = Path(sys.argv[1])
    include = root / "runtime" / "include" / "mcpw"
    page = (root / "docs" / "guide" / "errors-and-limits.md").read_text("utf-8")
    headers = "\n".join(path.read_text("utf-8") for path in sorted(include.glob("*.h")))
    session = (include / "session.h").read_text("utf-8")
    wrong = statuses((include / "error.h").read_text("utf-8"), page)
    wrong += limits(headers, page)
    wrong += session_defaults(session, headers, page) + options(root) + links(root)
    wrong += rows_told_twice(page) + libraries(root) + kept_of_a_peer(root)
    wrong += known_mistakes(root)
    wrong += sources(root)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
