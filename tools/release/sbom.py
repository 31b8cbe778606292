# SPDX-License-Identifier: MIT
"""The bill of materials (SPDX 2.3): the files of the release, and the libraries that a build may use."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Dict, List, Tuple

from tools.release.tree import Member, Tree

_HOME = "https://spdx.org/spdxdocs"


@dataclass(frozen=True)
class Library:
    """A library that a part of mcpwire links to, or a program that makes its code."""

    name: str
    license: str  # an identifier of SPDX
    needed_for: str
    is_of_builds: bool = False  # it is not in the result


LIBRARIES: Tuple[Library, ...] = (
    Library("json-c", "MIT", "raw values as json-c objects"),
    Library("libsodium", "ISC", "random bytes, HMAC, digests, comparison in constant time"),
    Library("PCRE2", "BSD-3-Clause", "patterns of JSON Schema"),
    Library("zlib", "Zlib", "compressed recordings"),
    Library("libmicrohttpd", "LGPL-2.1-or-later", "the HTTP server"),
    Library("libcurl", "curl", "the HTTP client"),
    Library("hiredis", "BSD-3-Clause", "Valkey and Redis"),
    Library("OpenSSL", "Apache-2.0", "signatures and keys"),
    Library("libyaml", "MIT", "front matter of skills"),
    Library("libsecret", "LGPL-2.1-or-later", "the keyring of a desktop"),
    Library("Python", "PSF-2.0", "the generator", is_of_builds=True),
    Library("Jinja2", "BSD-3-Clause", "the generator", is_of_builds=True),
)


def _id(text: str) -> str:
    """An identifier of an element: letters, digits, dots and dashes."""
    return "SPDXRef-" + "".join(each if each.isalnum() and each.isascii() else "-" for each in text)


def _file(number: int, member: Member) -> Dict[str, object]:
    sums = [(name, hashlib.new(name.lower(), member.data).hexdigest()) for name in ("SHA1", "SHA256")]
    return {
        "SPDXID": f"SPDXRef-File-{number}",
        "fileName": f"./{member.path}",
        "checksums": [{"algorithm": name, "checksumValue": value} for name, value in sums],
        "licenseConcluded": "MIT",
        "copyrightText": "NOASSERTION",
    }


def _verification(members: Tuple[Member, ...]) -> str:
    """The code of SPDX 2.3, section 7.9: SHA-1 of the sorted SHA-1 sums of all files."""
    sums = sorted(hashlib.sha1(each.data).hexdigest() for each in members)
    return hashlib.sha1("".join(sums).encode()).hexdigest()


def _library(library: Library) -> Dict[str, object]:
    return {
        "SPDXID": _id(library.name),
        "name": library.name,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": library.license,
        "licenseDeclared": library.license,
        "copyrightText": "NOASSERTION",
        "comment": f"Not in this release; used for: {library.needed_for}",
    }


def _relations(files: int) -> List[Dict[str, str]]:
    found = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-mcpwire")]
    found += [("SPDXRef-mcpwire", "CONTAINS", f"SPDXRef-File-{number}") for number in range(files)]
    for library in LIBRARIES:
        kind = "BUILD_DEPENDENCY_OF" if library.is_of_builds else "OPTIONAL_DEPENDENCY_OF"
        found.append((_id(library.name), kind, "SPDXRef-mcpwire"))
    return [
        {"spdxElementId": first, "relationshipType": kind, "relatedSpdxElement": second}
        for first, kind, second in found
    ]


def document(tree: Tree, archive: bytes) -> str:
    """The document about an archive, as JSON. The same tree gives the same text."""
    sum_of_archive = hashlib.sha256(archive).hexdigest()
    made = datetime.fromtimestamp(tree.time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    package = {
        "SPDXID": "SPDXRef-mcpwire",
        "name": "mcpwire",
        "versionInfo": tree.version,
        "packageFileName": f"{tree.name}.tar.gz",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": True,
        "packageVerificationCode": {"packageVerificationCodeValue": _verification(tree.members)},
        "checksums": [{"algorithm": "SHA256", "checksumValue": sum_of_archive}],
        "licenseConcluded": "MIT",
        "licenseDeclared": "MIT",
        "licenseInfoFromFiles": ["MIT"],
        "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "LIBRARY",
    }
    whole = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": tree.name,
        "documentNamespace": f"{_HOME}/{tree.name}-{sum_of_archive[:32]}",
        "creationInfo": {"created": made, "creators": ["Tool: tools/release.sh"]},
        "packages": [package, *(_library(each) for each in LIBRARIES)],
        "files": [_file(number, each) for number, each in enumerate(tree.members)],
        "relationships": _relations(len(tree.members)),
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
