// SPDX-License-Identifier: MIT
// A server with tasks of 2025-11-25, of the TypeScript SDK, over stdio or, with a port, over HTTP.
// Usage: tasks_v1.mjs PACKAGES [PORT]
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [packages, port] = process.argv.slice(2);
const require = createRequire(`${packages}/package.json`);
const load = async (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { McpServer } = await load("server/mcp.js");
const { StdioServerTransport } = await load("server/stdio.js");
const { InMemoryTaskStore, InMemoryTaskMessageQueue } = await load("experimental/tasks/stores/in-memory.js");
const { z } = await import(pathToFileURL(require.resolve("zod")));

const ttl = 60000;
const pollInterval = 300;
const taskStore = new InMemoryTaskStore();
const text = (words) => ({ content: [{ type: "text", text: words }] });
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Runs the work of a tool in a task; what it throws is its failure.
const asTask = (work) => ({
  createTask: async (args, extra) => {
    const task = await extra.taskStore.createTask({ ttl: extra.taskRequestedTtl ?? ttl, pollInterval });
    void (async () => {
      try {
        await extra.taskStore.storeTaskResult(task.taskId, "completed", await work(args, extra, task.taskId));
      } catch (why) {
        await extra.taskStore.storeTaskResult(task.taskId, "failed", { ...text(String(why)), isError: true });
      }
    })();
    return { task };
  },
  getTask: async (_, extra) => extra.taskStore.getTask(extra.taskId),
  getTaskResult: async (_, extra) => extra.taskStore.getTaskResult(extra.taskId),
});

const server = () => {
  const made = new McpServer(
    { name: "tasks-v1", version: "1" },
    {
      capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      taskStore,
      taskMessageQueue: new InMemoryTaskMessageQueue(),
    },
  );
  const add = (name, taskSupport, work) =>
    made.experimental.tasks.registerToolTask(name, { inputSchema: {}, execution: { taskSupport } }, asTask(work));
  add("slow", "required", async () => {
    await pause(700);
    return text("slow work");
  });
  add("endless", "optional", async () => {
    await pause(600000);
    return text("never");
  });
  add("broken", "required", async () => {
    throw new Error("it broke");
  });
  made.registerTool("plain", { inputSchema: {} }, async () => text("plain work"));
  return made;
};

if (port === undefined) {
  await server().connect(new StdioServerTransport());
} else {
  const { createMcpExpressApp } = await load("server/express.js");
  const { StreamableHTTPServerTransport } = await load("server/streamableHttp.js");
  const sessions = new Map();
  const app = createMcpExpressApp();
  app.all("/mcp", async (request, response) => {
    let transport = sessions.get(request.headers["mcp-session-id"]);
    if (transport === undefined) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      await server().connect(transport);
    }
    await transport.handleRequest(request, response, request.body);
  });
  const listening = app.listen(Number(port), "127.0.0.1", () => console.log(listening.address().port));
}
