# SPDX-License-Identifier: MIT
"""The programs of examples/firmware on an emulated Cortex-M3: what they answer over the serial line, and what
flash, memory and stack they take. docs/figures.md states these figures; here they are held, as far as
compilers agree.

    python3 -m tests.small.firmware          builds, runs, compares with docs/figures.md

tools/figures.sh --write firmware writes them into the page.
"""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Dict, List, Optional, Type

from tests.small import wires
from tests.small.building import CORTEX_M4, ROOT, Failure, Skip, run, run_in_folder

EXAMPLE = ROOT / "examples" / "firmware"
PAGE = ROOT / "docs" / "figures.md"
RAM = 32 * 1024
NEAR = 0.05  # of a stated figure: compilers differ, and a new function moves it a little
SECONDS = 30.0
WITHOUT_HTTP = ("http.h", "http_client.h", "event_reader.h")
WITHOUT_TRANSPORT = ("io.h", "thread.h", "diagnostics.h", "serve.h", "mcpw.hpp")
Json = Dict[str, Any]
# A client that knows the newest revision asks for it first, and then for an older one.
DISCOVER = (
    "server/discover",
    {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "some-client", "version": "10.20.30"},
            "io.modelcontextprotocol/clientCapabilities": {
                "elicitation": {},
                "extensions": {"io.modelcontextprotocol/tasks": {}},
            },
        }
    },
)


@dataclass(frozen=True)
class Figures:
    """Bytes that a program takes."""

    flash: int
    static: int  # memory that it has from the start, its block included
    used: int  # of that block, at most
    stack: int

    def row(self, name: str) -> str:
        return f"| {name} | {self.flash:,} | {self.static:,} | {self.used:,} | {self.stack:,} |"


class Board:
    """A program on QEMU's mps2-an385, spoken to by its serial line."""

    def __init__(self, program: Path) -> None:
        command = [
            "qemu-system-arm",
            "-M",
            "mps2-an385",
            "-nographic",
            "-monitor",
            "none",
            "-serial",
            "stdio",
        ]
        self._process = subprocess.Popen(
            [*command, "-kernel", str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._heard = b""

    def __enter__(self) -> Board:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def say(self, message: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def hear(self) -> Json:
        """The next line, as JSON."""
        assert self._process.stdout is not None
        end = time.monotonic() + SECONDS
        while b"\n" not in self._heard:
            ready, _, _ = select.select([self._process.stdout], [], [], max(0.0, end - time.monotonic()))
            more = os.read(self._process.stdout.fileno(), 4096) if ready else b""
            if not more:
                raise Failure(f"the board said no more than {self._heard!r}")
            self._heard += more
        line, self._heard = self._heard.split(b"\n", 1)
        answer: Json = json.loads(line)
        return answer

    def ask(self, number: int, method: str, params: Json) -> Json:
        self.say({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        answer = self.hear()
        if answer.get("id") != number:
            raise Failure(f"{method} was answered by {answer}")
        return answer


def expect(found: object, wanted: object) -> None:
    if found != wanted:
        raise Failure(f"expected {wanted}\n     got {found}")


def build(folder: Path, *programs: str) -> None:
    """These programs, or all of them and an installation of the library, as a cross build makes them."""
    for tool, package in (
        ("cmake", "cmake"),
        ("ninja", "ninja-build"),
        ("qemu-system-arm", "qemu-system-arm"),
    ):
        if shutil.which(tool) is None:
            raise Skip(f"no {tool} (Debian: {package})")
    CORTEX_M4.require()
    options = (
        f"-DCMAKE_TOOLCHAIN_FILE={EXAMPLE / 'arm.cmake'}",
        "-DCMAKE_BUILD_TYPE=MinSizeRel",
        "-DMCPW_WERROR=ON",
    )
    told = run(["cmake", "-S", str(EXAMPLE), "-B", str(folder), "-G", "Ninja", "-DMCPW_INSTALL=ON", *options])
    for said in (
        "Cross-compiling: json-c, libsodium, PCRE2, zlib, libmicrohttpd, libcurl, hiredis, libcrypto",
        "HTTP is left out of the sessions, and <mcpw/http.h> is not installed",
        "<mcpw/io.h>, <mcpw/thread.h>, <mcpw/diagnostics.h> and <mcpw/mcpw.hpp> are not installed",
    ):
        if said not in re.sub(r"\s+", " ", told):
            raise Failure(f"configuring does not say: {said}\n{told}")
    if programs:
        run(["cmake", "--build", str(folder), "--target", *programs])
        return
    run(["cmake", "--build", str(folder)])
    run(["cmake", "--install", str(folder / "mcpwire"), "--prefix", str(folder / "installed")])


def check_installation(folder: Path) -> None:
    headers = {path.name for path in (folder / "installed/include/mcpw").iterdir()}
    expect(sorted(headers.intersection((*WITHOUT_HTTP, *WITHOUT_TRANSPORT))), [])
    expect("session.h" in headers and "server.h" in headers, True)
    library = next((folder / "installed/lib").glob("libmcpwire-session*.a"))
    symbols = run(["arm-none-eabi-nm", str(library)])
    expect(re.findall(r"\bmcpw_http_\w+|\bmalloc\b|\bv?s?n?printf\b", symbols), [])


def check_unused(program: Path) -> None:
    """The firmware adds no extension and no middleware, so it has no code for them."""
    symbols = run(["arm-none-eabi-nm", str(program)])
    expect(re.findall(r"\bmcpw_(?:custom|passage|passing|extended|extensions)_\w+", symbols), [])


def size(program: Path) -> Dict[str, int]:
    listing = run(["arm-none-eabi-size", "-A", str(program)])
    return {name: int(count) for name, count in re.findall(r"^\.(text|data|bss)\s+(\d+)\s", listing, re.M)}


def figures(program: Path, used: int, stack: int) -> Figures:
    sizes = size(program)
    return Figures(sizes["text"] + sizes.get("data", 0), sizes.get("data", 0) + sizes["bss"], used, stack)


def run_codec(program: Path) -> Figures:
    with Board(program) as board:
        board.say({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 7}})
        expect(board.hear()["status"] != 0, True)
        arguments = {"name": "blink", "arguments": {"times": 3}}
        board.say({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": arguments})
        answer = board.hear()
        expect((answer["status"], answer["name"]), (0, "blink"))
        return figures(program, answer["memory"], answer["stack"])


def run_session(program: Path) -> Figures:
    with Board(program) as board:
        expect("error" in board.ask(0, *DISCOVER), True)
        opened = board.ask(1, "initialize", wires.CLIENT)["result"]
        expect((opened["protocolVersion"], opened["serverInfo"]["name"]), ("2025-11-25", "lamp"))
        board.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        expect([tool["name"] for tool in board.ask(2, "tools/list", {})["result"]["tools"]], ["blink"])
        wrong = board.ask(3, "tools/call", {"name": "blink", "arguments": {"times": "x"}})
        expect(wrong["result"]["isError"], True)
        expect(board.ask(4, "tools/call", {"name": "none"})["error"]["code"], -32602)
        expect(board.ask(5, "nothing", {})["error"]["code"], -32601)
        board.say({"jsonrpc": "2.0", "id": 6, "method": "ping", "params": {"_meta": {"x": "y" * 4096}}})
        expect(board.hear()["error"]["code"], -32600)  # longer than the firmware takes
        answers: List[Json] = []
        for number in range(7, 27):  # memory is used again
            call = board.ask(number, "tools/call", {"name": "blink", "arguments": {"times": 3}})
            answers.append(call["result"]["structuredContent"])
        expect([answer["blinks"] for answer in answers], list(range(3, 63, 3)))
        expect(answers[-1]["pool"], answers[1]["pool"])
        return figures(program, answers[-1]["pool"], answers[-1]["stack"])


def run_uart(program: Path, folder: Path) -> Figures:
    with wires.Board(program, folder) as board, board.wire() as wire:
        for _ in range(2):  # the second client finds a session
            wire.ask(0, *DISCOVER)
            wire.open()
            expect(
                [tool["name"] for tool in wire.ask(1, "tools/list", {})["result"]["tools"]],
                ["read", "memory"],
            )
            wrong = wire.ask(2, "tools/call", {"name": "read", "arguments": {"unit": "x" * 800}})
            expect(wrong["result"]["isError"], True)
            wire.put(b"x" * 4096 + b"\n[\n")
            expect([wire.hear()["error"]["code"] for _ in range(2)], [-32600, -32700])
            wire.call(3, "read", {"unit": "fahrenheit"})
        used = wire.call(4, "memory", {})
        return figures(program, used["pool"], used["stack"])


def measure(folder: Path) -> Dict[str, Figures]:
    build(folder)
    check_installation(folder)
    check_unused(folder / "firmware.elf")
    return {
        "codec: `codec.c`": run_codec(folder / "codec.elf"),
        "sessions, one revision, one tool: `firmware.c`": run_session(folder / "firmware.elf"),
        "a sensor on a UART, one revision, two tools: `uart.c`": run_uart(folder / "uart.elf", folder),
    }


def table(found: Dict[str, Figures]) -> str:
    head = "| bytes, Cortex-M3, `-Os` | flash | static RAM | of it used | stack |\n|-|-:|-:|-:|-:|\n"
    return head + "".join(f"{figure.row(name)}\n" for name, figure in found.items())


def is_stated(name: str, found: Figures, page: str) -> bool:
    """Whether the page has a row with these figures, or ones very near."""
    row = re.search(rf"^\| {re.escape(name)} \|(.*)\|$", page, re.M)
    if row is None:
        print(f"{PAGE.name} has no row '{name}'")
        return False
    stated = [int(cell.replace(",", "")) for cell in row.group(1).split("|")]
    measured = [found.flash, found.static, found.used, found.stack]
    near = all(abs(a - b) <= NEAR * b + 64 for a, b in zip(measured, stated))
    if not near:
        print(f"{PAGE.name} states {stated} for '{name}', and it is {measured}")
    return near


def check(folder: Path) -> bool:
    found = measure(folder)
    print(table(found), end="")
    page = PAGE.read_text(encoding="utf-8")
    held = [is_stated(name, figure, page) for name, figure in found.items()]
    for name, figure in found.items():
        if figure.static + figure.stack > RAM:
            print(f"{name}: {figure.static + figure.stack} bytes of RAM, of {RAM}")
            held.append(False)
    return all(held)


if __name__ == "__main__":
    sys.exit(run_in_folder(check))
