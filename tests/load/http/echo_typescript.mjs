// SPDX-License-Identifier: MIT
// The echo tool on the TypeScript SDK 2.x over HTTP, by its low-level server. It prints its port.
import { createServer } from 'node:http';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';

const inputSchema = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
const tools = [{ name: 'echo', inputSchema }, { name: 'change', inputSchema: { type: 'object' } }];

const handler = createMcpHandler(() => {
    const server = new Server({ name: 'echo', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
    server.setRequestHandler('tools/list', () => ({ tools }));
    server.setRequestHandler('tools/call', request => {
        if (request.params.name === 'change') {
            handler.notify.toolsChanged();
        }
        return { content: [{ type: 'text', text: request.params.arguments.message ?? 'changed' }] };
    });
    return server;
});

const http = createServer(toNodeHandler(handler));
http.listen(0, '127.0.0.1', 1024, () => console.log(http.address().port));
