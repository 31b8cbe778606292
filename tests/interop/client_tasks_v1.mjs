// SPDX-License-Identifier: MIT
// The TypeScript SDK 1.x as a client of tasks in the form of 2025-11-25.
// Usage: node client_tasks_v1.mjs LINK
//   LINK             -- COMMAND [ARGUMENT...] over stdio, --url URL over HTTP
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { assert, check, commandLine, main } from './wire.mjs';

const options = commandLine({});
const answer = { action: 'accept', content: { confirm: true, name: 'Ada' } };

async function run() {
    const capabilities = { elicitation: { form: {} } };
    const client = new Client({ name: 'tasks-v1', version: '1.0.0' }, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, () => answer);
    await client.connect(
        options.url ? new StreamableHTTPClientTransport(options.url) : new StdioClientTransport(options.server)
    );
    await client.listTools();
    const tasks = client.experimental.tasks;
    const last = async (name, args) => {
        const seen = [];
        const stream = tasks.callToolStream({ name, arguments: args }, undefined, { task: { ttl: 60000 } });
        for await (const message of stream) {
            seen.push(message);
        }
        return seen;
    };
    await check('a task is followed to its result', async () => {
        const seen = await last('slow_compute', { seconds: 0.2 });
        assert.equal(seen[0].type, 'taskCreated');
        assert.equal(seen.at(-1).type, 'result');
        assert.equal(seen.at(-1).result.content[0].text, 'computed for 200 ms');
    });
    await check('a task asks and goes on', async () => {
        const seen = await last('confirm_delete', { filename: 'a' });
        assert.equal(seen.at(-1).result.content[0].text, 'a is deleted');
    });
    await check('an error of the protocol ends the stream', async () => {
        const seen = await last('protocol_error_job', {});
        assert.equal(seen.at(-1).type, 'error');
    });
    await check('a task is cancelled', async () => {
        const stream = tasks.callToolStream({ name: 'slow_compute', arguments: { seconds: 60 } }, undefined, { task: {} });
        const created = (await stream.next()).value;
        const cancelled = await tasks.cancelTask(created.task.taskId);
        assert.equal(cancelled.status, 'cancelled');
        assert.equal((await tasks.getTask(created.task.taskId)).status, 'cancelled');
        await stream.return();
    });
    await client.close();
}

await main({ lines: [], errors: [], stderr: '' }, run);
