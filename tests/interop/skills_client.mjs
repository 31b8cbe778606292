// SPDX-License-Identifier: MIT
// The TypeScript SDK's client of skills. Usage: node skills_client.mjs COMMAND [ARGUMENT...]
// Reads every file of every skill that the server lists, each verified, and every directory. Prints JSON.
import { Client } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [command, ...args] = process.argv.slice(2);
const client = new Client(
    { name: 'skills-client', version: '1.0.0' },
    {
        capabilities: { extensions: { 'io.modelcontextprotocol/skills': {} } },
        versionNegotiation: { mode: { pin: '2026-07-28' } }
    }
);
await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
const skills = new SkillsClient(client);
const listing = await skills.list();
const out = { supported: skills.supported, directoryRead: skills.directoryRead, skills: [] };
for (const entry of listing.skills) {
    const { skill } = await skills.get(entry.uri);
    const main = await skills.read(skill);
    const one = { uri: skill.uri, frontmatter: main.frontmatter, verified: main.verified, files: {}, directories: {} };
    for (const { uri } of skill.resources === 'dynamic' ? [] : skill.resources) {
        const file = await skills.read(skill, uri);
        one.files[uri] = Buffer.from(file.bytes).toString('base64');
    }
    const queue = skill.resources === 'dynamic' ? [] : [skill.uri.slice(0, -'/SKILL.md'.length)];
    while (queue.length > 0) {
        const directory = queue.shift();
        const { resources } = await skills.readDirectory(directory);
        one.directories[directory] = resources.map(child => child.name);
        queue.push(...resources.filter(child => child.mimeType === 'inode/directory').map(child => child.uri));
    }
    out.skills.push(one);
}
console.log(JSON.stringify(out));
await client.close();
