// SPDX-License-Identifier: MIT
// The TypeScript package of the extension io.modelcontextprotocol/tasks as a client: in 2026-07-28 over HTTP, and
// of tasks as 2025-11-25 has them.
// Usage: node client_tasks_v2.mjs [--legacy] LINK
//   LINK             -- COMMAND [ARGUMENT...] over stdio, with --legacy alone; --url URL over HTTP
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { assert, check, commandLine, main } from './wire.mjs';

const options = commandLine({ legacy: { type: 'boolean', default: false } });
const answer = { action: 'accept', content: { confirm: true } };
const MODERN = '2026-07-28';
const EXTENSION = 'io.modelcontextprotocol/tasks';

/* The SDK's own codecs refuse tasks, so the package of the extension has requests sent as they are. */
async function dispatch(request) {
    const { method, params } = request;
    const headers = {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': MODERN,
        'mcp-method': method
    };
    const name = params?.name ?? params?.taskId;
    const response = await fetch(options.url, {
        method: 'POST',
        headers: name === undefined ? headers : { ...headers, 'mcp-name': name },
        body: JSON.stringify({ jsonrpc: '2.0', id: crypto.randomUUID(), ...request })
    });
    const text = await response.text();
    const events = text.split('\n').filter(line => line.startsWith('data: {'));
    const data = text.startsWith('{') ? [text] : events.map(line => line.slice(6));
    return data.map(one => JSON.parse(one)).find(message => 'result' in message || 'error' in message);
}

async function checkFailureAndCancelling(session, call) {
    await check('an error of the protocol fails the task', async () => {
        const outcome = await call('protocol_error_job', {});
        assert.equal(outcome.status, 'failed');
    });
    await check('a task is cancelled', async () => {
        const execution = await session.callTool('slow_compute', { seconds: 60 });
        assert.equal(execution.kind, 'task');
        await execution.cancel();
        assert.equal((await execution.settle()).outcome.status, 'cancelled');
    });
}

async function run() {
    const clientInfo = { name: 'tasks-extension', version: '1.0.0' };
    const clientCapabilities = { elicitation: { form: {} }, extensions: { [EXTENSION]: {} } };
    const mode = options.legacy ? 'legacy' : { pin: MODERN };
    const client = new Client(clientInfo, { capabilities: clientCapabilities, versionNegotiation: { mode } });
    client.setRequestHandler('elicitation/create', () => answer);
    await client.connect(
        options.url ? new StreamableHTTPClientTransport(options.url) : new StdioClientTransport(options.server)
    );
    const modern = {
        rawDispatch: dispatch,
        v2RequestFraming: { protocolVersion: MODERN, clientInfo, clientCapabilities }
    };
    const session = createTaskSessionFromClient(client, {
        endpointId: 'fixture',
        onInputRequest: async () => answer,
        ...(options.legacy ? {} : modern)
    });
    const call = async (name, args) => {
        const execution = await session.callTool(name, args);
        return (await execution.settle()).outcome;
    };
    await check('a plain call', async () => {
        const result = resultFromTaskOutcome(await call('greet', { name: 'Ada' }));
        assert.equal(result.content[0].text, 'Hello, Ada!');
    });
    await check('a task is followed to its result', async () => {
        const result = resultFromTaskOutcome(await call('slow_compute', { seconds: 0.2 }));
        assert.equal(result.content[0].text, 'computed for 200 ms');
    });
    await check('an error of the tool is a result, or fails its task in 2025-11-25', async () => {
        if (options.legacy) {
            assert.equal((await call('failing_job', {})).status, 'failed');
            return;
        }
        const result = resultFromTaskOutcome(await call('failing_job', {}));
        assert.equal(result.isError, true);
    });
    await check('a task asks and goes on', async () => {
        const result = resultFromTaskOutcome(await call('confirm_delete', { filename: 'a' }));
        assert.equal(result.content[0].text, 'a is deleted');
    });
    if (options.legacy) {
        // The package makes a call a task only where the tool requires that, so the rest are plain calls.
        await check('an error of the protocol', async () => {
            await assert.rejects(call('protocol_error_job', {}), /The job broke/);
        });
    } else {
        await checkFailureAndCancelling(session, call);
    }
    await session.close();
    await client.close();
}

await main({ lines: [], errors: [], stderr: '' }, run);
