// SPDX-License-Identifier: MIT
// The TypeScript SDK 1.x as a client, in one of the revisions with a handshake.
// Usage: node client_v1.mjs --revision REVISION [--offered] [--unprojected] LINK
//   LINK             -- COMMAND [ARGUMENT...] over stdio, --url URL over HTTP
//   --revision R     what is spoken; the SDK always asks for its newest, so initialize is rewritten to ask for R
//   --offered        it is not rewritten: a server that speaks R alone has to offer it
//   --unprojected    the server writes the same, whatever the revision (server_v2.mjs)
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { answerQuestions, battery, capabilities } from './battery.mjs';
import { assert, check, commandLine, main, Wire } from './wire.mjs';

const options = commandLine({
    revision: { type: 'string' },
    offered: { type: 'boolean' },
    unprojected: { type: 'boolean' }
});
const schemas = {
    'roots/list': types.ListRootsRequestSchema,
    'sampling/createMessage': types.CreateMessageRequestSchema,
    'elicitation/create': types.ElicitRequestSchema,
    'notifications/message': types.LoggingMessageNotificationSchema,
    'notifications/tools/list_changed': types.ToolListChangedNotificationSchema,
    'notifications/prompts/list_changed': types.PromptListChangedNotificationSchema,
    'notifications/resources/updated': types.ResourceUpdatedNotificationSchema
};

const client = new Client({ name: 'client-v1', version: '1.0.0' }, { capabilities });
const transport = options.url
    ? new StreamableHTTPClientTransport(options.url)
    : new StdioClientTransport(options.server);
const wire = new Wire(transport, message =>
    message.method !== 'initialize' || options.offered
        ? message
        : { ...message, params: { ...message.params, protocolVersion: options.revision } }
);
client.onerror = error => wire.errors.push(error);
const peer = {
    client,
    wire,
    url: options.url,
    revision: options.revision,
    modern: false,
    projects: !options.unprojected,
    request: (method, params, more) => client.request({ method, params }, types.ResultSchema, more),
    call: (name, args, meta, more) =>
        client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) }, undefined, more),
    onRequest: (method, handler) => client.setRequestHandler(schemas[method], handler),
    onNotification: (method, handler) => client.setNotificationHandler(schemas[method], handler)
};

await main(wire, async () => {
    answerQuestions(peer);
    await check(`connect: ${options.revision}`, async () => {
        const connected = client.connect(wire.transport);
        wire.watch();
        await connected;
        assert.equal(wire.received[0].result.protocolVersion, options.revision);
        assert.ok(client.getServerVersion().name);
        assert.ok(client.getServerCapabilities().tools);
        assert.ok(client.getInstructions());
    });
    await battery(peer);
});
