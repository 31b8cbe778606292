# SPDX-License-Identifier: MIT
"""Building small programs outside of the tree against mcpwire as it was installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Sequence

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
_LISTED = json.loads((ROOT / "schema/revisions.json").read_text("utf-8"))
REVISIONS: List[str] = [row["revision"] for row in _LISTED["revisions"]]
DEFAULT_PIN = str(_LISTED["default_pin"])
_TIMEOUT = 300


def work() -> Path:
    """The folder that build.py filled."""
    folder = os.environ.get("MCPW_PACKAGE_WORK", "")
    if not folder:
        raise RuntimeError("set MCPW_PACKAGE_WORK to the folder that tests/package/build.py filled")
    return Path(folder).resolve()


def stage() -> Path:
    """The folder of the installation."""
    return work() / "stage"


def python() -> str:
    """The interpreter that the generator runs with."""
    return os.environ.get("MCPW_PYTHON", "") or "python3"


@dataclass(frozen=True)
class Result:
    """The outcome of a command."""

    code: int
    out: str

    def __str__(self) -> str:
        return f"exit status {self.code}\n{self.out[-6000:]}"


def run(
    command: Sequence[object],
    cwd: Optional[Path] = None,
    env: Optional[Mapping[str, str]] = None,
    stdin: str = "",
) -> Result:
    """Runs a command to its end, outside of the tree; what it wrote is one text."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words,
        cwd=cwd or tempfile.gettempdir(),
        env=environment(env),
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_TIMEOUT,
        check=False,
    )
    return Result(done.returncode, done.stdout)


def environment(changes: Optional[Mapping[str, str]] = None) -> Dict[str, str]:
    """That of the test, without what would lead a build to other copies of mcpwire."""
    drop = (
        "CMAKE_PREFIX_PATH",
        "PKG_CONFIG_PATH",
        "LD_LIBRARY_PATH",
        "CFLAGS",
        "CXXFLAGS",
        "LDFLAGS",
        "DESTDIR",
    )
    kept = {name: value for name, value in os.environ.items() if name not in drop}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C", **(changes or {})}


def generator() -> List[str]:
    """Ninja where it is there: it is faster."""
    return ["-G", "Ninja"] if shutil.which("ninja") else []


def need(program: str, package: str) -> str:
    """The path of a program; without it the test is skipped."""
    found = shutil.which(program)
    if found is None:
        raise unittest.SkipTest(f"{program} is not installed (Debian: {package})")
    return found


def library_folder(prefix: Path) -> Path:
    """The folder of the libraries under a prefix."""
    for path in sorted(prefix.glob("**/libmcpwire.a")):
        return path.parent
    raise RuntimeError(f"no libmcpwire.a under {prefix}")


INITIALIZE = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
    '"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet","arguments":{}}}\n'
)


class PackageTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def succeed(self, result: Result) -> str:
        """The output of a command that must have worked."""
        if result.code != 0:
            self.fail(str(result))
        return result.out

    def refused(self, result: Result, *words: str) -> None:
        """A command must have failed with these words, however its lines are broken."""
        self.assertNotEqual(result.code, 0, result.out)
        flat = " ".join(result.out.split())
        for word in words:
            self.assertIn(word, flat)

    def configure(self, source: Path, *arguments: str, build: str = "build") -> Result:
        """Runs cmake on a user's project."""
        return run(["cmake", "-S", source, "-B", self.folder / build, *generator(), *arguments])

    def build(self, *arguments: str, build: str = "build") -> Result:
        """Builds what was configured."""
        return run(["cmake", "--build", self.folder / build, *arguments])

    def consumer(
        self, *arguments: str, parts: str, source: str = "package", prefix: Optional[Path] = None
    ) -> Path:
        """Configures and builds the project consumer/, and returns its build folder."""
        given = [f"-DCONSUMER_FROM={source}", f"-DCONSUMER_PARTS={parts}", f"-DMCPWIRE_SOURCE={ROOT}"]
        if source == "package":
            given.append(f"-DCMAKE_PREFIX_PATH={prefix or stage()}")
        self.succeed(self.configure(HERE / "consumer", *given, *arguments))
        self.succeed(self.build())
        return self.folder / "build"

    def check_codec(
        self, program: Path, pin: str = DEFAULT_PIN, env: Optional[Mapping[str, str]] = None
    ) -> str:
        """Runs a build of codec.c."""
        out = self.succeed(run([program], env=env))
        self.assertIn(f"pin {pin} ({pin.replace('-', '')}, ", out)
        self.assertIn('hello, {"type":"text","text":"hello"}', out)
        return out

    def check_session(self, program: Path, env: Optional[Mapping[str, str]] = None) -> None:
        """Runs a build of session.c: it must negotiate and call its tool."""
        lines = self.succeed(run([program], stdin=INITIALIZE, env=env)).splitlines()
        first, second = (json.loads(line) for line in lines)
        self.assertEqual(first["result"]["protocolVersion"], "2025-11-25")
        self.assertEqual(second["result"]["content"][0]["text"], "hello")

    def check_login(self, program: Path) -> None:
        """Runs a build of oauth.c: a login begins with the metadata of the resource."""
        self.assertIn("GET https://mcp.example.com/", self.succeed(run([program])))

    def check_key(self, program: Path) -> None:
        """Runs a build of oauth_jose.c."""
        self.assertIn("a key of 43 characters", self.succeed(run([program])))

    def check_connected(self, build: Path) -> None:
        """Runs builds of http_login.c, oauth_issuer.c and oauth_secret.c, which find nobody."""
        self.assertIn("resource metadata: no response", self.succeed(run([build / "http_login_c"])))
        self.assertIn("a verifier", self.succeed(run([build / "oauth_issuer_c"])))
        self.assertIn("the directory of the store", self.succeed(run([build / "oauth_secret_c"])))

    def check_more(self, build: Path) -> None:
        """Runs builds of http_redis.c and skills.c."""
        self.assertIn("not connected", self.succeed(run([build / "http_redis_c"])))
        self.assertIn("a skill", self.succeed(run([build / "skills_c"])))

    def needed(self, program: Path) -> List[str]:
        """The shared libraries of mcpwire that a program asks for."""
        out = self.succeed(run([need("readelf", "binutils"), "-d", program]))
        return sorted(
            line.split("[")[1].rstrip("]")
            for line in out.splitlines()
            if "(NEEDED)" in line and "mcpwire" in line
        )
