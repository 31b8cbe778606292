// SPDX-License-Identifier: MIT
// The TypeScript SDK 2.x as a client: of 2026-07-28, and of what it falls back to.
// Usage: node client_v2.mjs --mode MODE --revision REVISION [--unprojected] LINK
//   LINK             -- COMMAND [ARGUMENT...] over stdio, --url URL over HTTP
//   --mode MODE      pin: no other revision will do; auto: probes, falls back; legacy: does not probe
//   --revision R     what must come out
//   --unprojected    the server writes the same, whatever the revision (server_v2.mjs)
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { answerQuestions, battery, capabilities } from './battery.mjs';
import { assert, check, commandLine, main, Wire } from './wire.mjs';

const options = commandLine({
    mode: { type: 'string', default: 'auto' },
    revision: { type: 'string' },
    unprojected: { type: 'boolean' }
});

// The SDK checks results of methods that it knows by their schemas; any other takes what comes.
const anything = { '~standard': { version: 1, vendor: 'interop', validate: value => ({ value }) } };
const mode = options.mode === 'pin' ? { pin: options.revision } : options.mode;
const client = new Client({ name: 'client-v2', version: '1.0.0' }, { capabilities, versionNegotiation: { mode } });
const transport = options.url
    ? new StreamableHTTPClientTransport(options.url)
    : new StdioClientTransport(options.server);
const wire = new Wire(transport);
client.onerror = error => wire.errors.push(error);
const peer = {
    client,
    wire,
    url: options.url,
    revision: options.revision,
    modern: options.revision >= '2026-07-28',
    aggregates: true,
    projects: !options.unprojected,
    request: (method, params, more) => client.request({ method, params }, anything, more),
    call: (name, args, meta, more) => client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) }, more),
    onRequest: (method, handler) => client.setRequestHandler(method, handler),
    onNotification: (method, handler) => client.setNotificationHandler(method, handler)
};

await main(wire, async () => {
    answerQuestions(peer);
    await check(`connect: ${options.revision}`, async () => {
        await client.connect(wire.transport);
        wire.watch();
        assert.equal(client.getNegotiatedProtocolVersion(), options.revision);
        assert.equal(client.getProtocolEra(), peer.modern ? 'modern' : 'legacy');
        assert.ok(client.getServerVersion().name);
        assert.ok(client.getServerCapabilities().tools);
        assert.ok(client.getInstructions());
    });
    await battery(peer);
});
