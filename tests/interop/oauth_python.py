# SPDX-License-Identifier: MIT
"""The Python SDK with logins, 1.x or 2.x as it is installed. A client says what it does as oauth_peer.mjs
describes.

usage: oauth_python.py client URL | server PORT ISSUER SECRET

The server asks the issuer about each token (introspection), as the client "resource-server" with that secret.
"""

import asyncio
import socket
import sys
from contextlib import asynccontextmanager
from importlib.metadata import version
from urllib.parse import parse_qs, urlsplit

from mcp.client.auth import OAuthClientProvider
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.shared.auth import OAuthClientMetadata

IS_FIRST = version("mcp").startswith("1.")
if IS_FIRST:
    import httpx
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client
    from mcp.server.fastmcp import FastMCP as Server
else:
    import httpx2 as httpx
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.server import MCPServer as Server
    from mcp.shared._httpx_utils import create_mcp_http_client
    from mcp.shared.auth import AuthorizationCodeResult

REDIRECT = "http://127.0.0.1:33418/callback"
SCOPE = "mcp:read"


async def read_line():
    return (await asyncio.to_thread(sys.stdin.readline)).strip()


def tell(word, text):
    print(word, " ".join(str(text).split()), flush=True)


class Storage:
    def __init__(self):
        self.tokens = self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def open_page(url):
    tell("open", url)


async def await_redirect():
    found = {name: values[0] for name, values in parse_qs(urlsplit(await read_line()).query).items()}
    if "code" not in found:
        raise RuntimeError(f"the login was refused: {found.get('error')}")
    if IS_FIRST:
        return found["code"], found.get("state")
    return AuthorizationCodeResult(code=found["code"], state=found.get("state"), iss=found.get("iss"))


def login(url):
    metadata = OAuthClientMetadata(
        redirect_uris=[REDIRECT], client_name="python", token_endpoint_auth_method="none"
    )
    return OAuthClientProvider(url, metadata, Storage(), open_page, await_redirect)


@asynccontextmanager
async def connected(url):
    if IS_FIRST:
        async with (
            streamablehttp_client(url, auth=login(url)) as (r, w, _),
            ClientSession(r, w) as client,
        ):
            await client.initialize()
            yield client
    else:
        async with (
            create_mcp_http_client(auth=login(url)) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            yield client


async def be_client(url):
    async with connected(url) as client:
        tell("said", "connected")
        while line := await read_line():
            try:
                result = await client.call_tool(line.removeprefix("call "), {})
            except Exception as error:
                tell("failed", error)
            else:
                tell("said", result.content[0].text)


def reason(error):
    """The first error inside groups of errors."""
    while getattr(error, "exceptions", ()):
        error = error.exceptions[0]
    return error


class Introspection:
    def __init__(self, issuer, secret):
        self.url = f"{issuer}/token/introspection"
        self.auth = ("resource-server", secret)

    async def verify_token(self, token):
        async with httpx.AsyncClient() as client:
            found = (await client.post(self.url, data={"token": token}, auth=self.auth)).json()
        if not found["active"]:
            return None
        return AccessToken(
            token=token,
            client_id=found["client_id"],
            scopes=found["scope"].split(" "),
            expires_at=found["exp"],
            resource=found["aud"],
        )


def be_server(port, issuer, secret):
    import uvicorn

    settings = AuthSettings(
        issuer_url=issuer,
        resource_server_url=f"http://127.0.0.1:{port}/mcp",
        required_scopes=[SCOPE],
        validate_token_resource=True,
    )
    server = Server("oauth-python", auth=settings, token_verifier=Introspection(issuer, secret))

    @server.tool()
    def read() -> str:
        return "read for ada"

    listener = socket.create_server(("127.0.0.1", int(port)))
    print(port, flush=True)
    config = uvicorn.Config(server.streamable_http_app(), log_level="warning")
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    if sys.argv[1] == "client":
        try:
            asyncio.run(be_client(sys.argv[2]))
        except BaseException as error:
            tell("failed", reason(error))
    else:
        be_server(*sys.argv[2:])
