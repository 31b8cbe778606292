// SPDX-License-Identifier: MIT
// A host of pages in a browser: host.html?server=http://127.0.0.1:8080/mcp&tool=show_moon&date=2026-07-28
// It speaks MCP with the server over Streamable HTTP, and the messages of the apps extension with the page.
"use strict";

const REVISION = "2026-07-28";
const EXTENSION = "io.modelcontextprotocol/ui";
const PAGE_TYPE = "text/html;profile=mcp-app";
const META = "io.modelcontextprotocol/";
const query = new URLSearchParams(location.search);
const element = (id) => document.getElementById(id);

function note(who, what) {
  const item = document.createElement("li");
  item.className = who;
  item.textContent = what;
  element("log").append(item);
}

// ---- The server ----

class Server {
  #url;
  #lastId = 0;

  constructor(url) {
    this.#url = url;
  }

  // The result of a request; an Error with its code if the response is an error.
  async request(method, params = {}) {
    const id = ++this.#lastId;
    const name = params.name ?? params.uri;
    const meta = {
      [META + "protocolVersion"]: REVISION,
      [META + "clientInfo"]: { name: "moon-host", version: "1.0.0" },
      [META + "clientCapabilities"]: { extensions: { [EXTENSION]: { mimeTypes: [PAGE_TYPE] } } },
    };
    note("server", name === undefined ? method : `${method} ${name}`);
    const response = await fetch(this.#url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": REVISION,
        "Mcp-Method": method,
        ...(name === undefined ? {} : { "Mcp-Name": name }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } }),
    });
    const text = await response.text();
    const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream");
    const messages = isStream
      ? text.split("\n").filter((line) => line.startsWith("data:")).map((line) => JSON.parse(line.slice(5)))
      : [JSON.parse(text)];
    const answer = messages.find((message) => message.id === id && message.method === undefined);
    if (answer?.result === undefined) {
      throw Object.assign(new Error(answer?.error?.message ?? "no answer"), { code: answer?.error?.code });
    }
    return answer.result;
  }
}

// ---- The page ----

const NOT_FOUND = { code: -32601, message: "Method not found" };

class View {
  #server;
  #tools;
  #call;
  #resource;
  #frame = document.createElement("iframe");
  #waiting = new Map();
  #lastId = 0;
  #initialized;

  // tools: those of the server; call: {tool, arguments, result}, where the result is a promise.
  constructor(server, tools, call, resource) {
    this.#server = server;
    this.#tools = tools;
    this.#call = call;
    this.#resource = resource;
    this.#initialized = new Promise((resolve) => this.#waiting.set("initialized", { resolve }));
  }

  // Shows the page in a sandbox of another origin.
  async show(sandbox) {
    this.#frame.sandbox = "allow-scripts allow-same-origin";
    this.#frame.src = sandbox.href;
    window.addEventListener("message", (event) => {
      if (event.source === this.#frame.contentWindow && event.origin === sandbox.origin) {
        this.#receive(event.data);
      }
    });
    this.#frame.dataset.origin = sandbox.origin;
    element("view").classList.toggle("bordered", this.#resource.ui.prefersBorder !== false);
    element("view").replaceChildren(this.#frame);
    await this.#initialized;
    this.#send({ method: "ui/notifications/tool-input", params: { arguments: this.#call.arguments } });
    try {
      this.#send({ method: "ui/notifications/tool-result", params: await this.#call.result });
    } catch (error) {
      this.#send({ method: "ui/notifications/tool-cancelled", params: { reason: error.message } });
    }
  }

  // Tells the page that it ends, and removes it.
  async close() {
    await this.#request("ui/resource-teardown", { reason: "the user has closed it" });
    this.#frame.remove();
  }

  #send(message) {
    note("host", message.method ?? (message.error === undefined ? "result" : `error ${message.error.code}`));
    this.#frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, this.#frame.dataset.origin);
  }

  #request(method, params) {
    const id = `host-${++this.#lastId}`;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  async #receive(message) {
    if (message?.jsonrpc !== "2.0") {
      return;
    }
    note("page", message.method ?? "result");
    if (message.method === undefined) {
      this.#waiting.get(message.id)?.resolve(message.result);
      this.#waiting.delete(message.id);
    } else if (message.id === undefined) {
      this.#notified(message.method, message.params);
    } else {
      await this.#answer(message);
    }
  }

  async #answer({ id, method, params }) {
    try {
      const result = await this.#handle(method, params);
      this.#send(result === undefined ? { id, error: NOT_FOUND } : { id, result });
    } catch (error) {
      this.#send({ id, error: { code: error.code ?? -32603, message: error.message } });
    }
  }

  #notified(method, params) {
    if (method === "ui/notifications/sandbox-proxy-ready") {
      const { html, ui } = this.#resource;
      this.#send({
        method: "ui/notifications/sandbox-resource-ready",
        params: { html, csp: ui.csp, permissions: {} }, // this host grants no permissions
      });
    } else if (method === "ui/notifications/initialized") {
      this.#waiting.get("initialized").resolve();
    } else if (method === "ui/notifications/size-changed") {
      this.#frame.style.height = `${Math.min(params.height, 600)}px`;
    }
  }

  // The result of a request of the page; undefined: this host has no such method.
  #handle(method, params) {
    switch (method) {
      case "ui/initialize":
        return this.#describe();
      case "ping":
        return {};
      case "tools/call":
        return this.#callTool(params);
      case "resources/read":
        return this.#server.request(method, { uri: params.uri });
      case "ui/update-model-context":
        element("context").textContent = `For the model: ${params.content?.[0]?.text ?? ""}`;
        return {};
      default:
        return undefined;
    }
  }

  // A page may call the tools that are visible to it.
  #callTool({ name, arguments: given }) {
    const tool = this.#tools.find((each) => each.name === name);
    const visibility = tool?._meta?.ui?.visibility ?? ["model", "app"];
    if (tool === undefined || !visibility.includes("app")) {
      throw Object.assign(new Error(`the page may not call ${name}`), { code: -32602 });
    }
    return this.#server.request("tools/call", { name, arguments: given });
  }

  #describe() {
    return {
      protocolVersion: "2026-01-26",
      hostInfo: { name: "moon-host", version: "1.0.0" },
      hostCapabilities: {
        serverTools: {},
        serverResources: {},
        updateModelContext: { text: {} },
        sandbox: { csp: this.#resource.ui.csp ?? {}, permissions: {} },
      },
      hostContext: {
        toolInfo: { tool: this.#call.tool },
        theme: "light",
        displayMode: "inline",
        availableDisplayModes: ["inline"],
        containerDimensions: { width: this.#frame.clientWidth, maxHeight: 600 },
        locale: "en",
        platform: "web",
        userAgent: "moon-host/1.0.0",
      },
    };
  }
}

// ---- From a call to its page ----

// The page of a tool, as the server has it.
async function readPage(server, uri) {
  const { contents } = await server.request("resources/read", { uri });
  const content = contents.find((each) => each.uri === uri && each.mimeType === PAGE_TYPE);
  if (content === undefined) {
    throw new Error(`${uri} is no page`);
  }
  const decode = (blob) => new TextDecoder().decode(Uint8Array.from(atob(blob), (c) => c.codePointAt(0)));
  return { html: content.text ?? decode(content.blob), ui: content._meta?.ui ?? {} };
}

async function run() {
  const server = new Server(query.get("server"));
  const name = query.get("tool") ?? "show_moon";
  const given = { date: query.get("date") ?? new Date().toISOString().slice(0, 10) };
  element("question").textContent = `How does the moon look on ${given.date}?`;
  element("call").textContent = `${name} ${JSON.stringify(given)}`;
  const { tools } = await server.request("tools/list");
  const tool = tools.find((each) => each.name === name);
  const result = server.request("tools/call", { name, arguments: given });
  result.then(({ content }) => {
    element("text").textContent = content.map((each) => each.text ?? "").join("\n");
  });
  const uri = tool._meta?.ui?.resourceUri;
  if (uri === undefined) {
    return;
  }
  const view = new View(server, tools, { tool, arguments: given, result }, await readPage(server, uri));
  element("close").addEventListener("click", () => view.close());
  const sandbox = new URL("sandbox.html", location.href);
  sandbox.hostname = location.hostname === "localhost" ? "127.0.0.1" : "localhost"; // another origin
  await view.show(sandbox);
}

run().catch((error) => {
  element("text").textContent = error.message;
});
