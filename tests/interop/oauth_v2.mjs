// SPDX-License-Identifier: MIT
// The TypeScript SDK 2.x with logins. Usage: node oauth_v2.mjs client URL [--dpop yes] | server PORT ISSUER
import { Client, DpopSession, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
    createMcpHandler, getOAuthProtectedResourceMetadataUrl, McpServer, OAuthError, OAuthErrorCode,
    oauthMetadataResponse, requireBearerAuth
} from '@modelcontextprotocol/server';
import { answers, beClient, listen, Login, requiredScopes, verifier } from './oauth_peer.mjs';

const [mode, place, more] = process.argv.slice(2);

async function connect() {
    const login = new Login();
    if (more === '--dpop') {
        const session = await DpopSession.create();
        login.dpop = () => session;
    }
    let transport;
    const attempt = async step => {
        try {
            return await step();
        } catch (error) {
            if (!(error instanceof UnauthorizedError)) throw error;
            await transport.finishAuth(login.redirect);
            return step();
        }
    };
    const options = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
    let client;
    await attempt(() => {
        client = new Client({ name: 'oauth-v2', version: '1.0.0' }, options);
        transport = new StreamableHTTPClientTransport(new URL(place), { authProvider: login });
        return client.connect(transport);
    });
    return name => attempt(async () => (await client.callTool({ name, arguments: {} })).content[0].text);
}

async function serve(issuer) {
    const url = new URL(`http://127.0.0.1:${place}/mcp`);
    const oauthMetadata = await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json();
    const gate = requireBearerAuth({
        verifier: verifier(issuer, url.href, message => new OAuthError(OAuthErrorCode.InvalidToken, message)),
        requiredScopes,
        expectedResource: url,
        resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(url)
    });
    const handler = createMcpHandler(() => {
        const server = new McpServer({ name: 'oauth-v2', version: '1.0.0' });
        server.registerTool('read', {}, () => ({ content: [{ type: 'text', text: answers.read }] }));
        return server;
    });
    const site = {
        async fetch(request) {
            const document = oauthMetadataResponse(request, {
                oauthMetadata, resourceServerUrl: url, scopesSupported: requiredScopes
            });
            if (document) return document;
            const authInfo = await gate(request);
            return authInfo instanceof Response ? authInfo : handler.fetch(request, { authInfo });
        }
    };
    listen(toNodeHandler(site), place);
}

await (mode === 'client' ? beClient(connect) : serve(more));
