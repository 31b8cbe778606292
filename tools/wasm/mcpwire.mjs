// SPDX-License-Identifier: MIT
// Checks and converts messages of the Model Context Protocol, with mcpwire.wasm beside this file. index.d.ts says what each
// function takes and gives.

const OUTPUT = 1;
const ERRORS = 2;
const NO_TEXT = -1;
const FAILED = 2; // the exit status of a command that could not do its work
const POINTER = 4; // bytes of an address in the module
const KEPT_MEMORY = 64 * 1024 * 1024; // a module that has grown beyond it gives its memory back
const RANDOM_PIECE = 65536; // the most that getRandomValues fills at once

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export class McpwireError extends Error {
  constructor(message, complaints = []) {
    super(message);
    this.name = "McpwireError";
    this.complaints = complaints;
  }
}

function bytesOf(text) {
  if (typeof text === "string") {
    return encoder.encode(text);
  }
  if (text instanceof ArrayBuffer) {
    return new Uint8Array(text);
  }
  if (ArrayBuffer.isView(text)) {
    return new Uint8Array(text.buffer, text.byteOffset, text.byteLength);
  }
  throw new TypeError("a text is a string, or its UTF-8 in an ArrayBuffer or a view of one");
}

function joined(pieces) {
  let length = 0;
  for (const piece of pieces) {
    length += piece.length;
  }
  const all = new Uint8Array(length);
  length = 0;
  for (const piece of pieces) {
    all.set(piece, length);
    length += piece.length;
  }
  return decoder.decode(all);
}

// The functions that one instance of the module calls, and the texts of the command that it runs.
class Host {
  constructor(fillRandomly) {
    this.fillRandomly = fillRandomly;
    this.patterns = new Map();
    this.lastPattern = 0;
    this.exports = undefined;
    this.begin({});
  }

  begin(texts) {
    this.texts = new Map(Object.entries(texts).map(([name, text]) => [name, bytesOf(text)]));
    this.opened = [];
    this.written = { [OUTPUT]: [], [ERRORS]: [] };
  }

  view(at, length) {
    return new Uint8Array(this.exports.memory.buffer, at >>> 0, length >>> 0);
  }

  string(at, length) {
    return decoder.decode(this.view(at, length));
  }

  imports() {
    return {
      write: (stream, at, length) => void this.written[stream].push(this.view(at, length).slice()),
      open: (at, length) => {
        const bytes = this.texts.get(this.string(at, length));
        return bytes === undefined ? NO_TEXT : this.opened.push({ bytes, at: 0 }) - 1;
      },
      read: (text, to, length) => {
        const from = this.opened[text];
        const piece = from.bytes.subarray(from.at, from.at + (length >>> 0));
        this.view(to, piece.length).set(piece);
        from.at += piece.length;
        return piece.length;
      },
      random: (to, length) => {
        for (let done = 0; done < length; done += RANDOM_PIECE) {
          this.fillRandomly(this.view(to + done, Math.min(RANDOM_PIECE, length - done)));
        }
      },
      pattern_new: (at, length, message, size) => this.newPattern(this.string(at, length), message, size),
      pattern_match: (pattern, at, length) => Number(this.patterns.get(pattern).test(this.string(at, length))),
      pattern_free: (pattern) => void this.patterns.delete(pattern),
    };
  }

  newPattern(source, message, size) {
    try {
      this.patterns.set(++this.lastPattern, new RegExp(source, "u"));
      return this.lastPattern;
    } catch (error) {
      const room = this.view(message, size);
      const { written } = encoder.encodeInto(error.message, room.subarray(0, room.length - 1));
      room[written] = 0;
      return 0;
    }
  }
}

// Places the arguments as C has them: their addresses, then their texts. Returns where they stand.
function place(host, args) {
  const texts = args.map((arg) => encoder.encode(String(arg)));
  const table = (texts.length + 1) * POINTER;
  const size = texts.reduce((sum, text) => sum + text.length + 1, table);
  const at = host.exports.mcpwire_alloc(size) >>> 0;
  if (at === 0) {
    throw new McpwireError("out of memory");
  }
  const block = host.view(at, size).fill(0);
  const addresses = new DataView(block.buffer, at, table);
  let used = table;
  texts.forEach((text, i) => {
    addresses.setUint32(i * POINTER, at + used, true);
    block.set(text, used);
    used += text.length + 1;
  });
  return at;
}

function linesOf(text) {
  return text.split("\n").filter((line) => line !== "");
}

// The texts that a command opens, each with a name of its own.
class Texts {
  constructor() {
    this.all = {};
  }

  add(name, text) {
    while (Object.hasOwn(this.all, name)) {
      name += "'";
    }
    this.all[name] = text;
    return name;
  }
}

function textOfSchema(schema) {
  const isText = typeof schema === "string" || schema instanceof ArrayBuffer || ArrayBuffer.isView(schema);
  return isText ? schema : JSON.stringify(schema);
}

function addOverlays(args, texts, overlays, own) {
  (overlays ?? []).forEach((overlay, i) => {
    const name = own.includes(overlay) ? overlay : texts.add(`overlay ${i + 1}`, textOfSchema(overlay));
    args.push(`--overlay=${name}`);
  });
}

function addValues(args, options, names) {
  for (const [member, option] of names) {
    const value = options[member];
    if (value === true) {
      args.push(option);
    } else if (value !== undefined && value !== false) {
      args.push(`${option}=${value}`);
    }
  }
}

const LIMITS = [
  ["maxBytes", "--max-bytes"],
  ["maxDepth", "--max-depth"],
  ["maxOpen", "--max-open"],
];
const VALIDATE_OPTIONS = [
  ["revision", "--revision"],
  ["type", "--type"],
  ["like", "--like"],
  ["ndjson", "--ndjson"],
  ["message", "--message"],
  ["split", "--split"],
  ["allErrors", "--all-errors"],
  ["errorsOnly", "--errors-only"],
  ["strict", "--strict"],
  ...LIMITS,
];
const CONVERT_OPTIONS = [["from", "--from"], ["to", "--to"], ...LIMITS];

function refuseUnknown(options, known) {
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new TypeError(`there is no option ${name}; there are ${known.join(", ")}`);
    }
  }
}

// Removes the name of the command, which stands before each line that it writes for people.
function complaintsOf(lines) {
  return lines.map((line) => line.replace(/^mcpwire: /, ""));
}

export class Mcpwire {
  #module;
  #fillRandomly;
  #host;
  #about;

  constructor(module, fillRandomly) {
    this.#module = module;
    this.#fillRandomly = fillRandomly;
    const host = this.#instance();
    host.begin({});
    host.exports.mcpwire_about();
    this.#about = Object.freeze(JSON.parse(joined(host.written[OUTPUT])));
  }

  get version() {
    return this.#about.version;
  }

  get defaultRevision() {
    return this.#about.defaultRevision;
  }

  revisions() {
    return [...this.#about.revisions];
  }

  overlays() {
    return [...this.#about.overlays];
  }

  #instance() {
    if (this.#host === undefined) {
      const host = new Host(this.#fillRandomly);
      host.exports = new WebAssembly.Instance(this.#module, { mcpwire: host.imports() }).exports;
      host.exports._initialize();
      this.#host = host;
    }
    return this.#host;
  }

  run(args, texts = {}) {
    const bad = args.find((arg) => String(arg).includes("\0"));
    if (bad !== undefined) {
      throw new TypeError("an argument has no character U+0000");
    }
    const host = this.#instance();
    const command = host.exports[`mcpwire_${args[0]}`];
    if (command === undefined || !["validate", "convert", "report"].includes(args[0])) {
      throw new TypeError(`there is no command ${args[0]}`);
    }
    this.#host = undefined; // one that stops in the middle is not used again
    host.begin(texts);
    const at = place(host, args);
    const status = command(args.length, at);
    host.exports.mcpwire_free(at);
    const result = { status, output: joined(host.written[OUTPUT]), errors: joined(host.written[ERRORS]) };
    host.begin({});
    if (host.exports.memory.buffer.byteLength <= KEPT_MEMORY) {
      this.#host = host;
    }
    return result;
  }

  validate(text, options = {}) {
    refuseUnknown(options, [...VALIDATE_OPTIONS.map(([name]) => name), "name", "overlays", "jsonSchema", "schema"]);
    const args = ["validate", "--format=json"];
    const texts = new Texts();
    const name = texts.add(options.name ?? "-", text);
    addValues(args, options, VALIDATE_OPTIONS);
    addOverlays(args, texts, options.overlays, this.#about.overlays);
    if (options.jsonSchema !== undefined) {
      args.push(`--json-schema=${texts.add("jsonSchema", textOfSchema(options.jsonSchema))}`);
    }
    if (options.schema !== undefined) {
      args.push(`--schema=${texts.add("schema", textOfSchema(options.schema))}`);
    }
    const { status, output, errors } = this.run([...args, "--", name], texts.all);
    const complaints = complaintsOf(linesOf(errors));
    if (status === FAILED) {
      throw new McpwireError(complaints.join("\n"), complaints);
    }
    const values = linesOf(output).map((line) => JSON.parse(line));
    const { summary } = values.pop();
    return { valid: status === 0, values, summary, complaints };
  }

  convert(text, options) {
    refuseUnknown(options, [...CONVERT_OPTIONS.map(([name]) => name), "name", "overlays"]);
    const args = ["convert", "--report=json"];
    const texts = new Texts();
    const name = texts.add(options.name ?? "-", text);
    addValues(args, options, CONVERT_OPTIONS);
    addOverlays(args, texts, options.overlays, this.#about.overlays);
    const { status, output, errors } = this.run([...args, "--", name], texts.all);
    const lines = linesOf(errors);
    const complaints = complaintsOf(lines.filter((line) => !line.startsWith("{")));
    if (status === FAILED) {
      throw new McpwireError(complaints.join("\n"), complaints);
    }
    const losses = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    const { summary } = losses.pop();
    return { complete: status === 0, text: output, losses, summary, complaints };
  }

  report(text, options = {}) {
    refuseUnknown(options, ["name", "to", "strict", "redact"]);
    const texts = new Texts();
    const name = texts.add(options.name ?? "-", text);
    const args = options.to === undefined ? ["report"] : ["convert", "--format=html"];
    addValues(args, options, [
      ["to", "--to"],
      ["redact", "--redact"],
      ...(options.to === undefined ? [["strict", "--strict"]] : []),
    ]);
    const { output, errors } = this.run([...args, "--", name], texts.all);
    const complaints = complaintsOf(linesOf(errors));
    if (output === "") {
      throw new McpwireError(complaints.join("\n"), complaints);
    }
    return { page: output, events: JSON.parse(dataOf(output)), complaints };
  }
}

// The data of a page, in which no text of a message can end their element.
function dataOf(page) {
  return page.split('id="report">')[1].split("<\/script>")[0];
}

async function responseOf(source) {
  const response = await (source instanceof Response ? source : fetch(source));
  if (!response.ok) {
    throw new McpwireError(`cannot load ${response.url}: ${response.status} ${response.statusText}`);
  }
  return response;
}

async function compiled(source) {
  if (source instanceof WebAssembly.Module) {
    return source;
  }
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return WebAssembly.compile(source);
  }
  if (source instanceof URL && source.protocol === "file:" && globalThis.process?.versions?.node !== undefined) {
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
    return WebAssembly.compile(await readFile(source));
  }
  return WebAssembly.compile(await (await responseOf(source)).arrayBuffer());
}

async function randomSource() {
  const crypto =
    globalThis.crypto ?? (await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:crypto")).webcrypto;
  return (bytes) => {
    // Memory of WebAssembly may be shared or grow, which getRandomValues refuses.
    const own = new Uint8Array(bytes.length);
    crypto.getRandomValues(own);
    bytes.set(own);
  };
}

export async function load(source = new URL("mcpwire.wasm", import.meta.url)) {
  return new Mcpwire(await compiled(source), await randomSource());
}
