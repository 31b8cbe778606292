#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// Starts the program that npm has installed for this system, and ends as it ends.
'use strict';
const { spawn } = require('node:child_process');

const system = `${process.platform}-${process.arch}`;
const name = process.platform === 'win32' ? 'mcpwire.exe' : 'mcpwire';
let program;
try {
  program = require.resolve(`mcpwire-${system}/bin/${name}`);
} catch {
  console.error(`mcpwire: there is no program for ${system}, or npm was told to leave out optional dependencies`);
  process.exit(2);
}
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
  console.error(`mcpwire: ${error.message}`);
  process.exit(2);
});
child.on('exit', (code, signal) => {
  if (signal !== null) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});
