# SPDX-License-Identifier: MIT
"""The page of examples/moon.c in a browser: in the host of examples/moon, and in its sandbox.

Usage: test_moon_browser.py --screenshot FILE   makes the picture of the guide
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, Iterator, List

from tests.examples import chromium
from tests.examples.peer import ROOT, ExampleTest, example
from tests.examples.site import Site

TYPESCRIPT = Path(os.environ.get("MCPW_TYPESCRIPT", ROOT / "build" / "typescript"))
PUBLISHED = TYPESCRIPT / "node_modules/@modelcontextprotocol/ext-apps/dist/src"
MOON = ROOT / "examples" / "moon"
SIZE = (1100, 560)
DATE = "2026-07-21"


@contextlib.contextmanager
def served(origin: str) -> Iterator[str]:
    """The URL of the server, which serves web pages of one origin."""
    command = [example("moon"), "--http", "0", "--allow-origin", origin]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            found = re.search(r"http://\S+/mcp", process.stderr.readline())
            if found is None:
                raise unittest.SkipTest("the example has no HTTP")
            yield found.group(0)
        finally:
            process.terminate()


@contextlib.contextmanager
def shown(date: str = DATE) -> Iterator[chromium.Chromium]:
    """The host in a browser, once the page has a moon."""
    with Site(MOON) as site, served(site.origin) as url, chromium.Chromium(*SIZE) as browser:
        browser.open(f"{site.origin}/host.html?server={url}&date={date}")
        browser.frame_with("document.querySelectorAll('#days button').length > 0")
        yield browser


def moon_frame(browser: chromium.Chromium) -> chromium.Frame:
    return browser.frame_with("document.title === 'The moon'")


def messages(browser: chromium.Chromium) -> List[str]:
    """The messages that the host has seen, with their senders."""
    found: List[str] = browser.value(
        "[...document.querySelectorAll('#log li')].map((each) => each.className + ' ' + each.textContent)"
    )
    return found


class BrowserTest(ExampleTest):
    needs = ("moon",)

    def setUp(self) -> None:
        super().setUp()
        if chromium.find() is None:
            self.skipTest("there is no Chromium (Debian: chromium)")


class HostTest(BrowserTest):
    def test_the_page_shows_the_result_of_the_call(self) -> None:
        with shown() as browser:
            frame = moon_frame(browser)
            browser.wait("document.getElementById('phase').textContent", "First quarter", frame)
            self.assertEqual(
                browser.value("document.getElementById('date').textContent", frame), "Tuesday, July 21, 2026"
            )
            self.assertEqual(browser.value("document.querySelectorAll('#days button').length", frame), 11)
            text = browser.value("document.getElementById('text').textContent")
            self.assertEqual(text, "The page shows the moon: First quarter.")

    def test_messages_come_in_the_order_of_the_extension(self) -> None:
        with shown() as browser:
            browser.wait("document.querySelector('iframe').clientHeight > 100", True)
            seen = [each for each in messages(browser) if "size-changed" not in each and "server" not in each]
        want = [
            "page ui/notifications/sandbox-proxy-ready",
            "host ui/notifications/sandbox-resource-ready",
            "page ui/initialize",
            "host result",
            "page ui/notifications/initialized",
            "host ui/notifications/tool-input",
            "host ui/notifications/tool-result",
        ]
        self.assertEqual(seen, want)

    def test_a_choice_on_the_page_goes_to_the_server_and_to_the_model(self) -> None:
        with shown() as browser:
            frame = moon_frame(browser)
            browser.value("document.querySelector('[data-date=\"2026-07-26\"]').click()", frame)
            browser.wait("document.getElementById('phase').textContent", "Waxing gibbous", frame)
            want = "For the model: The page shows the moon: Waxing gibbous."
            browser.wait("document.getElementById('context').textContent", want)
            self.assertIn("server tools/call moon_on", messages(browser))

    def test_a_page_may_not_call_what_is_not_visible_to_it(self) -> None:
        call = (
            "request('tools/call', {name: 'none', arguments: {}})"
            ".then(() => 'called', (error) => error.message)"
        )
        with shown() as browser:
            self.assertEqual(browser.value(call, moon_frame(browser)), "the page may not call none")
            self.assertIn("host error -32602", messages(browser))

    def test_other_methods_are_unknown_to_the_host(self) -> None:
        call = "request('ui/open-link', {url: 'https://example.com'}).catch((error) => error.message)"
        with shown() as browser:
            self.assertEqual(browser.value(call, moon_frame(browser)), "Method not found")

    def test_the_frame_is_as_high_as_the_page(self) -> None:
        with shown() as browser:
            height = browser.value("document.documentElement.offsetHeight", moon_frame(browser))
            self.assertGreater(height, 200)
            browser.wait("document.querySelector('iframe').clientHeight", height)

    def test_the_page_is_told_before_it_goes(self) -> None:
        with shown() as browser:
            browser.value("document.getElementById('close').click()")
            browser.wait("document.querySelector('iframe')", None)
            seen = [each for each in messages(browser) if "size-changed" not in each]
            self.assertEqual(seen[-2:], ["host ui/resource-teardown", "page result"])

    def test_a_server_that_is_not_there_is_told(self) -> None:
        with Site(MOON) as site, chromium.Chromium(*SIZE) as browser:
            browser.open(f"{site.origin}/host.html?server=http://127.0.0.1:1/mcp")
            browser.wait("document.getElementById('text').textContent", "Failed to fetch")

    def test_the_picture_of_the_guide_is_of_this_page(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            made = picture(Path(folder, "made.png"))
        guide = (ROOT / "docs/guide/apps.png").read_bytes()
        self.assertEqual(guide[:24], made[:24])  # the signature, and the width and height
        self.assertLess(abs(len(guide) - len(made)), len(made) / 2)  # fonts differ from machine to machine


DEFINITIONS = {
    "ui/initialize": "McpUiInitializeRequest",
    "ui/update-model-context": "McpUiUpdateModelContextRequest",
    "ui/notifications/initialized": "McpUiInitializedNotification",
    "ui/notifications/size-changed": "McpUiSizeChangedNotification",
    "ui/notifications/sandbox-proxy-ready": "McpUiSandboxProxyReadyNotification",
}
KEEP = "window.kept = []; window.addEventListener('message', ({data}) => window.kept.push(data));"


class SchemaTest(BrowserTest):
    """Messages of the page and the sandbox are those of the published schema."""

    def test_each_message_is_valid(self) -> None:
        try:
            import jsonschema
        except ImportError:
            self.skipTest("there is no jsonschema (Debian: python3-jsonschema)")
        path = PUBLISHED / "generated" / "schema.json"
        if not path.is_file():
            self.skipTest("the SDK of apps is not installed: run tests/codegen/typescript/setup.sh FOLDER")
        with Site(MOON) as site, served(site.origin) as url, chromium.Chromium(*SIZE) as browser:
            browser.before(KEEP)
            browser.open(f"{site.origin}/host.html?server={url}&date={DATE}")
            frame = browser.frame_with("document.querySelectorAll('#days button').length > 0")
            browser.value("document.querySelector('#days button').click()", frame)
            browser.wait("document.getElementById('context').textContent !== ''", True)
            kept: List[Dict[str, Any]] = browser.value("kept")
        definitions = json.loads(path.read_text("utf-8"))["$defs"]
        seen = set()
        for message in kept:
            name = DEFINITIONS.get(message.get("method", ""))
            if name is not None:
                bare = {key: message[key] for key in ("method", "params") if key in message}
                jsonschema.validate(bare, definitions[name])
                seen.add(name)
        self.assertEqual(seen, set(DEFINITIONS.values()))


# Tries what a page might, and tells its host.
PROBE = """<!doctype html><title>probe</title><script>
const tell = (name, found) => parent.postMessage({jsonrpc: '2.0', method: 'notifications/message',
  params: {name, found}}, '*');
const attempt = async (name, run) => tell(name, await run().then(() => 'yes', () => 'no'));
const load = (tag, property, url) => () => new Promise((resolve, reject) => {
  const element = document.createElement(tag);
  element.onload = resolve;
  element.onerror = reject;
  element[property] = url;
  document.head.append(element);
});
document.addEventListener('securitypolicyviolation', (event) => tell('violation', event.effectiveDirective));
(async () => {
  await attempt('fetch declared', () => fetch('DECLARED/open.js'));
  await attempt('fetch other', () => fetch('OTHER/open.js'));
  await attempt('script declared', load('script', 'src', 'DECLARED/open.js'));
  await attempt('script other', load('script', 'src', 'OTHER/open.js'));
  await attempt('image other', load('img', 'src', 'OTHER/image.html'));
  await attempt('eval', async () => new Function('return 1')());
  await attempt('parent', async () => parent.document.title);
  await attempt('top', async () => top.document.title);
  await attempt('storage', async () => localStorage.length);
  await attempt('camera', () => navigator.mediaDevices.getUserMedia({video: true}));
  const frame = document.createElement('iframe');
  frame.src = 'OTHER/frame.html';
  document.body.append(frame);
  tell('end', 'yes');
})();
</script>"""

# Hands a page to the sandbox, and keeps what it tells.
HARNESS = """<!doctype html><title>harness</title><link rel="icon" href="data:,"><body><script>
const found = {};
const sandbox = new URL('/sandbox.html', location.href);
sandbox.hostname = 'localhost';
const frame = document.createElement('iframe');
frame.sandbox = 'allow-scripts allow-same-origin';
frame.src = sandbox.href;
window.addEventListener('message', ({data}) => {
  if (data.method === 'ui/notifications/sandbox-proxy-ready') {
    frame.contentWindow.postMessage({jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready',
      params: PARAMS}, sandbox.origin);
  } else if (data.method === 'notifications/message') {
    const {name, found: value} = data.params;
    (found[name] ??= []).push(value);
  }
});
document.body.append(frame);
</script>"""


class SandboxTest(BrowserTest):
    def probe(self, csp: Dict[str, List[str]], declared: Site, other: Site) -> Dict[str, Any]:
        """Shows a page under a policy, and gives the results of its attempts."""
        html = PROBE.replace("DECLARED", declared.origin).replace("OTHER", other.origin)
        params = json.dumps({"html": html, "csp": csp, "permissions": {}}).replace("<", "\\u003c")
        pages = {"/harness.html": HARNESS.replace("PARAMS", params)}
        with Site(MOON, pages) as site, chromium.Chromium(*SIZE) as browser:
            browser.open(f"{site.origin}/harness.html")
            browser.wait("typeof found === 'object' && 'end' in found", True)
            found: Dict[str, Any] = browser.value("found")
        return found

    def sites(self, stack: contextlib.ExitStack) -> List[Site]:
        pages = {"/open.js": "", "/image.html": "", "/frame.html": ""}
        with tempfile.TemporaryDirectory() as folder:
            return [stack.enter_context(Site(Path(folder), pages)) for _ in range(2)]

    def test_a_page_reaches_the_origins_that_its_server_declares_and_no_others(self) -> None:
        with contextlib.ExitStack() as stack:
            declared, other = self.sites(stack)
            csp = {"connectDomains": [declared.origin], "resourceDomains": [declared.origin]}
            found = self.probe(csp, declared, other)
            self.assertEqual(found["fetch declared"], ["yes"])
            self.assertEqual(found["script declared"], ["yes"])
            for name in ("fetch other", "script other", "image other", "eval"):
                self.assertEqual(found[name], ["no"], name)
            self.assertEqual(other.asked, [])

    def test_a_page_without_a_policy_reaches_nothing(self) -> None:
        with contextlib.ExitStack() as stack:
            declared, other = self.sites(stack)
            found = self.probe({}, declared, other)
            for name in ("fetch declared", "script declared", "fetch other", "eval"):
                self.assertEqual(found[name], ["no"], name)
            self.assertEqual(declared.asked + other.asked, [])

    def test_a_page_reaches_neither_its_host_nor_the_sandbox_nor_the_user(self) -> None:
        with contextlib.ExitStack() as stack:
            declared, other = self.sites(stack)
            found = self.probe({}, declared, other)
            for name in ("parent", "top", "storage", "camera"):
                self.assertEqual(found[name], ["no"], name)

    def test_a_hostile_origin_adds_nothing_to_the_policy(self) -> None:
        with contextlib.ExitStack() as stack:
            declared, other = self.sites(stack)
            hostile = ["*", "'unsafe-eval'", f"{other.origin}; script-src *", f"{other.origin} *", "data:"]
            csp = {"connectDomains": hostile, "resourceDomains": hostile, "frameDomains": hostile}
            found = self.probe(csp, declared, other)
            for name in ("fetch declared", "script declared", "fetch other", "script other", "eval"):
                self.assertEqual(found[name], ["no"], name)
            self.assertEqual(declared.asked + other.asked, [])


# A page of the published SDK: it shows the result, then calls another tool.
PEER_PAGE = """<!doctype html><title>peer</title><p id="out"></p><script type="module">
import { App } from "ORIGIN/app-with-deps.js";
const app = new App({ name: "peer", version: "1" }, {});
const out = document.getElementById("out");
const add = (text) => { out.textContent += text + ";"; };
app.ontoolinput = ({ arguments: given }) => add(given.date);
app.ontoolresult = async ({ content }) => {
  add(content[0].text);
  add((await app.callServerTool({ name: "more", arguments: { n: 7 } })).content[0].text);
  add(await app.callServerTool({ name: "secret", arguments: {} }).then(() => "called", () => "refused"));
};
app.onteardown = async () => ({});
await app.connect();
add(app.getHostVersion().name);
</script>"""


class PeerTest(BrowserTest):
    """The host shows a page of the published SDK, from a server that is not ours."""

    def setUp(self) -> None:
        super().setUp()
        if not (PUBLISHED / "app-with-deps.js").is_file():
            self.skipTest("the SDK of apps is not installed: run tests/codegen/typescript/setup.sh FOLDER")

    def answer(self, body: bytes, origin: str) -> bytes:
        """The response of the server."""
        request = json.loads(body)
        params, uri = request["params"], "ui://peer/page"
        ui = {"csp": {"resourceDomains": [origin]}}
        text = f"{params.get('name')} {params.get('arguments', {}).get('n', '')}".strip()
        page = {"uri": uri, "mimeType": "text/html;profile=mcp-app", "_meta": {"ui": ui}}
        schema = {"type": "object"}
        results: Dict[str, Any] = {
            "tools/list": {
                "tools": [
                    {"name": "peer", "inputSchema": schema, "_meta": {"ui": {"resourceUri": uri}}},
                    {"name": "more", "inputSchema": schema, "_meta": {"ui": {"visibility": ["app"]}}},
                    {"name": "secret", "inputSchema": schema, "_meta": {"ui": {"visibility": ["model"]}}},
                ]
            },
            "tools/call": {"content": [{"type": "text", "text": text}]},
            "resources/read": {"contents": [{**page, "text": PEER_PAGE.replace("ORIGIN", origin)}]},
        }
        return json.dumps(
            {"jsonrpc": "2.0", "id": request["id"], "result": results[request["method"]]}
        ).encode()

    def test_they_understand_each_other(self) -> None:
        with Site(PUBLISHED) as peer, Site(MOON) as site, chromium.Chromium(*SIZE) as browser:
            peer.answer = lambda body: self.answer(body, peer.origin)
            browser.open(f"{site.origin}/host.html?server={peer.origin}/mcp&tool=peer&date={DATE}")
            frame = browser.frame_with("document.title === 'peer'")
            text = "document.getElementById('out').textContent.split(';').sort().join(' ')"
            browser.wait(text, f" {DATE} moon-host more 7 peer refused", frame)
            browser.value("document.getElementById('close').click()")
            browser.wait("document.querySelector('iframe')", None)


def picture(path: Path) -> bytes:
    """Makes the picture of the guide, after one choice on the page."""
    with shown() as browser:
        frame = moon_frame(browser)
        browser.value("document.querySelector('[data-date=\"2026-07-24\"]').click()", frame)
        browser.wait("document.getElementById('context').textContent !== ''", True)
        height = browser.value("document.documentElement.offsetHeight", frame)
        browser.wait("document.querySelector('iframe').clientHeight", height)
        browser.screenshot(path)
    return path.read_bytes()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--screenshot"]:
        picture(Path(sys.argv[2]))
    else:
        unittest.main()
