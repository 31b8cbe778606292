// SPDX-License-Identifier: MIT
// The TypeScript SDK's server of the skills of a directory. Usage: node skills_server.mjs DIRECTORY
import { McpServer } from '@modelcontextprotocol/server';
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const catalog = await loadSkills(process.argv[2]);
await serveStdio(() => {
    const server = new McpServer({ name: 'skills-server', version: '1.0.0' });
    catalog.attach(server);
    return server;
});
