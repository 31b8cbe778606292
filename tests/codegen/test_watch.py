# SPDX-License-Identifier: MIT
"""`watch` tells what is new or edited in a checkout of the specification, and what to run."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

from codegen.errors import BadInput
from codegen.report.watch import Sighting, watch
from codegen.source.revisions import load
from tests.codegen.support import SCHEMA_DIR, published_dir, run

EDITED = "2025-11-25"
NEWEST = "2026-07-28"


class WatchTest(unittest.TestCase):
    """Each test has a repository of its own, which holds the published documents."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.checkout = Path(folder.name) / "spec"
        for name in load(SCHEMA_DIR).names:
            (self.checkout / "schema" / name).mkdir(parents=True)
            shutil.copy(published_dir() / name / "schema.json", self.file(name))

    def file(self, name: str) -> Path:
        return self.checkout / "schema" / name / "schema.json"

    def read(self, name: str) -> Dict[str, Any]:
        document: Dict[str, Any] = json.loads(self.file(name).read_text("utf-8"))
        return document

    def write(self, name: str, document: Any) -> None:
        self.file(name).parent.mkdir(exist_ok=True)
        self.file(name).write_text(json.dumps(document), "utf-8")

    def git(self, *arguments: str) -> None:
        who = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "init.defaultBranch=main")
        subprocess.run(["git", *who, *arguments], cwd=self.checkout, check=True, capture_output=True)

    def commit(self) -> Path:
        """The git directory of what stands there now."""
        self.git("init")
        self.git("add", ".")
        self.git("commit", "-m", "m")
        return self.checkout / ".git"

    def watch(self, place: Path, ref: str = "HEAD") -> Dict[str, Sighting]:
        return {each.name: each for each in watch(load(SCHEMA_DIR), place, ref)}

    def changed(self, place: Path) -> List[Sighting]:
        return [each for each in self.watch(place).values() if each.state != "current"]

    def test_published_documents_are_current(self) -> None:
        self.assertEqual(self.changed(self.checkout), [])
        self.assertEqual(run("watch", self.checkout)[0], 0)

    def test_a_folder_of_revisions_is_a_checkout_too(self) -> None:
        self.assertEqual(self.changed(self.checkout / "schema"), [])

    def test_an_edited_release_is_told_with_what_it_means(self) -> None:
        document = self.read(EDITED)
        document["$defs"]["NumberSchema"]["required"].append("title")
        self.write(EDITED, document)
        (found,) = self.changed(self.checkout)
        text = "\n".join(found.text())
        self.assertEqual((found.name, found.state), (EDITED, "edited"))
        self.assertIn("/$defs/NumberSchema/required", text)
        self.assertIn("for C users: ", text)
        self.assertIn(f"python3 -m codegen diff {EDITED} ", text)
        self.assertEqual(run("watch", self.checkout)[0], 1)

    def test_a_member_that_goes_breaks_its_name_in_c(self) -> None:
        document = self.read(NEWEST)
        del document["$defs"]["Tool"]["properties"]["title"]
        self.write(NEWEST, document)
        (found,) = self.changed(self.checkout)
        self.assertRegex("\n".join(found.text()), r"[1-9]\d* names of C break")

    def test_edited_prose_means_nothing_for_c(self) -> None:
        document = self.read(EDITED)
        document["$defs"]["Tool"]["description"] = "other words"
        self.write(EDITED, document)
        (found,) = self.changed(self.checkout)
        self.assertIn("states the same: prose, order or white space changed", found.lines)

    def test_a_new_revision_is_told_with_its_nearest_and_how_to_add_it(self) -> None:
        self.write("2027-01-15", self.read(NEWEST))
        (found,) = self.changed(self.checkout)
        text = "\n".join(found.text())
        self.assertIn(f"2027-01-15: new\n  nearest is {NEWEST}: 155 of 155 definitions state the same", text)
        self.assertIn("for C users: nothing changes", text)
        self.assertIn("python3 -m codegen add 2027-01-15", text)

    def test_a_correction_that_was_made_upstream_is_told(self) -> None:
        document = self.read("2025-11-25")
        values = document["$defs"]["ElicitResult"]["properties"]["content"]["additionalProperties"]["anyOf"]
        for value in values:
            if isinstance(value.get("type"), list):
                value["type"] = ["string", "number", "boolean"]
        self.write("2025-11-25", document)
        (found,) = self.changed(self.checkout)
        self.assertTrue([line for line in found.lines if line.startswith("erratum ")], found.lines)

    def test_a_document_that_is_gone_is_told(self) -> None:
        shutil.rmtree(self.file(EDITED).parent)
        (found,) = self.changed(self.checkout)
        self.assertEqual((found.name, found.state), (EDITED, "gone"))

    def test_a_document_that_is_no_json_is_told(self) -> None:
        self.file(EDITED).write_text("{", "utf-8")
        (found,) = self.changed(self.checkout)
        self.assertIn("cannot be read", found.lines[0])

    def test_a_bare_git_directory_is_read_at_a_commit(self) -> None:
        git_dir = self.commit()
        self.write("2027-01-15", self.read(NEWEST))
        self.git("add", ".")
        self.git("commit", "-m", "n")
        self.assertEqual([each.name for each in self.changed(git_dir)], ["2027-01-15"])
        self.assertNotIn("2027-01-15", self.watch(git_dir, "HEAD~1"))

    def test_what_is_no_checkout_is_refused(self) -> None:
        git_dir = self.commit()
        for place, ref in ((self.checkout / "none", "HEAD"), (git_dir, "nowhere"), (git_dir, "-x")):
            with self.assertRaises(BadInput):
                self.watch(place, ref)


if __name__ == "__main__":
    unittest.main()
