# SPDX-License-Identifier: MIT
"""https on Windows by Schannel, under Wine: a server of this machine, whose authority only the test knows.

python3 -m tests.portability.windows_https MCPWIRE_EXE FOLDER    (with the programs of the examples)
"""

from __future__ import annotations

import contextlib
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Iterator

from tests.portability import windows_http
from tests.portability.windows_http import served

TIMEOUT = 60.0
PIECE = 1 << 16
tool = ""
SUBJECT = "subjectAltName=DNS:localhost\nextendedKeyUsage=serverAuth\n"


def openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


def make_authority(folder: Path, name: str) -> None:
    authority = ["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=keyCertSign,cRLSign"]
    key = ["-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key"]
    openssl(
        folder, "req", "-x509", *key, "-out", f"{name}.pem", "-days", "2", "-subj", f"/CN={name}", *authority
    )


def make_certificate(folder: Path, authority: str) -> None:
    (folder / "extensions").write_text(SUBJECT, encoding="utf-8")
    key = ["-newkey", "rsa:2048", "-nodes", "-keyout", "server.key"]
    openssl(folder, "req", *key, "-out", "request", "-subj", "/CN=localhost")
    signer = ["-CA", f"{authority}.pem", "-CAkey", f"{authority}.key", "-CAcreateserial"]
    made = ["-out", "server.pem", "-days", "2", "-extfile", "extensions"]
    openssl(folder, "x509", "-req", "-in", "request", *signer, *made)


def pump(from_: socket.socket, to: socket.socket) -> None:
    with contextlib.suppress(OSError), from_:
        while piece := from_.recv(PIECE):
            to.sendall(piece)
        to.shutdown(socket.SHUT_WR)


def accept(listener: socket.socket, context: ssl.SSLContext, port: int) -> None:
    """Passes the bytes of clients on to a server without TLS, until the listener is closed."""
    while True:
        try:
            plain, _ = listener.accept()
        except OSError:
            return
        with contextlib.suppress(OSError):  # a client that trusts another authority
            client = context.wrap_socket(plain, server_side=True)
            server = socket.create_connection(("127.0.0.1", port))
            for ends in ((client, server), (server, client)):
                threading.Thread(target=pump, args=ends, daemon=True).start()


@contextlib.contextmanager
def served_by_tls(folder: Path) -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    with served() as url, socket.create_server(("127.0.0.1", 0)) as listener:
        port = int(url.split(":")[2].split("/")[0])
        threading.Thread(target=accept, args=(listener, context, port), daemon=True).start()
        yield f"https://localhost:{listener.getsockname()[1]}/mcp"


class WindowsHttpsTest(unittest.TestCase):
    def test_only_the_authority_that_is_given_is_trusted(self) -> None:
        """Wine does not check certificates by the system's authorities, so those are left out."""
        if shutil.which("openssl") is None:
            self.skipTest("no openssl, which makes certificates")
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            for name in ("right", "wrong"):
                make_authority(folder, name)
            make_certificate(folder, "right")
            with served_by_tls(folder) as url:
                for name, status, said in (("right", 0, b"127.0.0.1\n"), ("wrong", 2, b"")):
                    trusted = ["--cacert", f"z:{folder / name}.pem"]
                    words = ["wine", tool, "call", "--tool", "whereabouts", *trusted, url]
                    done = subprocess.run(
                        words, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT
                    )
                    self.assertEqual((done.returncode, done.stdout), (status, said), done.stderr)


if __name__ == "__main__":
    windows_http.folder = Path(sys.argv.pop(2))
    tool = sys.argv.pop(1)
    unittest.main()
