# SPDX-License-Identifier: MIT
"""The source archive and its bill of materials."""

import hashlib
import json
import re
import tarfile
import unittest
from typing import Any, ClassVar, Dict, List

from tests.release.support import ROOT, ReleaseTest, need, run, tracked

_TABLE = re.compile(r"^\| \[([^\]]+)\]\([^)]*\)", re.MULTILINE)


class Archive(ReleaseTest):
    """mcpwire-VERSION.tar.gz."""

    def test_two_machines_make_the_same_bytes(self) -> None:
        first = self.release(self.commit("here"), "first")
        second = self.release(self.commit("there/below", 0o077, "+0900"), "second", 0o077)
        self.assertEqual(first.read_bytes(), second.read_bytes())
        for name in ("first", "second"):
            self.assertEqual(len(list((self.folder / name).iterdir())), 2)
        made = [next((self.folder / name).glob("*.spdx.json")).read_bytes() for name in ("first", "second")]
        self.assertEqual(*made)

    def test_an_unpacked_archive_makes_itself(self) -> None:
        first = self.release(self.commit("tree"), "first")
        tree = self.unpack(first, "unpacked")
        (tree / "build").mkdir()
        (tree / "build/left.o").write_text("of a build", "utf-8")
        self.assertEqual(self.release(tree, "again").read_bytes(), first.read_bytes())

    def test_it_has_what_the_commit_has(self) -> None:
        tree = self.commit("tree")
        (tree / "README.md").write_text("changed, not committed", "utf-8")
        (tree / "new.txt").write_text("not added", "utf-8")
        with tarfile.open(self.release(tree, "out")) as tar:
            top = tar.getnames()[0].split("/")[0]
            self.assertRegex(top, r"^mcpwire-\d+\.\d+\.\d+$")
            self.assertEqual(sorted(f"{top}/{each}" for each in tracked()), tar.getnames())
            readme = tar.extractfile(f"{top}/README.md")
            assert readme is not None
            self.assertEqual(readme.read(), (ROOT / "README.md").read_bytes())
            for member in tar:
                self.assertEqual((member.uid, member.gid, member.uname), (0, 0, ""))
                self.assertIn(member.mode, (0o644, 0o755))

    def test_a_link_is_refused(self) -> None:
        tree = self.commit("tree")
        (tree / "docs/link").symlink_to("/etc/passwd")
        self.succeed(run(["git", "add", "-A"], tree))
        who = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
        self.succeed(run([*who, "commit", "-qm", "link"], tree))
        done = run(["tools/release.sh", "source", self.folder / "out"], tree)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("docs/link: neither a file nor a folder", done.stdout)


class Version(unittest.TestCase):
    """The version stands in CMakeLists.txt; every other place agrees."""

    def version(self) -> str:
        found = re.search(r"project\(mcpwire VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text("utf-8"))
        assert found is not None
        return found.group(1)

    def test_every_file_of_a_package_manager_has_it(self) -> None:
        packages = ROOT / "cmake/packages"
        manifest = json.loads((packages / "vcpkg/mcpwire/vcpkg.json").read_text("utf-8"))
        self.assertEqual(manifest["version"], self.version())
        self.assertIn(f"mcpwire-{self.version()}\n", (packages / "meson/mcpwire.wrap").read_text("utf-8"))
        for name in ("library.json", "idf_component.yml", "library.properties"):
            if (ROOT / name).exists():
                self.assertIn(self.version(), (ROOT / name).read_text("utf-8"), name)

    def test_the_changelog_has_it(self) -> None:
        self.assertRegex(
            (ROOT / "CHANGELOG.md").read_text("utf-8"), rf"(?m)^## \[.*{re.escape(self.version())}"
        )


class Materials(ReleaseTest):
    """mcpwire-VERSION.spdx.json."""

    made: ClassVar[Dict[str, bytes]] = {}  # once for all tests: they only read it

    def setUp(self) -> None:
        super().setUp()
        if not self.made:
            self.release(self.commit("tree"), "out")
            self.made.update((each.name, each.read_bytes()) for each in (self.folder / "out").iterdir())

    def document(self) -> Dict[str, Any]:
        text = next(data for name, data in self.made.items() if name.endswith(".spdx.json"))
        found: Dict[str, Any] = json.loads(text)
        return found

    def sums(self, entry: Dict[str, Any]) -> Dict[str, str]:
        return {each["algorithm"]: each["checksumValue"] for each in entry["checksums"]}

    def test_every_file_has_its_sums(self) -> None:
        files = {each["fileName"]: self.sums(each) for each in self.document()["files"]}
        self.assertEqual(sorted(files), [f"./{each}" for each in tracked()])
        for name, sums in files.items():
            data = (ROOT / name).read_bytes()
            self.assertEqual(sums["SHA256"], hashlib.sha256(data).hexdigest(), name)
            self.assertEqual(sums["SHA1"], hashlib.sha1(data).hexdigest(), name)

    def test_it_names_the_archive_by_its_sum(self) -> None:
        package = self.document()["packages"][0]
        archive = self.made[package["packageFileName"]]
        self.assertEqual(self.sums(package)["SHA256"], hashlib.sha256(archive).hexdigest())

    def test_it_has_the_libraries_of_the_page_on_dependencies(self) -> None:
        page = _TABLE.findall((ROOT / "docs/dependencies.md").read_text("utf-8"))
        named: List[str] = [each["name"] for each in self.document()["packages"][1:]]
        self.assertEqual(sorted(set(page) | {"Jinja2"}), sorted(named))

    def test_every_relation_is_between_elements(self) -> None:
        document = self.document()
        ids = {"SPDXRef-DOCUMENT"} | {each["SPDXID"] for each in [*document["packages"], *document["files"]]}
        self.assertEqual(len(ids), 1 + len(document["packages"]) + len(document["files"]))
        for relation in document["relationships"]:
            self.assertIn(relation["spdxElementId"], ids)
            self.assertIn(relation["relatedSpdxElement"], ids)

    def test_it_follows_the_specification(self) -> None:
        try:
            from spdx_tools.spdx.parser.jsonlikedict.json_like_dict_parser import JsonLikeDictParser
            from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
        except ImportError:
            self.skipTest("spdx-tools is not installed (pip install spdx-tools)")
        found = validate_full_spdx_document(JsonLikeDictParser().parse(self.document()))
        self.assertEqual([each.validation_message for each in found], [])


class Signature(ReleaseTest):
    """SHA256SUMS, signed."""

    def setUp(self) -> None:
        super().setUp()
        need("minisign", "minisign")
        self.out = self.folder / "out"
        self.out.mkdir()
        for name in ("mcpwire-1.0.0.tar.gz", "mcpwire-1.0.0.spdx.json"):
            (self.out / name).write_text(name, "utf-8")
        self.keys = ["-p", self.folder / "key.pub", "-s", self.folder / "key"]
        self.succeed(run(["minisign", "-G", "-W", *self.keys], self.folder))
        self.succeed(run(["tools/release.sh", "sign", self.out, self.folder / "key"], ROOT))

    def verify(self, key: str = "key.pub") -> bool:
        return run(["tools/release.sh", "verify", self.out, self.folder / key], ROOT).returncode == 0

    def test_what_was_signed_is_verified(self) -> None:
        self.assertTrue(self.verify())

    def test_a_changed_file_is_refused(self) -> None:
        (self.out / "mcpwire-1.0.0.tar.gz").write_text("changed", "utf-8")
        self.assertFalse(self.verify())

    def test_changed_sums_are_refused(self) -> None:
        (self.out / "mcpwire-1.0.0.tar.gz").write_text("changed", "utf-8")
        sums = self.out / "SHA256SUMS"
        new = hashlib.sha256(b"changed").hexdigest()
        lines = sums.read_text("utf-8").splitlines()
        sums.write_text(
            "".join(f"{new}  {each[66:]}\n" if each.endswith(".tar.gz") else f"{each}\n" for each in lines),
            "utf-8",
        )
        self.assertFalse(self.verify())

    def test_the_key_of_somebody_else_is_refused(self) -> None:
        other = ["-p", self.folder / "other.pub", "-s", self.folder / "other"]
        self.succeed(run(["minisign", "-G", "-W", *other], self.folder))
        self.assertFalse(self.verify("other.pub"))


if __name__ == "__main__":
    unittest.main()
