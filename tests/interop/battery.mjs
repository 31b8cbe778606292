// SPDX-License-Identifier: MIT
// The checks that a client runs against the fixture server, whichever SDK it is written with. client_v1.mjs and
// client_v2.mjs each make a peer of their SDK: { client, wire, url, revision, modern, request, call, onRequest, onNotification }.
import { assert, check, sleep, until } from './wire.mjs';

const WATCHED = 'test://watched-resource';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const NO_SUCH = 'test://nonexistent-resource-for-conformance-testing';
const CLOSE_MS = Number(process.env.MCPW_CLOSE_MS ?? 1500); // the SDK ends a server after 2,000
const text = value => [{ type: 'text', text: value }];

// The client's capabilities and answers. The checks below expect these values.
export const capabilities = { sampling: {}, elicitation: {}, roots: { listChanged: true } };
const roots = [{ uri: 'file:///work', name: 'work' }, { uri: 'file:///home', name: 'home' }];
const user = {
    'What is your name?': { action: 'accept', content: { name: 'Ada' } },
    'What is your favorite color?': { action: 'accept', content: { color: 'green' } },
    'Please confirm': { action: 'accept', content: { ok: true } },
    'What context?': { action: 'accept', content: { context: 'testing' } },
    'Who are you?': { action: 'accept', content: { username: 'ada', email: 'ada@example.org' } },
    'Go away?': { action: 'decline' },
    'Ever seen?': { action: 'cancel' }
};

export function answerQuestions(peer) {
    peer.asked = [];
    peer.onRequest('roots/list', request => (peer.asked.push(request), { roots }));
    peer.onRequest('sampling/createMessage', request => {
        peer.asked.push(request);
        const said = request.params.messages[0].content.text;
        const reply = said === 'What is the capital of France?' ? 'Paris' : `heard: ${said}`;
        return { model: 'test-model', role: 'assistant', stopReason: 'endTurn', content: { type: 'text', text: reply } };
    });
    peer.onRequest('elicitation/create', request => {
        peer.asked.push(request);
        return user[request.params.message] ?? { action: 'accept', content: peer.fill(request.params.requestedSchema) };
    });
    // Every property by its default, as an application that shows a form with the defaults filled in.
    peer.fill = schema =>
        Object.fromEntries(
            Object.entries(schema.properties).flatMap(([name, one]) => ('default' in one ? [[name, one.default]] : []))
        );
}

const since = (peer, first) => peer.revision >= first;

async function refused(promise, code, ...words) {
    const error = await promise.then(
        result => assert.fail(`expected error ${code}, got ${JSON.stringify(result)}`),
        error => error
    );
    assert.ok(typeof error.code === 'number', `no JSON-RPC error: ${error.stack}`);
    assert.equal(error.code, code, error.message);
    for (const word of words) assert.match(error.message, word);
    return error;
}

async function pages(peer, method, key) {
    const found = [];
    const cursors = new Set();
    let params = {};
    let count = 0;
    do {
        const result = await peer.request(method, params);
        found.push(...result[key]);
        count++;
        if (result.nextCursor === undefined) return { found, count };
        assert.ok(!cursors.has(result.nextCursor), 'a cursor came twice');
        cursors.add(result.nextCursor);
        params = { cursor: result.nextCursor };
    } while (count < 100);
    assert.fail('pagination does not end');
}

const names = list => list.map(one => one.name);

async function lists(peer) {
    await check('list tools', async () => {
        const { found, count } = await pages(peer, 'tools/list', 'tools');
        assert.equal(new Set(names(found)).size, found.length, 'a tool came twice');
        for (const name of ['test_simple_text', 'echo', 'test_slow', 'test_sampling', 'test_trigger_tool_change']) {
            assert.ok(names(found).includes(name), `${name} is listed`);
        }
        assert.equal(names(found)[0], 'test_simple_text');
        assert.ok(found.every(tool => tool.inputSchema.type === 'object' && tool.description));
        assert.ok(count > 1, 'more than one page');
        const { tools } = await peer.client.listTools();
        assert.deepEqual(names(tools), peer.modern || peer.aggregates ? names(found) : names(found).slice(0, tools.length));
        peer.tools = found;
    });
    await check('list prompts', async () => {
        const { found, count } = await pages(peer, 'prompts/list', 'prompts');
        assert.deepEqual(names(found).slice(0, 4), [
            'test_simple_prompt',
            'test_prompt_with_arguments',
            'test_prompt_with_embedded_resource',
            'test_prompt_with_image'
        ]);
        assert.deepEqual(found[1].arguments.map(argument => [argument.name, argument.required]), [
            ['arg1', true],
            ['arg2', true]
        ]);
        assert.ok(count > 1, 'more than one page');
    });
    await check('list resources', async () => {
        const { found } = await pages(peer, 'resources/list', 'resources');
        assert.deepEqual(
            found.map(one => [one.uri, one.mimeType]),
            [
                ['test://static-text', 'text/plain'],
                ['test://static-binary', 'image/png'],
                [WATCHED, 'text/plain']
            ]
        );
        assert.ok(found.every(one => one.name && one.description));
    });
    await check('list resource templates', async () => {
        const { found } = await pages(peer, 'resources/templates/list', 'resourceTemplates');
        assert.equal(found.length, 1);
        assert.equal(found[0].uriTemplate, 'test://template/{id}/data');
        assert.equal(found[0].mimeType, 'application/json');
    });
    await check('a cursor of nobody', () => refused(peer.request('tools/list', { cursor: 'no such cursor' }), -32602));
}

async function calls(peer) {
    await check('call: text', async () => {
        const result = await peer.call('test_simple_text');
        assert.deepEqual(result.content, text('This is a simple text response for testing.'));
        assert.ok(!result.isError);
    });
    await check('call: arguments come back as they were', async () => {
        const message = 'Grüße, 世界 🌍 "quoted" \\ \n \u2028 \u0000 end';
        assert.deepEqual((await peer.call('echo', { message })).content, text(message));
        const long = 'x'.repeat(300000);
        assert.deepEqual((await peer.call('echo', { message: long })).content, text(long));
    });
    await check('call: image', async () => {
        const [image] = (await peer.call('test_image_content')).content;
        assert.equal(image.type, 'image');
        assert.equal(image.mimeType, 'image/png');
        assert.deepEqual([...Buffer.from(image.data, 'base64').subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    });
    if (since(peer, '2025-03-26')) {
        await check('call: audio', async () => {
            const [audio] = (await peer.call('test_audio_content')).content;
            assert.equal(audio.type, 'audio');
            assert.equal(audio.mimeType, 'audio/wav');
            assert.equal(Buffer.from(audio.data, 'base64').subarray(0, 4).toString(), 'RIFF');
        });
    } else if (peer.projects) {
        await check('call: audio, which this revision lacks, is told of in a text', async () => {
            const [substitute] = (await peer.call('test_audio_content')).content;
            assert.equal(substitute.type, 'text');
            assert.match(substitute.text, /audio\/wav/);
        });
    }
    await check('call: embedded resource', async () => {
        const { content } = await peer.call('test_embedded_resource');
        const resource = {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.'
        };
        assert.deepEqual(content, [{ type: 'resource', resource }]);
    });
    await check('call: several contents', async () => {
        const { content } = await peer.call('test_multiple_content_types');
        assert.deepEqual(content.map(one => one.type), ['text', 'image', 'resource']);
        assert.deepEqual(content[0].text, 'Multiple content types test:');
        assert.equal(content[2].resource.uri, 'test://mixed-content-resource');
        assert.deepEqual(JSON.parse(content[2].resource.text), { test: 'data', value: 123 });
    });
    await check('call: an error of the tool', async () => {
        const result = await peer.call('test_error_handling');
        assert.equal(result.isError, true);
        assert.deepEqual(result.content, text('This tool intentionally returns an error for testing'));
    });
    await check('call: unknown tool', () => refused(peer.call('no_such_tool'), -32602, /no_such_tool/));
    if (since(peer, '2025-11-25')) {
        await check('call: bad arguments are an error that the model sees', async () => {
            const result = await peer.call('echo', { message: 5 });
            assert.equal(result.isError, true);
            assert.match(result.content[0].text, /message/);
        });
    } else {
        await check('call: bad arguments', () => refused(peer.call('echo', { message: 5 }), -32602, /message/));
    }
    await check('unknown method', async () => {
        const asked = peer.request('no/such/method', {});
        if (!peer.url || !peer.modern) return refused(asked, -32601);
        await assert.rejects(asked, /-32601/); // its status is 404, which the SDK tells in the place of the error
        assert.match(String(peer.wire.errors.pop()), /-32601/);
    });
}

async function reads(peer) {
    const read = async uri => (await peer.client.readResource({ uri })).contents;
    await check('read: text', async () => {
        assert.deepEqual(await read('test://static-text'), [
            {
                uri: 'test://static-text',
                mimeType: 'text/plain',
                text: 'This is the content of the static text resource.'
            }
        ]);
    });
    await check('read: binary', async () => {
        const [{ uri, mimeType, blob }] = await read('test://static-binary');
        assert.deepEqual([uri, mimeType], ['test://static-binary', 'image/png']);
        assert.equal(Buffer.from(blob, 'base64').subarray(1, 4).toString(), 'PNG');
    });
    await check('read: template', async () => {
        const [{ uri, mimeType, text }] = await read('test://template/123/data');
        assert.deepEqual([uri, mimeType], ['test://template/123/data', 'application/json']);
        assert.deepEqual(JSON.parse(text), { id: '123', templateTest: true, data: 'Data for ID: 123' });
    });
    await check('read: unknown resource', async () => {
        await assert.rejects(peer.client.readResource({ uri: NO_SUCH }), { data: { uri: NO_SUCH } });
        const { error } = peer.wire.received.at(-1); // the SDK 2.x tells its caller -32602 in either case
        assert.equal(error.code, peer.modern || !peer.projects ? -32602 : -32002, error.message);
    });
}

async function prompts(peer) {
    const get = async (name, args) => (await peer.client.getPrompt({ name, arguments: args })).messages;
    await check('get: prompt', async () => {
        const messages = await get('test_simple_prompt');
        assert.deepEqual(messages, [{ role: 'user', content: text('This is a simple prompt for testing.')[0] }]);
    });
    await check('get: prompt with arguments', async () => {
        const [{ content }] = await get('test_prompt_with_arguments', { arg1: 'hello', arg2: 'world' });
        assert.equal(content.text, "Prompt with arguments: arg1='hello', arg2='world'");
    });
    await check('get: prompt with a resource', async () => {
        const [first, second] = await get('test_prompt_with_embedded_resource', { resourceUri: 'test://example' });
        assert.equal(first.content.type, 'resource');
        assert.equal(first.content.resource.uri, 'test://example');
        assert.equal(first.content.resource.mimeType, 'text/plain');
        assert.equal(second.content.type, 'text');
    });
    await check('get: prompt with an image', async () => {
        const [first, second] = await get('test_prompt_with_image');
        assert.deepEqual([first.content.type, first.content.mimeType], ['image', 'image/png']);
        assert.equal(second.content.type, 'text');
    });
    await check('get: unknown prompt', () => refused(get('no_such_prompt'), -32602, /no_such_prompt/));
    if (peer.projects) {
        await check('get: a missing argument', () =>
            refused(get('test_prompt_with_arguments', { arg1: 'hello' }), -32602, /arg2/));
    }
    await check('complete', async () => {
        const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
        const { completion } = await peer.client.complete({ ref, argument: { name: 'arg1', value: 'par' } });
        assert.deepEqual(completion.values, ['paris', 'park', 'party']);
        const none = await peer.client.complete({ ref, argument: { name: 'arg1', value: 'zz' } });
        assert.deepEqual(none.completion.values, []);
    });
}

async function logs(peer) {
    const messages = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];
    const heard = [];
    peer.onNotification('notifications/message', ({ params }) => heard.push([params.level, params.data]));
    const call = level => peer.call('test_tool_with_logging', {}, peer.modern && level ? { [LOG_LEVEL]: level } : undefined);
    await check('log: what was asked for', async () => {
        if (!peer.modern) await peer.client.setLoggingLevel('debug');
        await call('debug');
        await until('three log messages', () => heard.length === 3);
        assert.deepEqual(heard, messages.map(data => ['info', data]));
    });
    await check('log: nothing below the level', async () => {
        heard.length = 0;
        if (!peer.modern) await peer.client.setLoggingLevel('error');
        await call('error');
        await peer.call('test_simple_text');
        assert.deepEqual(heard, []);
    });
    if (peer.modern) {
        await check('log: nothing where the request names no level', async () => {
            await call(undefined);
            await peer.call('test_simple_text');
            assert.deepEqual(heard, []);
        });
    }
}

async function progressAndCancel(peer) {
    await check('progress', async () => {
        const told = [];
        const onprogress = ({ progress, total }) => told.push([progress, total]);
        await peer.call('test_tool_with_progress', {}, undefined, { onprogress });
        assert.deepEqual(told, [
            [0, 100],
            [50, 100],
            [100, 100]
        ]);
    });
    await check('cancel', async () => {
        const controller = new AbortController();
        const started = Date.now();
        const call = peer.call('test_slow', { ms: 20000 }, undefined, { signal: controller.signal });
        setTimeout(() => controller.abort('changed my mind'), 50);
        await assert.rejects(call);
        if (!peer.url || !peer.modern) { // else the end of the stream says it
            await until('the cancellation', () => peer.wire.sent.some(one => one.method === 'notifications/cancelled'));
        }
        assert.deepEqual((await peer.call('echo', { message: 'still here' })).content, text('still here'));
        await sleep(100);
        const { id } = peer.wire.sent.findLast(one => one.params?.arguments?.ms === 20000);
        assert.equal(peer.wire.answerTo(id), undefined, 'a cancelled request is not answered');
        assert.ok(Date.now() - started < 5000);
    });
    await check('32 calls in flight', async () => {
        const slow = Array.from({ length: 16 }, (_, i) => peer.call('test_slow', { ms: (16 - i) * 10 }));
        const fast = Array.from({ length: 16 }, (_, i) => peer.call('echo', { message: `number ${i}` }));
        const results = await Promise.all([...slow, ...fast]);
        results.slice(0, 16).forEach((result, i) => assert.deepEqual(result.content, text(`waited ${(16 - i) * 10} ms`)));
        results.slice(16).forEach((result, i) => assert.deepEqual(result.content, text(`number ${i}`)));
        const answered = peer.wire.received.filter(one => one.result !== undefined).slice(-32).map(one => one.id);
        const { id } = peer.wire.sent.findLast(one => one.params?.arguments?.ms === 160);
        assert.notEqual(answered[0], id, 'the first that was asked waits for nobody');
    });
}

// The server ends the stream before the answer, where the revision lets the client come back for it.
async function comesBack(peer) {
    await check('the answer of a stream that the server ends early', async () => {
        const { content } = await peer.call('test_reconnection');
        assert.deepEqual(content, text('Reconnection test completed'));
    });
}

async function questions(peer) {
    const says = async (name, args) => {
        peer.asked.length = 0;
        const result = await peer.call(name, args);
        assert.ok(!result.isError, JSON.stringify(result));
        return result.content[0].text;
    };
    await check('sampling', async () => {
        assert.equal(await says('test_sampling', { prompt: 'Good morning' }), 'LLM response: heard: Good morning');
        assert.equal(peer.asked[0].params.maxTokens, 100);
        assert.equal(await says('test_input_required_result_sampling'), 'Paris');
    });
    await check('roots', async () => {
        assert.equal(await says('test_input_required_result_list_roots'), 'Roots: file:///work, file:///home');
        if (!peer.modern) await peer.client.sendRootsListChanged();
    });
    if (!since(peer, '2025-06-18')) {
        if (peer.projects) {
            await check('elicitation, which this revision lacks, is an error', () =>
                refused(peer.call('test_elicitation', { message: 'Who are you?' }), -32600, /elicitation/));
        }
        return;
    }
    await check('elicitation', async () => {
        const said = async message => await says('test_elicitation', { message });
        assert.equal(
            await said('Who are you?'),
            'User response: action=accept, content={"username":"ada","email":"ada@example.org"}'
        );
        assert.equal(await said('Go away?'), 'User response: action=decline, content={}');
        assert.equal(await said('Ever seen?'), 'User response: action=cancel, content={}');
    });
    await check('input rounds: one question', async () => {
        assert.equal(await says('test_input_required_result_elicitation'), 'Hello, Ada!');
        assert.equal(peer.asked.length, 1);
    });
    await check('input rounds: with state', async () => {
        assert.match(await says('test_input_required_result_request_state'), /state-ok/);
    });
    await check('input rounds: three questions at once', async () => {
        assert.equal(await says('test_input_required_result_multiple_inputs'), 'Ada, Paris, 2 root(s)');
        assert.deepEqual(peer.asked.map(one => one.method).sort(), [
            'elicitation/create',
            'roots/list',
            'sampling/createMessage'
        ]);
    });
    await check('input rounds: one after the other', async () => {
        assert.equal(await says('test_input_required_result_multi_round'), 'Ada likes green');
        assert.deepEqual(peer.asked.map(one => one.params.message), [
            'What is your name?',
            'What is your favorite color?'
        ]);
    });
    if (peer.modern) {
        await check('input rounds: of a prompt', async () => {
            const { messages } = await peer.client.getPrompt({ name: 'test_input_required_result_prompt' });
            assert.equal(messages[0].content.text, 'Context: testing');
        });
    }
    if (peer.projects && !since(peer, '2025-11-25')) {
        await check('elicitation: a default that this revision lacks is left out', async () => {
            await says('test_elicitation_sep1034_defaults');
            const { properties } = peer.asked[0].params.requestedSchema;
            const having = Object.keys(properties).filter(name => 'default' in properties[name]);
            assert.deepEqual(having, ['verified']);
        });
        await check('elicitation: a choice that this revision lacks is an error that names it', () =>
            refused(peer.call('test_elicitation_sep1330_enums'), -32603, /untitledMulti/, /2025-06-18/));
    }
    if (peer.projects && since(peer, '2025-11-25')) {
        await check('elicitation: defaults', async () => {
            const said = await says('test_elicitation_sep1034_defaults');
            const [, content] = /^Elicitation completed: action=accept, content=(.*)$/.exec(said);
            assert.deepEqual(JSON.parse(content), {
                name: 'John Doe',
                age: 30,
                score: 95.5,
                status: 'active',
                verified: true
            });
        });
        await check('elicitation: every kind of choice', async () => {
            await says('test_elicitation_sep1330_enums');
            const { properties } = peer.asked[0].params.requestedSchema;
            assert.deepEqual(properties.untitledSingle.enum, ['option1', 'option2', 'option3']);
            assert.deepEqual(properties.titledSingle.oneOf.map(one => one.const), ['value1', 'value2', 'value3']);
            assert.deepEqual(properties.legacyEnum.enumNames.length, 3);
            assert.deepEqual(properties.untitledMulti.items.enum, ['option1', 'option2', 'option3']);
            assert.deepEqual(properties.titledMulti.items.anyOf.map(one => one.const), ['value1', 'value2', 'value3']);
        });
    }
}

// Input rounds of 2026-07-28 by hand: answers that do not fit, and a state that was tampered with.
async function roundsByHand(peer) {
    const ask = (name, more) =>
        peer.request('tools/call', { name, arguments: {}, ...more }, { allowInputRequired: true });
    const confirmed = { confirm: { action: 'accept', content: { ok: true } } };
    await check('input rounds: a wrong key is asked for again', async () => {
        const first = await ask('test_input_required_result_elicitation');
        assert.equal(first.resultType, 'input_required');
        const again = await ask('test_input_required_result_elicitation', {
            inputResponses: { wrong_key: { action: 'accept', content: { name: 'Ada' } } },
            ...(first.requestState && { requestState: first.requestState })
        });
        assert.equal(again.resultType, 'input_required');
        assert.deepEqual(Object.keys(again.inputRequests), ['user_name']);
    });
    await check('input rounds: a state that was tampered with', async () => {
        const { requestState } = await ask('test_input_required_result_request_state');
        assert.ok(requestState);
        const spoilt = { inputResponses: confirmed, requestState: `${requestState}-TAMPERED` };
        await refused(ask('test_input_required_result_request_state', spoilt), -32602);
    });
    if (!peer.projects) return;
    await check('input rounds: only what the client declared', async () => {
        const { inputRequests } = await ask('test_input_required_result_capabilities', {
            _meta: { 'io.modelcontextprotocol/clientCapabilities': { sampling: {} } }
        });
        const methods = Object.values(inputRequests).map(one => one.method);
        assert.deepEqual(methods, ['sampling/createMessage']);
    });
    await check('a capability that is missing', async () => {
        const error = await refused(
            ask('test_missing_capability', { _meta: { 'io.modelcontextprotocol/clientCapabilities': {} } }),
            -32021
        );
        assert.deepEqual(error.data?.requiredCapabilities, { sampling: {} });
    });
}

function hearChanges(peer) {
    const heard = [];
    for (const kind of ['tools/list_changed', 'prompts/list_changed', 'resources/updated']) {
        peer.onNotification(`notifications/${kind}`, ({ params }) => heard.push([kind, params?.uri]));
    }
    return heard;
}

async function changesByListening(peer) {
    const heard = hearChanges(peer);
    await check('listen', async () => {
        const filter = { toolsListChanged: true, resourceSubscriptions: [WATCHED] };
        const subscription = await peer.client.listen(filter);
        assert.deepEqual(subscription.honoredFilter, filter);
        await peer.call('test_trigger_tool_change');
        await peer.call('test_trigger_prompt_change');
        await peer.call('test_trigger_resource_update');
        await until('two notifications', () => heard.length === 2);
        assert.deepEqual(heard, [
            ['tools/list_changed', undefined],
            ['resources/updated', WATCHED]
        ]);
        const id = peer.wire.sent.findLast(one => one.method === 'subscriptions/listen').id;
        for (const kind of ['subscriptions/acknowledged', 'tools/list_changed', 'resources/updated']) {
            const [notification] = peer.wire.notifications(`notifications/${kind}`);
            assert.equal(notification.params._meta['io.modelcontextprotocol/subscriptionId'], id, kind);
        }
        await subscription.close();
        assert.equal(await subscription.closed, 'local');
        heard.length = 0;
        await peer.call('test_trigger_tool_change');
        await sleep(100);
        assert.deepEqual(heard, [], 'nothing after the end of the subscription');
    });
}

async function changesBySubscribing(peer) {
    const heard = hearChanges(peer);
    await check('lists that change', async () => {
        await peer.call('test_trigger_tool_change');
        await peer.call('test_trigger_prompt_change');
        await until('two notifications', () => heard.length === 2);
        assert.deepEqual(heard.map(([kind]) => kind), ['tools/list_changed', 'prompts/list_changed']);
    });
    await check('subscribe', async () => {
        heard.length = 0;
        if (peer.projects) {
            await peer.call('test_trigger_resource_update');
            await sleep(50);
            assert.deepEqual(heard, [], 'nothing before it is subscribed');
        }
        await peer.client.subscribeResource({ uri: WATCHED });
        await peer.call('test_trigger_resource_update');
        await until('a notification', () => heard.length === 1);
        assert.deepEqual(heard, [['resources/updated', WATCHED]]);
        await peer.client.unsubscribeResource({ uri: WATCHED });
        if (peer.projects) {
            await peer.call('test_trigger_resource_update');
            await sleep(50);
            assert.equal(heard.length, 1, 'nothing after it is unsubscribed');
        }
    });
}

// Members that a revision lacks are not on the wire.
async function onlyWhatTheRevisionHas(peer) {
    await check('nothing that the revision lacks', () => {
        const results = peer.wire.results();
        if (peer.modern) {
            assert.ok(results.every(result => typeof result.resultType === 'string'));
            assert.ok(results.filter(result => result.tools).every(result => result.ttlMs >= 0 && result.cacheScope));
            assert.ok(!peer.wire.received.some(message => message.method !== undefined && message.id !== undefined));
            return;
        }
        for (const name of ['resultType', 'ttlMs', 'cacheScope']) {
            assert.ok(!results.some(result => name in result), name);
        }
        if (!peer.projects) return;
        const echo = peer.tools.find(tool => tool.name === 'echo');
        assert.equal(echo.annotations?.readOnlyHint, since(peer, '2025-03-26') ? true : undefined);
        assert.equal(echo.title, since(peer, '2025-06-18') ? 'Echo' : undefined);
    });
}

export async function battery(peer) {
    await lists(peer);
    await calls(peer);
    await reads(peer);
    await prompts(peer);
    await logs(peer);
    await progressAndCancel(peer);
    await questions(peer);
    if (peer.url) await comesBack(peer);
    if (peer.modern) {
        await roundsByHand(peer);
        await changesByListening(peer);
    } else {
        await check('ping', async () => assert.deepEqual(await peer.client.ping(), {}));
        await changesBySubscribing(peer);
    }
    await onlyWhatTheRevisionHas(peer);
    await (peer.url ? endOfSession : endOfServer)(peer);
}

async function endOfServer(peer) {
    await check('close', async () => {
        const child = peer.wire.transport._process; // no public member tells how the server ended
        const started = Date.now();
        const ended = new Promise(resolve =>
            child.once('exit', (code, signal) => resolve({ code, signal, ms: Date.now() - started }))
        );
        await peer.client.close(); // this waits for the end of its pipes, too, which others may hold
        const { ms, ...how } = await ended;
        assert.deepEqual(how, { code: 0, signal: null });
        assert.ok(ms < CLOSE_MS, 'the server goes when its input ends');
    });
}

// Over HTTP the server stays, and what was a session is none any more.
async function endOfSession(peer) {
    await check('close', async () => {
        const { sessionId } = peer.wire.transport;
        assert.equal(sessionId === undefined, peer.modern, 'who has a handshake has a session');
        if (sessionId !== undefined) await peer.wire.transport.terminateSession();
        peer.client.onerror = undefined; // it tells that it has closed its streams
        await peer.client.close();
        if (sessionId === undefined) return;
        const { status } = await fetch(peer.url, {
            method: 'GET',
            headers: { Accept: 'text/event-stream', 'Mcp-Session-Id': sessionId }
        });
        assert.equal(status, 404);
    });
}
