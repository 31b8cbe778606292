# SPDX-License-Identifier: MIT
"""A copy of the tree as a commit of its own, and the archive that is made of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path
from typing import List, Optional, Sequence

ROOT = Path(__file__).resolve().parents[2]
_TIMEOUT = 1800
_WHO = ["-c", "user.name=t", "-c", "user.email=t@example.org"]


def need(program: str, package: str) -> None:
    """Skips the test without a program."""
    if shutil.which(program) is None:
        raise unittest.SkipTest(f"{program} is not installed (Debian: {package})")


def run(
    command: Sequence[object], cwd: Path, umask: int = 0o022, text: Optional[str] = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end."""
    return subprocess.run(
        [str(each) for each in command],
        cwd=cwd,
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_TIMEOUT,
        check=False,
        preexec_fn=lambda: os.umask(umask) and None,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )


def tracked() -> List[str]:
    """The files of the tree that a commit would have, changed ones as they are now."""
    if (ROOT / ".git").exists():
        need("git", "git")
        listed = run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], ROOT).stdout
        return sorted(each for each in listed.split("\0") if each and (ROOT / each).is_file())
    return sorted(
        each.relative_to(ROOT).as_posix()
        for each in ROOT.rglob("*")
        if each.is_file() and not each.relative_to(ROOT).parts[0].startswith("build")
        if "__pycache__" not in each.parts
    )


class ReleaseTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="mcpwire-release-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def succeed(self, done: subprocess.CompletedProcess[str]) -> str:
        self.assertEqual(done.returncode, 0, done.stdout[-4000:])
        return done.stdout

    def commit(self, name: str, umask: int = 0o022, zone: str = "+0000") -> Path:
        """The tree as a commit in a folder of this name, made at the same instant in any time zone."""
        need("git", "git")
        folder = self.folder / name
        for file in tracked():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, folder / file)
        when = f"1795783417 {zone}"
        self.succeed(run(["git", "init", "-q"], folder, umask))
        self.succeed(run(["git", "add", "-A"], folder, umask))
        dates = ["env", f"GIT_AUTHOR_DATE={when}", f"GIT_COMMITTER_DATE={when}"]
        self.succeed(run([*dates, "git", *_WHO, "commit", "-q", "-m", "all"], folder, umask))
        return folder

    def release(self, tree: Path, out: str, umask: int = 0o022) -> Path:
        """Makes the source archive of a tree."""
        self.succeed(run(["tools/release.sh", "source", self.folder / out], tree, umask))
        return next((self.folder / out).glob("mcpwire-*.tar.gz"))

    def unpack(self, archive: Path, name: str) -> Path:
        """Unpacks as a user does, and returns the one folder that is in it."""
        folder = self.folder / name
        folder.mkdir()
        with tarfile.open(archive) as tar:
            tar.extractall(folder)
        return next(folder.iterdir())
