// SPDX-License-Identifier: MIT
// The echo tool on the TypeScript SDK 2.x, by its low-level server: the least that it can do for a call.
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const inputSchema = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };

serveStdio(() => {
    const server = new Server({ name: 'echo', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'echo', inputSchema }] }));
    server.setRequestHandler('tools/call', request => ({
        content: [{ type: 'text', text: request.params.arguments.message }]
    }));
    return server;
});
