// SPDX-License-Identifier: MIT
// The TypeScript SDK 1.x with logins. Usage: node oauth_v1.mjs client URL | server PORT ISSUER
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { getOAuthProtectedResourceMetadataUrl, mcpAuthMetadataRouter } from '@modelcontextprotocol/sdk/server/auth/router.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { answers, beClient, listen, Login, requiredScopes, verifier } from './oauth_peer.mjs';

const [mode, place, issuer] = process.argv.slice(2);

async function connect() {
    const login = new Login();
    let transport;
    const attempt = async step => {
        try {
            return await step();
        } catch (error) {
            if (!(error instanceof UnauthorizedError)) throw error;
            await transport.finishAuth(login.redirect.get('code'));
            return step();
        }
    };
    const client = new Client({ name: 'oauth-v1', version: '1.0.0' });
    await attempt(() => {
        transport = new StreamableHTTPClientTransport(new URL(place), { authProvider: login });
        return client.connect(transport);
    });
    return name => attempt(async () => (await client.callTool({ name })).content[0].text);
}

async function serve() {
    const url = new URL(`http://127.0.0.1:${place}/mcp`);
    const metadata = await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json();
    const app = express();
    app.use(mcpAuthMetadataRouter({ oauthMetadata: metadata, resourceServerUrl: url, scopesSupported: requiredScopes }));
    const auth = requireBearerAuth({
        verifier: verifier(issuer, url.href, message => new InvalidTokenError(message)),
        requiredScopes,
        expectedResource: url,
        resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(url)
    });
    app.all('/mcp', auth, async (request, response) => {
        const server = new McpServer({ name: 'oauth-v1', version: '1.0.0' });
        server.registerTool('read', {}, () => ({ content: [{ type: 'text', text: answers.read }] }));
        const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
        await server.connect(transport);
        await transport.handleRequest(request, response);
    });
    listen(app, place);
}

await (mode === 'client' ? beClient(connect) : serve());
