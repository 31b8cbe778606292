// SPDX-License-Identifier: MIT
// A server of both eras on the TypeScript SDK 2.x, with the same names as fixture.c: what our client is tried on,
// and what shows that the client scripts themselves are right.
// Usage: node server_v2.mjs [--page-size N] [--legacy reject] [--http ERA]
//   --http ERA       over HTTP: modern, without sessions, or legacy, in sessions; it prints its port
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
    createMcpHandler, createRequestStateCodec, inputRequired, inputResponse, ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const { values: options } = parseArgs({
    options: {
        'page-size': { type: 'string', default: '0' },
        legacy: { type: 'string', default: 'serve' },
        http: { type: 'string' }
    }
});
const pageSize = Number(options['page-size']);
const PNG =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const WATCHED = 'test://watched-resource';
const STEP = 100; // ms between notifications: a client of the SDK that reads one and the result at once loses it

const states = createRequestStateCodec({ key: 'a key of thirty-two bytes, or more', ttlSeconds: 600 });
const sleep = (ms, signal) =>
    new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener('abort', () => (clearTimeout(timer), reject(new Error('cancelled'))));
    });
const text = value => ({ type: 'text', text: value });
const says = (...content) => ({ content });
const object = (properties = {}, required = []) => ({ type: 'object', properties, required });
const message = (role, content) => ({ role, content });
const refuse = why => new ProtocolError(ProtocolErrorCode.InvalidParams, why);

// A question of a handler to the client: answered in a later round, or by a request of the server's.
const question = {
    name: inputRequired.elicit({
        message: 'What is your name?',
        requestedSchema: object({ name: { type: 'string' } }, ['name'])
    }),
    color: inputRequired.elicit({
        message: 'What is your favorite color?',
        requestedSchema: object({ color: { type: 'string' } }, ['color'])
    }),
    confirm: inputRequired.elicit({
        message: 'Please confirm',
        requestedSchema: object({ ok: { type: 'boolean' } }, ['ok'])
    }),
    capital: inputRequired.createMessage({
        messages: [message('user', text('What is the capital of France?'))],
        maxTokens: 100
    }),
    roots: inputRequired.listRoots()
};
const asks = (inputRequests, requestState) => inputRequired({ inputRequests, ...(requestState && { requestState }) });
const answer = (ctx, key) => inputResponse(ctx.mcpReq.inputResponses, key);
const content = (ctx, key) => answer(ctx, key).content;

let everyone; // who listens over HTTP without a session; else there is one connection to a server

const tool = (name, description, inputSchema, call) => ({ name, description, inputSchema, call });
const tools = server => [
    tool('test_simple_text', 'Answers with a text', object(), () =>
        says(text('This is a simple text response for testing.'))),
    tool('echo', 'Answers with the message', object({ message: { type: 'string' } }, ['message']), ({ message }) => {
        if (typeof message === 'string') return says(text(message));
        return { ...says(text('/arguments/message: expected string')), isError: true };
    }),
    tool('test_slow', 'Answers after a while', object({ ms: { type: 'integer' } }, ['ms']), async ({ ms }, ctx) => {
        await sleep(ms, ctx.mcpReq.signal);
        return says(text(`waited ${ms} ms`));
    }),
    tool('test_image_content', 'Answers with an image', object(), () =>
        says({ type: 'image', data: PNG, mimeType: 'image/png' })),
    tool('test_audio_content', 'Answers with a sound', object(), () =>
        says({ type: 'audio', data: WAV, mimeType: 'audio/wav' })),
    tool('test_embedded_resource', 'Answers with a resource', object(), () =>
        says({
            type: 'resource',
            resource: {
                uri: 'test://embedded-resource',
                mimeType: 'text/plain',
                text: 'This is an embedded resource content.'
            }
        })),
    tool('test_multiple_content_types', 'Answers with a text, an image and a resource', object(), () =>
        says(
            text('Multiple content types test:'),
            { type: 'image', data: PNG, mimeType: 'image/png' },
            {
                type: 'resource',
                resource: {
                    uri: 'test://mixed-content-resource',
                    mimeType: 'application/json',
                    text: '{"test":"data","value":123}'
                }
            }
        )),
    tool('test_error_handling', 'Fails', object(), () => ({
        ...says(text('This tool intentionally returns an error for testing')),
        isError: true
    })),
    tool('test_tool_with_logging', 'Logs three messages', object(), async (_, ctx) => {
        for (const what of ['started', 'processing', 'completed']) {
            const data = what === 'processing' ? 'Tool processing data' : `Tool execution ${what}`;
            await ctx.mcpReq.log('info', data);
            await sleep(STEP, ctx.mcpReq.signal);
        }
        return says(text('Logged'));
    }),
    tool('test_tool_with_progress', 'Tells progress', object(), async (_, ctx) => {
        const progressToken = ctx.mcpReq._meta?.progressToken;
        for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
            await ctx.mcpReq.notify({
                method: 'notifications/progress',
                params: { progressToken, progress, total: 100 }
            });
            await sleep(STEP, ctx.mcpReq.signal);
        }
        return says(text('Done'));
    }),
    tool('test_sampling', 'Asks the model', object({ prompt: { type: 'string' } }, ['prompt']), ({ prompt }, ctx) => {
        const reply = answer(ctx, 'reply');
        if (reply.kind !== 'sampling') {
            return asks({
                reply: inputRequired.createMessage({ messages: [message('user', text(prompt))], maxTokens: 100 })
            });
        }
        return says(text(`LLM response: ${reply.result.content.text}`));
    }),
    tool('test_elicitation', 'Asks the user', object({ message: { type: 'string' } }, ['message']), (args, ctx) => {
        const reply = answer(ctx, 'reply');
        if (reply.kind !== 'elicit') {
            const requestedSchema = object({ username: { type: 'string' }, email: { type: 'string' } });
            return asks({ reply: inputRequired.elicit({ message: args.message, requestedSchema }) });
        }
        return says(text(`User response: action=${reply.action}, content=${JSON.stringify(reply.content ?? {})}`));
    }),
    tool('test_trigger_tool_change', 'Says that the tools changed', object(), async () => {
        everyone ? everyone.toolsChanged() : await server.sendToolListChanged();
        return says(text('tools changed'));
    }),
    tool('test_trigger_prompt_change', 'Says that the prompts changed', object(), async () => {
        everyone ? everyone.promptsChanged() : await server.sendPromptListChanged();
        return says(text('prompts changed'));
    }),
    tool('test_trigger_resource_update', 'Says that the watched resource changed', object(), async () => {
        everyone ? everyone.resourceUpdated(WATCHED) : await server.sendResourceUpdated({ uri: WATCHED });
        return says(text('resource updated'));
    }),
    tool('test_input_required_result_elicitation', 'Asks for a name', object(), (_, ctx) => {
        const name = content(ctx, 'user_name')?.name;
        return typeof name === 'string' ? says(text(`Hello, ${name}!`)) : asks({ user_name: question.name });
    }),
    tool('test_input_required_result_sampling', 'Asks the model', object(), (_, ctx) => {
        const reply = answer(ctx, 'capital');
        return reply.kind === 'sampling' ? says(text(reply.result.content.text)) : asks({ capital: question.capital });
    }),
    tool('test_input_required_result_list_roots', 'Asks for the roots', object(), (_, ctx) => {
        const reply = answer(ctx, 'client_roots');
        if (reply.kind !== 'roots') return asks({ client_roots: question.roots });
        return says(text(`Roots: ${reply.roots.map(root => root.uri).join(', ')}`));
    }),
    tool('test_input_required_result_request_state', 'Keeps a state', object(), async (_, ctx) => {
        if (content(ctx, 'confirm')?.ok !== true || !ctx.mcpReq.requestState()) {
            return asks({ confirm: question.confirm }, await states.mint({ step: 1 }));
        }
        return says(text('state-ok'));
    }),
    tool('test_input_required_result_multiple_inputs', 'Asks three things at once', object(), async (_, ctx) => {
        const [name, greeting, roots] = ['user_name', 'greeting', 'client_roots'].map(key => answer(ctx, key));
        if (name.kind !== 'elicit' || greeting.kind !== 'sampling' || roots.kind !== 'roots') {
            const all = { user_name: question.name, greeting: question.capital, client_roots: question.roots };
            return asks(all, await states.mint({ step: 1 }));
        }
        return says(text(`${name.content.name}, ${greeting.result.content.text}, ${roots.roots.length} root(s)`));
    }),
    tool('test_input_required_result_multi_round', 'Asks in two rounds', object(), async (_, ctx) => {
        const state = ctx.mcpReq.requestState() ?? {};
        const name = state.name ?? content(ctx, 'step1')?.name;
        const color = content(ctx, 'step2')?.color;
        if (name === undefined) return asks({ step1: question.name }, await states.mint({}));
        if (color === undefined) return asks({ step2: question.color }, await states.mint({ name }));
        return says(text(`${name} likes ${color}`));
    })
];

const resources = [
    { uri: 'test://static-text', name: 'static-text', description: 'A text', mimeType: 'text/plain' },
    { uri: 'test://static-binary', name: 'static-binary', description: 'An image', mimeType: 'image/png' },
    { uri: WATCHED, name: 'watched-resource', description: 'A text that changes', mimeType: 'text/plain' }
];
const templates = [
    {
        uriTemplate: 'test://template/{id}/data',
        name: 'template',
        description: 'Data by number',
        mimeType: 'application/json'
    }
];
const read = uri => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id !== undefined) {
        const data = { id, templateTest: true, data: `Data for ID: ${id}` };
        return { uri, mimeType: 'application/json', text: JSON.stringify(data) };
    }
    const texts = {
        'test://static-text': { text: 'This is the content of the static text resource.' },
        'test://static-binary': { blob: PNG },
        [WATCHED]: { text: 'Watched resource content' }
    };
    const found = resources.find(resource => resource.uri === uri);
    if (!found) throw new ResourceNotFoundError(uri);
    return { uri, mimeType: found.mimeType, ...texts[uri] };
};

const prompt = (name, description, names, get) => ({
    name,
    description,
    arguments: names.map(name => ({ name, description: `Value of ${name}`, required: true })),
    get
});
const prompts = [
    prompt('test_simple_prompt', 'One text', [], () => [message('user', text('This is a simple prompt for testing.'))]),
    prompt('test_prompt_with_arguments', 'A text with two values', ['arg1', 'arg2'], ({ arg1, arg2 }) => [
        message('user', text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))
    ]),
    prompt('test_prompt_with_embedded_resource', 'A resource and a text', ['resourceUri'], ({ resourceUri }) => [
        message('user', {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' }
        }),
        message('user', text('Please process the embedded resource above.'))
    ]),
    prompt('test_prompt_with_image', 'An image and a text', [], () => [
        message('user', { type: 'image', data: PNG, mimeType: 'image/png' }),
        message('user', text('Please analyze the image above.'))
    ]),
    prompt('test_input_required_result_prompt', 'Asks for a context', [], (_, ctx) => {
        const context = content(ctx, 'user_context')?.context;
        const requestedSchema = object({ context: { type: 'string' } }, ['context']);
        return context === undefined
            ? asks({ user_context: inputRequired.elicit({ message: 'What context?', requestedSchema }) })
            : [message('user', text(`Context: ${context}`))];
    })
];

function page(key, all, params) {
    const size = pageSize || all.length || 1;
    const start = params?.cursor === undefined ? 0 : Number(params.cursor);
    if (!Number.isInteger(start) || start < 0 || start >= Math.max(all.length, 1)) throw refuse('no such cursor');
    const next = start + size;
    return { [key]: all.slice(start, next), ...(next < all.length && { nextCursor: String(next) }) };
}

function makeServer() {
    const server = new Server(
        { name: 'server-v2', version: '1.0.0' },
        {
            capabilities: {
                tools: { listChanged: true },
                prompts: { listChanged: true },
                resources: { subscribe: true, listChanged: true },
                completions: {},
                logging: {}
            },
            instructions: 'Only for tests.',
            requestState: { verify: states.verify }
        }
    );
    const table = tools(server);
    const listed = ({ call, get, ...rest }) => rest;
    server.setRequestHandler('tools/list', request => page('tools', table.map(listed), request.params));
    server.setRequestHandler('tools/call', (request, ctx) => {
        const found = table.find(one => one.name === request.params.name);
        if (!found) throw refuse(`Unknown tool: ${request.params.name}`);
        return found.call(request.params.arguments ?? {}, ctx);
    });
    server.setRequestHandler('resources/list', request => page('resources', resources, request.params));
    server.setRequestHandler('resources/templates/list', request =>
        page('resourceTemplates', templates, request.params));
    server.setRequestHandler('resources/read', request => ({ contents: [read(request.params.uri)] }));
    server.setRequestHandler('resources/subscribe', () => ({}));
    server.setRequestHandler('resources/unsubscribe', () => ({}));
    server.setRequestHandler('prompts/list', request => page('prompts', prompts.map(listed), request.params));
    server.setRequestHandler('prompts/get', async (request, ctx) => {
        const found = prompts.find(one => one.name === request.params.name);
        if (!found) throw refuse(`Unknown prompt: ${request.params.name}`);
        const messages = await found.get(request.params.arguments ?? {}, ctx);
        return Array.isArray(messages) ? { messages } : messages;
    });
    server.setRequestHandler('completion/complete', request => {
        const all = ['paris', 'park', 'party'];
        const values = all.filter(value => value.startsWith(request.params.argument.value));
        return { completion: { values, total: values.length, hasMore: false } };
    });
    return server;
}

const onerror = error => console.error(`server_v2: ${error.message}`);

function withoutSessions() {
    const handler = createMcpHandler(makeServer, { legacy: 'reject', onerror });
    everyone = handler.notify;
    return toNodeHandler(handler);
}

function inSessions() {
    const sessions = new Map();
    const open = async () => {
        const transport = new NodeStreamableHTTPServerTransport({
            sessionIdGenerator: randomUUID,
            onsessioninitialized: id => void sessions.set(id, transport),
            onsessionclosed: id => void sessions.delete(id)
        });
        await makeServer().connect(transport);
        return transport;
    };
    return async (request, response) => {
        const id = request.headers['mcp-session-id'];
        const transport = id === undefined ? await open() : sessions.get(id);
        if (transport) return transport.handleRequest(request, response);
        response.writeHead(404).end();
    };
}

if (options.http) {
    const http = createServer(options.http === 'modern' ? withoutSessions() : inSessions());
    http.listen(0, 'localhost', () => console.log(http.address().port));
} else {
    serveStdio(makeServer, { legacy: options.legacy, onerror });
}
