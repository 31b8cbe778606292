# SPDX-License-Identifier: MIT
"""Writes the first inputs of the fuzz targets and one dictionary: seeds.py FUZZ_TYPES OUT_DIR [orders].
With `orders` it writes the messages of orders.py alone, which a test replays.

FUZZ_TYPES is the program that says what the numbers in an input's header stand for (fuzz.h). Values come from
the oracle's generators, messages from the bench's traffic and examples/messages, and, where MCP_SPEC_DIR is
set, from the examples that were published with a revision.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.corpus_text import Source  # noqa: E402
from tests.bench.corpus_traffic import make_traffic  # noqa: E402
from tests.fuzz import http_seeds, orders  # noqa: E402
from tests.fuzz.samples import (  # noqa: E402
    ASKED,
    BASE64_TEXTS,
    CALLS,
    CLIENT,
    COMMANDS,
    FORMAT_TEXTS,
    NUMBERS,
    REPLIES,
    RESULTS,
    TEMPLATES,
    WORDS,
)
from tests.oracle import documents, jsontext, values  # noqa: E402

VALUES = 3  # of each definition, valid ones and as many that were changed
LONGEST = 4096
SHORT_LINE = 200  # so that some of each revision fit together
EXCHANGES = 60
METHODS = 60
SEED = 4
HEADER_REST = b"\0\0\0"
MODERN = "2026-07-28"
SESSIONS = 30
OPERANDS = bytes(value for value in range(64) if value != 10)  # no line feed
SHARE = 0.1
FRAMES = 60
MOST_FRAME = 4000
LOGIN_STEPS = 120
ISSUER_STEPS = 60
ASKABLE = {method for method, _ in CALLS if "/" in method and method != "nothing/here"}
TYPE_TARGETS = ("decode", "verdict")


@dataclass(frozen=True)
class Names:
    """Numbers of revisions, definitions and methods in the headers of inputs."""

    revisions: dict[str, int]
    types: dict[tuple[str, str], int]
    methods: dict[tuple[str, str], tuple[int, str]]  # with the name of the result


def read_names(program: str) -> Names:
    revisions: dict[str, int] = {}
    types: dict[tuple[str, str], int] = {}
    methods: dict[tuple[str, str], tuple[int, str]] = {}
    for line in subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines():
        what, revision, number, name, entry, *result = line.split()
        revisions[name] = int(revision)
        if what == "type":
            types[(name, entry)] = int(number)
        else:
            methods[(name, entry)] = (int(number), result[0])
    return Names(revisions, types, methods)


def header(revision: int, number: int, flags: int = 0, limit: int = 0, rest: bytes = HEADER_REST) -> bytes:
    return bytes((revision,)) + number.to_bytes(2, "little") + bytes((flags, limit)) + rest


def keep(out: Path, target: str, data: bytes) -> None:
    if len(data) <= LONGEST:
        folder = out / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / sha256(data).hexdigest()[:16]).write_bytes(data)


def texts_of(doc: documents.Document, definition: str, rng: Random) -> Iterator[bytes]:
    breaker = values.Breaker(doc, rng)
    for i in range(2 * VALUES):
        value = values.random_value(doc, breaker, definition, rng, i % 2 == 1)
        yield jsontext.write(value, rng, jsontext.random_spelling(rng))


def write_values(out: Path, names: Names) -> None:
    for revision, number in names.revisions.items():
        doc = documents.load(revision)
        rng = Random(f"fuzz/{revision}")
        for definition in doc.definitions:
            index = names.types.get((revision, definition))
            for text in texts_of(doc, definition, rng):
                if index is not None:
                    data = header(number, index, rng.choice((0, 0, 0, 1, 2, 4, 8, 15))) + text
                    for target in TYPE_TARGETS:
                        keep(out, target, data)
                keep(out, "reader", header(0, 0) + text)
                keep(out, "runs", header(0, 0) + text)


def traffic(revision: str) -> list[bytes]:
    lines = make_traffic(Source(SEED, revision), revision, EXCHANGES)
    return [json.dumps(message, ensure_ascii=False).encode() for message, _ in lines]


def example_lines(name: str) -> list[bytes]:
    path = ROOT / "examples" / "messages" / f"{name}.ndjson"
    return [line for line in path.read_bytes().splitlines() if line.strip()] if path.is_file() else []


def published_examples(revision: str) -> Iterator[tuple[str, bytes]]:
    spec = os.environ.get("MCP_SPEC_DIR")
    if spec:
        for path in sorted(Path(spec, revision, "examples").glob("*/*.json")):
            yield path.parent.name, path.read_bytes()


def write_messages(out: Path, names: Names) -> None:
    for revision, number in names.revisions.items():
        rng = Random(f"fuzz/messages/{revision}")
        for line in example_lines(revision) + example_lines("broken") + traffic(revision):
            rest = bytes((rng.randrange(METHODS), 0, 0))
            keep(out, "message", header(number, 0, rng.choice((0, 0, 1, 2, 8)), 0, rest) + line)
            keep(out, "reader", header(number, 0) + line)
        for definition, text in published_examples(revision):
            index = names.types.get((revision, definition))
            if index is not None:
                for target in TYPE_TARGETS:
                    keep(out, target, header(number, index) + text)
            keep(out, "message", header(number, 0) + text)


def write_orders(out: Path, names: Names) -> None:
    """Requests and results of every method, and errors, their members in every order."""
    for revision, number in names.revisions.items():
        doc = documents.load(revision)
        nodes = params_nodes(doc)
        rng = Random(f"fuzz/orders/{revision}")
        numbers = [index for (of, _), (index, _) in names.methods.items() if of == revision]
        for (of, method), (index, result) in names.methods.items():
            if of == revision and method in nodes:
                for text in orders.requests(doc, method, nodes[method], rng):
                    keep(out, "message", header(number, 0) + text)
            if of == revision and result in doc.definitions:
                answered = (index - orders.id_sum()) % (max(numbers) + 1)
                for text in orders.results(doc, doc.definitions[result], rng):
                    keep(out, "message", header(number, 0, rest=bytes((answered, 0, 0))) + text)
        for text in orders.errors(rng):
            keep(out, "message", header(number, 0) + text)


def write_texts(out: Path, names: Names) -> None:
    """For the small grammars (text) and the framing (frame)."""
    for revision in names.revisions.values():
        for text in FORMAT_TEXTS:
            keep(out, "text", header(revision, 2) + text.encode())
    for text in BASE64_TEXTS:
        keep(out, "text", header(0, 0) + text.encode())
    for template, uri in TEMPLATES:
        keep(out, "text", header(0, 1, rest=bytes((len(template), 0, 0))) + (template + uri).encode())
    keep(out, "reader", header(0, 0) + b"[" + ",".join(NUMBERS).encode() + b"]")
    for number in NUMBERS:
        keep(out, "text", header(0, 4) + number.encode())
        keep(out, "text", header(0, 3) + struct.pack("<d", float(number)))
    rng = Random("fuzz/frames")
    for _ in range(FRAMES):
        lines = b"".join(
            b"x" * rng.randrange(40) + rng.choice((b"\n", b"\r\n", b"\r", b"")) for _ in range(8)
        )
        limit = rng.choice((10, 40, MOST_FRAME))
        keep(out, "frame", header(0, limit, rest=bytes((rng.randrange(256), rng.randrange(256), 0))) + lines)


def params_nodes(doc: documents.Document) -> dict[str, documents.Node]:
    """The params of each method, by its name."""
    found = {}
    for definition in doc.definitions.values():
        members = doc.concrete(definition).get("properties", {})
        method = members.get("method", {}).get("const")
        if method is not None and "params" in members:
            found[method] = members["params"]
    return found


def write_projection(
    out: Path, doc: documents.Document, node: documents.Node, rng: Random, at: tuple[int, int]
) -> None:
    """Values of one part of a method, each for a target revision."""
    for target in range(len(documents.revisions())):
        value = values.Maker(doc, rng, values.random_shape(rng)).make(node)
        text = jsontext.write(value, rng, jsontext.random_spelling(rng))
        rest = bytes((target, rng.choice((0, rng.randrange(256))), rng.randrange(256)))
        keep(out, "project", header(*at, rng.choice((0, 0, 2)), 0, rest) + text)


def write_projections(out: Path, names: Names) -> None:
    for revision, number in names.revisions.items():
        doc = documents.load(revision)
        nodes = params_nodes(doc)
        rng = Random(f"fuzz/project/{revision}")
        for (of, method), (index, result) in names.methods.items():
            parts = (nodes.get(method), doc.definitions.get(result))
            for part, node in enumerate(parts):
                if of == revision and node is not None:
                    write_projection(out, doc, node, rng, (number, 2 * (index - 1) + part))


def write_logs(out: Path, names: Names) -> None:
    """Sessions of all revisions in one log: as they are, mixed, as they are recorded, and compressed."""
    rows = [
        (revision, place, line)
        for revision in names.revisions
        for place, line in enumerate(row for row in example_lines(revision)[:4] if len(row) < SHORT_LINE)
    ]
    plain = b"\n".join(line for _, _, line in rows)
    mixed = b"\n".join(
        b'{"s":"%s","m":%s}' % (revision.encode(), line)
        for revision, _, line in sorted(rows, key=lambda row: row[1])
    )
    begin = b'{"time":"2026-11-22T14:50:00.123Z",'
    recorded = b"\n".join(
        begin + b'"from":"%s","message":%s}' % (b"server" if b'"result"' in line else b"client", line)
        for _, _, line in rows
    )
    told = b"\n".join(
        begin + rest
        for rest in (b'"begin":7}', b'"from":"server","line":"x"}', b'"from":"client","skipped":70}')
    )
    for words, text in (
        (b"validate --ndjson -", plain),
        (b"validate --ndjson --split=/s --message=/m --max-open 3 -", mixed),
        (b"validate --ndjson --format=json -", told + b"\n" + recorded),
        (b"validate --ndjson --format=junit --all-errors -", gzip.compress(plain, mtime=0)),
    ):
        keep(out, "cli", header(0, 0) + words + b"\n" + text + b"\n")


def write_logins(out: Path) -> None:
    """Scripts for fuzz_oauth.c: logins that mostly go well, under every config."""
    rng = Random("fuzz/logins")
    for config in range(256):
        usual = [0, 0, 0, 0, 0, 0, 1, 2, 4]
        steps = bytes(rng.choice((*usual, rng.randrange(8), rng.randrange(256))) for _ in range(LOGIN_STEPS))
        keep(out, "oauth", bytes((config, rng.randrange(16) & ~1)) + steps)


def write_tasks(out: Path) -> None:
    """Records for fuzz_tasks.c, in each status and run by whoever may run them."""
    params = '{"name":"t","arguments":{"a":1}}'
    form = '{"message":"m","requestedSchema":{"type":"object","properties":{}}}'
    question = '{"a":{"method":"elicitation/create","params":' + form + "}}"
    result = '{"content":[{"type":"text","text":"x"}],"resultType":"complete"}'
    error = '{"code":-32603,"message":"m","data":[1]}'
    records = (
        ("w0", {"p": params, "c": '{"elicitation":{}}', "n": '{"name":"c","version":"1"}', "s": "1"}),
        ("i0", {"p": params, "q": question, "a": '{"z":{"action":"accept"}}', "z": '"state"'}),
        ("c1", {"r": result, "m": "done"}),
        ("f0", {"e": error}),
        ("x0", {"p": params}),
        ("i0", {"p": "{", "q": question, "t": '{"x":1}'}),
    )
    for status, parts in records:
        text = f"mcpw-task 1\n{status} 1785240000000 1785240000001 3600000 1000\n" + "".join(
            f"{letter}{len(part)}:{part}\n" for letter, part in parts.items()
        )
        for flags in (0, 1, 2, 3, 20, 21, 24, 25):
            keep(out, "tasks", bytes((flags,)) + text.encode())


def write_handles(out: Path) -> None:
    """Handles of tasks for fuzz_handles.c, and what a server says about the task."""
    whole = {
        "mcpwTask": 1,
        "taskId": "t1",
        "revision": MODERN,
        "server": "s",
        "received": 1785240000000,
        "ttl": 60000,
    }
    texts = [
        json.dumps(whole),
        "t1",
        "{}",
        '{"mcpwTask":2,"taskId":"t"}',
        '{"mcpwTask":1,"taskId":"\\u0000"}',
    ]
    texts += [json.dumps({**whole, name: value}) for name in whole for value in ("", -1, 1e300, None, [1])]
    times = '"createdAt":"2026-07-28T00:00:00Z","lastUpdatedAt":"2026-07-28T00:00:00Z"'
    result = '{"content":[{"type":"text","text":"x"}],"resultType":"complete"}'
    asks = (
        '{"k":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object"}}}}'
    )
    notified = (
        '!{"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"t1",%s,"status":"working"}}'
    )
    states = (
        ("working", ""),
        ("completed", f',"result":{result}'),
        ("failed", ',"error":{"code":-7,"message":"m"}'),
        ("input_required", f',"inputRequests":{asks}'),
        ("cancelled", ""),
    )
    said = [
        f'{{"taskId":"t1","status":"{status}",{times},"ttlMs":60000,"ttl":60000,"pollIntervalMs":500{more}}}'
        for status, more in states
    ]
    for core in (b"\0", b"\1"):
        for text in texts:
            keep(out, "handles", core + text.encode())
        for one in said:
            for other in (said[1], result, notified % times, '!{"jsonrpc":"2.0","id":3,"error":{}}', "x"):
                steps = [texts[0], said[0], one, other, said[1], result]
                keep(out, "handles", core + b"\0".join(step.encode() for step in steps))


def write_apps(out: Path) -> None:
    """The `ui` of tools and pages, and lists of origins, for fuzz_apps.c."""
    tools: tuple[object, ...] = (
        {"ui": {"resourceUri": "ui://a/b", "visibility": ["model", "app"]}},
        {"ui": {"visibility": ["app"]}},
        {"ui/resourceUri": "ui://a"},
        {"ui": {"resourceUri": "https://a"}, "ui/resourceUri": 1},
        {"ui": {"visibility": []}},
        {"ui": {"visibility": ["nobody", 1]}},
        {"ui": []},
        {},
        [],
    )
    csp = {
        "connectDomains": ["https://api.example.com", "wss://*.example.com:8443"],
        "resourceDomains": ["https://[::1]"],
        "frameDomains": [],
        "baseUriDomains": ["http://localhost:1"],
    }
    pages: tuple[object, ...] = (
        {"ui": {"csp": csp, "permissions": {"camera": {}, "clipboardWrite": {}}, "prefersBorder": True}},
        {"ui": {"domain": "a.example.com", "prefersBorder": None}},
        {"ui": {"csp": {"connectDomains": ["https://a;script-src *"]}}},
        {"ui": {"csp": {"frameDomains": ["'unsafe-eval'", "https://a b", "data:", "*", "https://*"]}}},
        {"ui": {"csp": {"connectDomains": [1]}, "permissions": []}},
        {"ui": {"permissions": {"unknown": {}}, "domain": "a b"}},
    )
    for meta in tools:
        keep(out, "apps", b"\0" + json.dumps(meta).encode())
    for meta in pages:
        keep(out, "apps", b"\1" + json.dumps(meta).encode())
    origins = (
        "https://a.example",
        "http://*.b:65535",
        "ws://[1::2]:80",
        "wss://c-d.e",
        "https://a:0",
        "ftp://a",
    )
    for one in (*origins, "https://a,b", "https://-a", "https://a..b", "https://a\t", "https://*.*.a", ""):
        keep(out, "apps", b"\2" + b"\0".join([one.encode(), b"https://x  http://y", one.encode() * 2, b" "]))


def write_keys(out: Path) -> None:
    """Keys, tokens and proofs for fuzz_jose.c, and scripts of an issuer."""
    text = (ROOT / "tests" / "unit" / "jose_vectors.h").read_text("utf-8")
    vectors: dict[str, bytes] = {}
    for line in text.splitlines():
        if line.startswith("#define VECTOR_"):
            name, quoted = line[len("#define VECTOR_") :].split(" ", 1)
            vectors[name] = "".join(
                json.loads(piece) for piece in re.findall(r'"(?:[^"\\]|\\.)*"', quoted)
            ).encode()
    claims = {
        "iss": "https://as.example.com",
        "aud": ["https://mcp.example.com/mcp"],
        "exp": 1800003600,
        "nbf": 1.5,
    }
    proof = {"jti": "1", "htm": "POST", "htu": "https://mcp.example.com/mcp?a", "iat": 1800000000}
    key = vectors["P256_PUBLIC"].decode()
    for name, vector in vectors.items():
        for kind in range(6):
            keep(out, "jose", bytes((kind,)) + vector)
            if name.endswith("PRIVATE"):
                keep(out, "jose", b"\x05" + vector.replace(b'"d"', b'"alg":"ES256","d"'))
    bound = {**claims, "cnf": {"jkt": "0" * 43}}
    header = '{"typ":"dpop+jwt","alg":"ES256","jwk":' + key + "}"
    for given in (claims, bound, {**claims, "aud": "x"}, {"active": True}):
        keep(out, "jose", b'\x01{"alg":"ES256","kid":"p256"}\0' + json.dumps(given).encode())
    keep(out, "jose", b"\x04" + header.encode() + b"\0" + json.dumps(proof).encode())
    rng = Random("fuzz/issuers")
    for number in range(60):
        steps = bytes(
            rng.choice((0, 3, 6, 9, 1, 1, 1, 2, 8, rng.randrange(256))) for _ in range(ISSUER_STEPS)
        )
        keep(out, "jose", bytes((6, number % 2)) + steps)


def write_task_entries(out: Path) -> None:
    """Records of tasks, and replies that hold one, for fuzz_task_store.c."""
    times = b" 1785240000000 1785240000001 3600000 500\n"
    params = b'p12:{"name":"t"}\n'
    ends = (
        b"",
        b'r14:{"content":[]}\n',
        b'e13:{"code":-3260}\n',
        b"q2:{}\n",
        b"m4:done\n",
        b"s1:1\na2:{}\nc2:{}\nn2:{}\n",
    )
    records = [
        b"mcpw-task %d\n%b%b%b%b%b" % (form, state, flag, times, params, end)
        for form in (1, 2)
        for state in (b"w", b"i", b"c", b"f", b"x")
        for flag in (b"0", b"1")
        for end in ends
    ]
    for record in records:
        keep(out, "task_store", b"\0" + record)
    usual = [b"+alice", b"1", b"1785243600000", b"0", b"0" * 32, records[0], b"1"]
    others = (b"", b"-", b"x", b"0", b"2", b"18446744073709551615", b"+\xc3\xa9", b"\xff", b"a" * 65)
    for at in range(len(usual)):
        for other in others:
            fields = [*usual[:at], other, *usual[at + 1 :]]
            texts = b"".join(b"$%d\r\n%b\r\n" % (len(field), field) for field in fields)
            keep(out, "task_store", b"\1*%d\r\n" % len(fields) + texts)
    for reply in (b"$2\r\nOK\r\n", b"-ERR WRONGTYPE\r\n", b":1\r\n", b"*7\r\n" + b"$-1\r\n" * 7):
        keep(out, "task_store", b"\1" + reply)


SKILL_YAML = (
    "name: a\ndescription: d\n",
    "name: a\ndescription: >-\n  folded\n  text\nmetadata: {x: [1, 0x1F, .5, ~, true, 'q', \"\\u00e9\"]}\n",
    "name: a\ndescription: d\nlist:\n- 1\n- - 0o17\n  - {b: !!str 2}\n",
    "a: &a [x]\nb: *a\n",
    "a: 1\na: 2\n",
    "? [k]\n: v\n",
    "- a\n",
    "a: .inf\n",
    "a: |\n  text\n",
)


def write_skills(out: Path) -> None:
    """Front matter, skills in memory, trees and results for fuzz_skills.c."""
    main = b"---\nname: a\ndescription: d\n---\nText\n"
    for yaml in SKILL_YAML:
        keep(out, "skills", b"\x00---\n" + yaml.encode() + b"---\nbody\n")
    keep(out, "skills", b"\x01a\0SKILL.md\0" + main + b"\0b/c.txt\0abc\0x/a\0SKILL.md\0" + main + b"\0y\0")
    keep(
        out,
        "skills",
        b"\x01a/a\0SKILL.md\0" + main + b"\0\xc3\xa9 b\0abc\0a\0SKILL.md\0" + main + b"\0../y\0",
    )
    tree = b"\x02a/SKILL.md\0" + main + b"\0a/b/c.txt\0abc"
    for more in (
        b"",
        b"\0a/link\0@",
        b"\0a/pipe\0|",
        b"\0a/\xff\0x",
        b"\0a/a/SKILL.md\0" + main,
        b"\0SKILL.md\0" + main,
    ):
        keep(out, "skills", tree + more)
    files = [("skill://a/SKILL.md", main), ("skill://a/b/c.txt", b"abc")]
    listed = [{"uri": u, "digest": f"sha256:{sha256(c).hexdigest()}", "size": len(c)} for u, c in files]
    front = {"name": "a", "description": "d"}
    for resources in (listed, "dynamic", [{**listed[0], "size": 1}, listed[1]], listed[1:]):
        entry = {"uri": files[0][0], "frontmatter": front, "resources": resources}
        page = json.dumps({"skills": [entry], "nextCursor": "2"}).encode()
        got = json.dumps({"skill": entry}).encode()
        reads = [json.dumps({"contents": [{"uri": u, "text": c.decode()}]}).encode() for u, c in files]
        keep(
            out,
            "skills",
            b"\x03\x00"
            + b"\0".join([page, b'{"skills":[]}', b"\x01" + got, b"\x03" + reads[0], reads[1], b""]),
        )
        keep(
            out,
            "skills",
            b"\x03\x02" + b"\0".join([got, reads[0], b"\x03" + reads[1], got, reads[0], b"\x02" + reads[0]]),
        )


def write_commands(out: Path, names: Names) -> None:
    """Arguments and standard input of the command; values of types without arguments."""
    rng = Random("fuzz/commands")
    for arguments in COMMANDS:
        for revision in names.revisions:
            lines = example_lines(rng.choice((revision, "broken")))[:6]
            words = arguments.replace("REVISION", revision).encode()
            keep(out, "cli", header(0, 0) + words + b"\n" + b"\n".join(lines) + b"\n")
    write_logs(out, names)
    for (revision, definition), index in names.types.items():
        doc = documents.load(revision)
        if definition in doc.definitions and rng.random() < SHARE:
            text = next(texts_of(doc, definition, rng))
            keep(out, "cli", header(names.revisions[revision], index) + b"\n" + text)


def opening(revision: str) -> bytes:
    if revision >= MODERN:
        return b""
    params = {
        "protocolVersion": revision,
        "capabilities": CLIENT,
        "clientInfo": {"name": "c", "version": "1"},
    }
    first = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
    return dump(first) + dump({"jsonrpc": "2.0", "method": "notifications/initialized"})


def dump(message: object) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def request(revision: str, number: int, method: str, params: dict[str, object]) -> bytes:
    if revision >= MODERN:
        key = "io.modelcontextprotocol/"
        meta = {
            key + "protocolVersion": revision,
            key + "clientCapabilities": CLIENT,
            "progressToken": number,
        }
        params = {**params, "_meta": meta}
    return dump({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def operation(rng: Random, letters: bytes) -> bytes:
    return b"!" + bytes((rng.choice(letters), rng.choice(OPERANDS), rng.choice(OPERANDS))) + b"\n"


def asked_again(rng: Random) -> bytes:
    """A call that asks something, and its retries, some with a changed state."""
    text = request(MODERN, 1, "tools/call", {"name": "echo", "arguments": {"n": rng.choice((2, 3))}})
    for at in (rng.choice((0, 16)), rng.randrange(64), 0):
        text += b"!s" + bytes((at,)) + b"\n"
    return text


def conversation(revision: str, rng: Random) -> bytes:
    """The messages of a client for the server of side.c, with things to do in between."""
    text = opening(revision)
    for number in range(1, 2 + rng.randrange(5)):
        method, params = rng.choice(CALLS)
        if method == "tools/call" and rng.random() < 0.8:
            params = {"name": "echo", "arguments": {"n": rng.randrange(18)}}
        text += request(revision, number, method, params)
        if rng.random() < 0.3:
            reply = {"jsonrpc": "2.0", "id": rng.randrange(1, 4), "result": rng.choice(REPLIES)}
            text += dump(reply)
        if rng.random() < 0.4:
            text += operation(rng, b"aktrglicoqes")
        if rng.random() < 0.15:
            text += dump(
                {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}
            )
    return text


def replies(revision: str, rng: Random) -> bytes:
    """The messages of a server for the client of side.c, which opens by server/discover or initialize."""
    server = {"tools": {}, "resources": {"subscribe": True}, "prompts": {}, "logging": {}, "completions": {}}
    text = b""
    if revision >= MODERN:
        result = {"resultType": "complete", "supportedVersions": [MODERN], "capabilities": server}
        text += dump({"jsonrpc": "2.0", "id": 1, "result": {**result, "ttlMs": 0, "cacheScope": "private"}})
    else:
        text += dump({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no"}})
        info = {"name": "s", "version": "1"}
        result = {"protocolVersion": revision, "capabilities": server, "serverInfo": info}
        text += dump({"jsonrpc": "2.0", "id": 2, "result": result})
    for number in range(3, 9):
        text += b"!q" + bytes((rng.randrange(32),)) + b"\n"
        if rng.random() < 0.7:
            text += dump({"jsonrpc": "2.0", "id": number, "result": rng.choice(RESULTS)})
        if rng.random() < 0.4:
            method, params = rng.choice(ASKED)
            text += dump({"jsonrpc": "2.0", "id": f"s{number}", "method": method, "params": params})
    return text


def operations(rng: Random) -> bytes:
    """Things that the two ends of a pair do."""
    text = b""
    for _ in range(12):
        text += operation(rng, b"qqqqqqqqqakrRgGlLiKtQoAecC")
    return text


def meddling(rng: Random) -> bytes:
    """From here on the callbacks of both ends do more than they are called for."""
    return b"".join(b"!" + letter + bytes((rng.randrange(64, 256),)) + b"\n" for letter in (b"m", b"M"))


def write_sessions(out: Path, names: Names) -> None:
    rng = Random("fuzz/sessions")
    meddler = Random("fuzz/meddling")
    for revision, number in names.revisions.items():
        for i in range(SESSIONS):
            rest = bytes((rng.randrange(256), rng.choice((0, 0, 1, 7, 40)), rng.choice((0, number + 1))))
            handlers = rng.randrange(len(names.revisions))
            keep(out, "session", header(handlers, 0, rest=rest) + conversation(revision, rng))
            keep(out, "session", header(handlers, 1, rest=rest) + replies(revision, rng))
            keep(out, "session", header(handlers, 0, rest=bytes((0, rest[1], 0))) + asked_again(rng))
            pair = bytes((rest[0], rest[1], rng.randrange(64)))
            keep(out, "session", header(handlers, 2 + i % 2, rest=pair) + operations(rng))
            said = meddling(meddler) + conversation(revision, meddler)
            keep(out, "session", header(handlers, 0, rest=rest) + said)
            keep(out, "session", header(handlers, 2, rest=pair) + meddling(meddler) + operations(meddler))


def streams(revision: str, rng: Random) -> bytes:
    """The same for several sessions, each of which is chosen now and then, with streams that break."""
    text = b""
    for _ in range(3):
        text += operation(rng, b"nnnbxto") + conversation(revision, rng)
    return text


def write_streams(out: Path, names: Names) -> None:
    rng = Random("fuzz/streams")
    revisions = len(names.revisions) + 1
    for revision, number in names.revisions.items():
        for i in range(SESSIONS):
            handlers = rng.randrange(len(names.revisions))
            taken = rng.choice((0, 0, 1, 3))
            spoken = rng.choice((0, number + 1)) + revisions * rng.randrange(revisions)
            said = streams(revision, rng)
            said = b"!m" + bytes((rng.randrange(64, 256),)) + b"\n" + said if i % 3 == 0 else said
            rest = bytes((rng.randrange(256), taken, spoken))
            keep(out, "streams", header(handlers, i % 6, rest=rest) + said)


def write_http(out: Path, names: Names) -> None:
    rng = Random("fuzz/http")
    for revision in names.revisions:
        for i in range(2 * SESSIONS):
            handlers = rng.randrange(len(names.revisions))
            limits = rng.choice((0, 0, 0, 1, 2, 4, 8)) + 16 * rng.choice((0, 0, 0, 1, 2, 3, 6))
            flags = rng.choice((0, 0, 0, 16, 32, 64, 80, 128))
            fails = rng.randrange(1, 256) if i % 6 == 0 else 0
            rest = bytes((rng.randrange(256), rng.choice((0, 1, 7, 40)), rng.choice((0, 0, 0, 2, 3))))
            said = http_seeds.traffic(revision, dump, request, rng)
            keep(out, "http", header(handlers, limits, flags, fails, rest) + said)
    for _ in range(4 * SESSIONS):
        revision, number = rng.choice(list(names.revisions.items()))
        methods = [at for (of, name), (at, _) in names.methods.items() if of == revision and name in ASKABLE]
        rest = bytes((rng.randrange(256), rng.choice((0, 0, 1, 9, 90)), rng.choice((0, 0, number + 1))))
        flags = rng.choice((0, 0, 16, 64))
        limits = rng.randrange(2) + 2 * rng.choice((0, 0, 0, 1, 2))
        said = http_seeds.pair(rng, [at for at in methods if at != ord("\n")])
        keep(out, "http_pair", header(number, limits, flags, 0, rest) + said)
    for mode, value in http_seeds.VALUES:
        keep(out, "header", header(0, mode, rest=b",;;") + value.encode())
    for text in http_seeds.EVENTS:
        for rest in (b"\0\0\0", b"\5\1\1", b"\7\3\0", b"\1\x20\1"):
            keep(out, "event_stream", header(0, rng.choice((60, 99, 511)), rest=rest) + text)


def write_dictionary(out: Path) -> None:
    words: set[str] = set()
    for path in sorted((ROOT / "generated").glob("*/dictionary.txt")):
        words.update(line for line in path.read_text().splitlines() if line.startswith('"'))
    for text in WORDS:
        words.add(f'"{text}"')
    (out / "dictionary.txt").write_text("\n".join(sorted(words)) + "\n")


def main() -> int:
    program, out = sys.argv[1], Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    names = read_names(program)
    write_orders(out, names)
    if sys.argv[3:] != ["orders"]:
        write_values(out, names)
        write_messages(out, names)
        write_texts(out, names)
        write_projections(out, names)
        write_sessions(out, names)
        write_streams(out, names)
        write_http(out, names)
        write_logins(out)
        write_skills(out)
        write_keys(out)
        write_task_entries(out)
        write_tasks(out)
        write_handles(out)
        write_apps(out)
        write_commands(out, names)
        write_dictionary(out)
    for folder in sorted(path for path in out.iterdir() if path.is_dir()):
        print(f"{folder.name}: {sum(1 for _ in folder.iterdir())} seeds")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
