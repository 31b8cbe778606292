// SPDX-License-Identifier: MIT
// The part that both client scripts share: their command line, a transport that remembers every message, named checks.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

export { assert, sleep };

// Options, and the link to the server: --url URL, or its command after "--".
export function commandLine(options) {
    const end = process.argv.indexOf('--');
    if (end < 0 && process.argv.includes('--url')) {
        const { values } = parseArgs({ options: { ...options, url: { type: 'string' } } });
        return { ...values, url: new URL(values.url) };
    }
    if (end < 0 || end + 1 === process.argv.length) {
        throw new Error(`usage: node ${process.argv[1]} [OPTION...] (--url URL | -- COMMAND [ARGUMENT...])`);
    }
    const { values } = parseArgs({ args: process.argv.slice(2, end), options });
    const [command, ...args] = process.argv.slice(end + 1);
    return { ...values, server: { command, args, stderr: 'pipe', env: { ...process.env } } };
}

// Remembers what passes through a transport, and lets rewrite change what is sent.
export class Wire {
    sent = [];
    received = [];
    lines = []; // both, in order
    stderr = '';
    errors = [];

    constructor(transport, rewrite = message => message) {
        this.transport = transport;
        const send = transport.send.bind(transport);
        transport.send = (message, options) => {
            const written = rewrite(message);
            this.#note(this.sent, 'client', written);
            return send(written, options);
        };
        transport.stderr?.on('data', text => (this.stderr += text));
    }

    // Once the client has put its own callback there.
    watch() {
        const onmessage = this.transport.onmessage;
        this.transport.onmessage = (message, extra) => {
            this.#note(this.received, 'server', message);
            onmessage(message, extra);
        };
    }

    #note(list, from, message) {
        const copy = JSON.parse(JSON.stringify(message));
        list.push(copy);
        this.lines.push({ from, message: copy });
    }

    answerTo(id) {
        return this.received.find(message => message.id === id && message.method === undefined);
    }

    notifications(method) {
        return this.received.filter(message => message.id === undefined && message.method === method);
    }

    results() {
        return this.received.filter(message => message.result !== undefined).map(message => message.result);
    }
}

// Waits until something is true, for what arrives on its own.
export async function until(what, condition, ms = 3000) {
    const end = Date.now() + ms;
    while (!condition()) {
        assert.ok(Date.now() < end, `waited ${ms} ms for ${what}`);
        await sleep(5);
    }
}

// Runs checks one after the other and says each by name; the first that fails ends the run.
export async function check(name, run) {
    try {
        await run();
    } catch (error) {
        console.log(`not ok ${name}`);
        throw error;
    }
    console.log(`ok ${name}`);
}

// Runs the whole of a script: prints what both sides said when it fails.
export async function main(wire, run) {
    const watchdog = setTimeout(() => fail(new Error('the script took more than 25 s')), 25000);
    const fail = error => {
        console.log(`FAILED: ${error.stack ?? error}`);
        const tail = wire.lines.slice(-6).map(({ from, message }) => `  ${from}: ${JSON.stringify(message).slice(0, 600)}`);
        console.log(`last messages:\n${tail.join('\n')}`);
        console.log(`errors that the client reported: ${wire.errors.map(String).join('; ') || 'none'}`);
        console.log(`the server's standard error:\n${wire.stderr || '(empty)'}`);
        process.exit(1);
    };
    try {
        await run();
        assert.deepEqual(wire.errors.map(String), [], 'errors that the client reported');
    } catch (error) {
        fail(error);
    }
    clearTimeout(watchdog);
    process.exit(0);
}
