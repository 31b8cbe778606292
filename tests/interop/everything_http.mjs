// SPDX-License-Identifier: MIT
// The reference server over HTTP, at a port that is free. It prints its port, and nothing else on its output.
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const free = createServer();
await new Promise(resolve => free.listen(0, resolve));
const { port } = free.address();
await new Promise(resolve => free.close(resolve));

process.env.PORT = String(port);
process.argv[2] = 'streamableHttp';
console.log = console.error;
await import('./node_modules/@modelcontextprotocol/server-everything/dist/index.js');

const listens = () =>
    new Promise(resolve => {
        const socket = connect(port, 'localhost', () => (socket.destroy(), resolve(true)));
        socket.on('error', () => resolve(false));
    });
while (!(await listens())) await sleep(10);
process.stdout.write(`${port}\n`);
