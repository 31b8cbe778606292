"""A server of the skills extension of 2026-07-28 for tests of mcpwire call; options make its entries wrong.

--log FILE gets a line for each request: the method, and the URI if it has one.
"""

import base64
import hashlib
import json
import sys
from pathlib import Path
from typing import Any, Dict, List

Json = Dict[str, Any]
ROOT = "skill://pdf-processing/"
MAIN = (
    b"---\nname: pdf-processing\ndescription: Fills in forms.\nlicense: MIT\n---\nRead references/FORMS.md.\n"
)
FILES: Dict[str, bytes] = {
    ROOT + "SKILL.md": MAIN,
    ROOT + "references/FORMS.md": b"Forms.\n",
    ROOT + "logo.bin": b"\xff\x00",
    ROOT + "scripts/extract.py": b"print()\n",
}
UNLISTED = ROOT + "scripts/extract.py"
CACHE = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def entry() -> Json:
    """The entry of the skill, wrong as the options say."""
    resources: List[Json] = []
    for uri, content in FILES.items():
        if uri != UNLISTED:
            digest = "sha256:" + hashlib.sha256(content).hexdigest()
            resources.append({"uri": uri, "digest": digest, "size": len(content)})
    if "--bad-digest" in sys.argv:
        resources[0]["digest"] = "sha256:" + "0" * 64
    if "--bad-size" in sys.argv:
        resources[0]["size"] += 1
    description = "Else." if "--bad-frontmatter" in sys.argv else "Fills in forms."
    front = {"name": "pdf-processing", "description": description, "license": "MIT"}
    return {"uri": ROOT + "SKILL.md", "frontmatter": front, "resources": resources}


def skills() -> List[Json]:
    """The entries of the list."""
    front = {"name": "live", "description": "\x1b[2Jmade\nwhen read"}
    dynamic: Json = {"uri": "git://host/live/SKILL.md", "frontmatter": front, "resources": "dynamic"}
    broken = [{**entry(), "uri": "skill://other/SKILL.md"}] if "--invalid" in sys.argv else []
    return [entry(), *broken, dynamic]


def content(uri: str) -> Json:
    """The one content of a result of resources/read."""
    if uri.startswith("git://"):
        return {"uri": uri, "text": '---\nname: live\ndescription: "\\e[2Jmade\\nwhen read"\n---\nNow.\n'}
    try:
        return {"uri": uri, "mimeType": "text/markdown", "text": FILES[uri].decode()}
    except UnicodeDecodeError:
        return {"uri": uri, "blob": base64.b64encode(FILES[uri]).decode()}


def answer(method: str, params: Json) -> Json:
    """The result of a request, or {"error": ...}."""
    unknown = {"error": {"code": -32602, "message": "Unknown"}}
    uri = params.get("uri", "")
    if method == "server/discover":
        extensions: Json = (
            {} if "--none" in sys.argv else {"extensions": {"io.modelcontextprotocol/skills": {}}}
        )
        return {**CACHE, "supportedVersions": ["2026-07-28"], "capabilities": {"resources": {}, **extensions}}
    if method == "skills/list":
        at = int(params.get("cursor", "0"))
        more = {"nextCursor": str(at + 1)} if at + 1 < len(skills()) else {}
        return {**CACHE, "skills": skills()[at : at + 1], **more}
    if method == "skills/get":
        found = [skill for skill in skills() if skill["uri"] == uri]
        return {**CACHE, "skill": found[0]} if found else unknown
    if method == "resources/read" and (uri in FILES or uri.startswith("git://")):
        return {**CACHE, "contents": [content(uri)]}
    return unknown


def main() -> None:
    """Answers requests until the input ends."""
    log = sys.argv[sys.argv.index("--log") + 1] if "--log" in sys.argv else ""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        params = message.get("params", {})
        if log:
            with Path(log).open("a", encoding="utf-8") as file:
                file.write(f"{message['method']} {params.get('uri', '')}".strip() + "\n")
        result = answer(message["method"], params)
        body = result if "error" in result else {"result": result}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **body}), flush=True)


main()
