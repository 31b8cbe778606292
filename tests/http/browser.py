# SPDX-License-Identifier: MIT
"""A browser and its user: browser.py VISITS HOW URL. Each page that it opens is a line of JSON in VISITS."""

from __future__ import annotations

import http.client
import json
import sys
import time
import urllib.parse
from pathlib import Path
from typing import Optional, Tuple


def visit(url: str, method: str = "GET", name: str = "", visits: Optional[str] = None) -> Tuple[int, str]:
    """The status of a page, and where it leads to."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=10)
    try:
        connection.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), body=None)
        response = connection.getresponse()
        status, body = response.status, response.read().decode()
        target = response.headers.get("Location") or ""
    except (OSError, http.client.HTTPException) as error:
        status, body, target = 0, str(error), ""
    finally:
        connection.close()
    if visits is not None:
        with Path(visits).open("a", encoding="utf-8") as file:
            line = {"name": name, "status": status, "body": body, "host": parts.hostname}
            file.write(json.dumps(line) + "\n")
    return status, target


def main() -> None:
    visits, how, url = sys.argv[1:]
    how, _, once = how.partition("-")
    if how == "away" or (once and Path(visits).exists()):
        return
    Path(visits).touch()
    if how == "slow":
        time.sleep(1.5)
    _, target = visit(url)
    if how == "elsewhere":
        time.sleep(1.5)
        print(target)
        return
    parts = urllib.parse.urlsplit(target)
    base = f"{parts.scheme}://{parts.netloc}"
    if how == "hostile":
        script = "<script>alert(1)</script>"
        other = "/" + "x" * (len(parts.path) - 1)
        visit(f"{base}{other}?{parts.query}", "GET", "another path", visits)
        visit(f"{base}{parts.path}x?{parts.query}", "GET", "a longer path", visits)
        visit(target, "POST", "post", visits)
        visit(base + parts.path, "GET", "no query", visits)
        visit(f"{base}{parts.path}?code={script}&state=wrong", "GET", "wrong state", visits)
        visit(f"{base}{parts.path}?code=x", "GET", "no state", visits)
        visit(f"{base}{parts.path}?code={'x' * 20000}", "GET", "too long", visits)
    visit(target, "GET", "the redirect", visits)
    if how == "hostile":
        visit(target, "GET", "the redirect again", visits)
    if how == "stays":
        time.sleep(1)


if __name__ == "__main__":
    main()
