// SPDX-License-Identifier: MIT
// The TypeScript package of the extension io.modelcontextprotocol/tasks as a receiver: a client of 2025-11-25 that makes
// tasks of what the server asks it.
// Usage: node task_receiver.mjs -- COMMAND [ARGUMENT...]
import { Client } from '@modelcontextprotocol/client';
import { bindTaskReceiver } from '@modelcontextprotocol/ext-tasks/receiver';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { assert, check, commandLine, main, sleep } from './wire.mjs';

const options = commandLine({});
const SLOWLY = 300; // ms that the model and the user take

async function run() {
    const capabilities = { sampling: {}, elicitation: { form: {} } };
    const client = new Client(
        { name: 'task-receiver', version: '1.0.0' },
        { capabilities, versionNegotiation: { mode: 'legacy' } }
    );
    const aborted = [];
    const receiver = bindTaskReceiver(client, {
        methods: { 'sampling/createMessage': true, 'elicitation/create': true },
        pollIntervalMs: 50,
        sampling: async () => {
            await sleep(SLOWLY);
            return { role: 'assistant', model: 'none', content: { type: 'text', text: 'harbour' } };
        },
        elicitation: async (_, { taskId, signal }) => {
            signal.addEventListener('abort', () => aborted.push(taskId));
            await sleep(SLOWLY);
            return { action: 'accept', content: { confirm: true } };
        }
    });
    client.registerCapabilities({ tasks: receiver.capabilities });
    await client.connect(new StdioClientTransport(options.server));
    const call = async name => (await client.callTool({ name, arguments: {} })).content[0].text;
    await check('the server waits for a message that is sampled by a task', async () => {
        const text = await call('sample');
        assert.match(text, /^input_required, then \{/);
        assert.match(text, /"text":"harbour"/);
    });
    await check('the server waits for a form that is filled in by a task', async () => {
        const text = await call('confirm');
        assert.match(text, /^input_required, then \{/);
        assert.match(text, /"confirm":true/);
    });
    await check('the server cancels a task of the client', async () => {
        assert.equal(await call('change_mind'), 'cancelled, then cancelled');
        assert.equal(aborted.length, 1);
    });
    receiver.close();
    await client.close();
}

await main({ lines: [], errors: [], stderr: '' }, run);
