// SPDX-License-Identifier: MIT
// The functions of the package, as a program calls them.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { load, Mcpwire, McpwireError } from "mcpwire-wasm";

const mcpwire = await load();
const module = new URL(import.meta.resolve("mcpwire-wasm/mcpwire.wasm"));
const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}';
const nameless = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}';

test("it names its revisions, oldest first", () => {
  assert.deepEqual(mcpwire.revisions(), ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]);
  assert.equal(mcpwire.defaultRevision, "2026-07-28");
  assert.ok(mcpwire.overlays().includes("2026-07-28-tasks"));
  assert.match(mcpwire.version, /^\d+\.\d+\.\d+$/);
});

test("a list that a program changes is its own", () => {
  mcpwire.revisions().pop();
  assert.equal(mcpwire.revisions().length, 5);
});

test("a valid message is valid", () => {
  const { valid, values, summary, complaints } = mcpwire.validate(call, { revision: "2025-11-25" });
  assert.deepEqual([valid, values[0].valid, summary.values, complaints], [true, true, 1, []]);
});

test("an error says where and what", () => {
  const { valid, values } = mcpwire.validate(nameless, { revision: "2025-11-25", name: "request.json" });
  assert.equal(valid, false);
  assert.equal(values[0].file, "request.json");
  assert.equal(values[0].errors[0].pointer, "/params");
  assert.equal(values[0].errors[0].offset, nameless.indexOf("{}") + 1);
});

test("offsets are bytes of UTF-8", () => {
  const [{ errors }] = mcpwire.validate('{"grün":1}', { type: "Tool" }).values;
  assert.equal(errors[0].offset, 10);
});

test("the result is checked by its request", () => {
  const text = `${call}\n{"jsonrpc":"2.0","id":1,"result":{}}\n`;
  const { values } = mcpwire.validate(text, { ndjson: true, revision: "2025-11-25" });
  assert.deepEqual(values.map(({ line, valid }) => [line, valid]), [[1, true], [2, false]]);
});

test("a text may be its bytes", () => {
  const bytes = new TextEncoder().encode(call);
  assert.ok(mcpwire.validate(bytes).valid);
  assert.ok(mcpwire.validate(bytes.buffer).valid);
  assert.throws(() => mcpwire.validate(7), TypeError);
});

test("bytes that are no UTF-8 are an error of the value", () => {
  assert.equal(mcpwire.validate(new Uint8Array([0x22, 0xff, 0x22]), { jsonSchema: true }).valid, false);
});

test("a schema may be an object or a text", () => {
  const jsonSchema = { type: "string", pattern: "^\\p{Lu}" };
  assert.ok(mcpwire.validate('"Ärger"', { jsonSchema }).valid);
  assert.ok(!mcpwire.validate('"ärger"', { jsonSchema: JSON.stringify(jsonSchema) }).valid);
});

test("an overlay may be one's own", () => {
  const text = '{"jsonrpc":"2.0","id":1,"method":"x"}';
  assert.throws(() => mcpwire.validate(text, { overlays: [{ no: "overlay" }] }), McpwireError);
  assert.ok(mcpwire.validate(text, { revision: "2026-07-28", overlays: ["2026-07-28-tasks"] }).values.length === 1);
});

test("losses of a conversion are named", () => {
  const { text, complete, losses } = mcpwire.convert(call, { from: "2025-11-25", to: "2026-07-28" });
  assert.ok(complete);
  assert.equal(JSON.parse(text).params._meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
  assert.deepEqual([...new Set(losses.map(({ what }) => what))], ["defaulted"]);
});

test("what the other revision cannot express is left out", () => {
  const text = '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}';
  const result = mcpwire.convert(text, { from: "2026-07-28", to: "2024-11-05" });
  assert.deepEqual([result.complete, result.text, result.losses[0].what], [false, "", "unsayable"]);
});

test("what is asked wrongly throws the words of the command", () => {
  assert.throws(() => mcpwire.convert(call, {}), { name: "McpwireError", message: /convert needs --to/ });
  assert.throws(() => mcpwire.validate(call, { revision: "1999-01-01" }), /there is no revision "1999-01-01"/);
  assert.throws(() => mcpwire.validate(call, { maxDepth: 0 }), /--max-depth/);
  assert.throws(() => mcpwire.validate(call, { pretty: true }), /there is no option pretty/);
  assert.throws(() => mcpwire.run(["tap"]), TypeError);
  assert.throws(() => mcpwire.run(["validate", "a\0b"]), TypeError);
});

test("a name cannot be an option, nor hide another text", () => {
  assert.equal(mcpwire.validate(call, { name: "--quiet" }).values[0].file, "--quiet");
  assert.equal(mcpwire.validate("1", { name: "jsonSchema", jsonSchema: { type: "string" } }).valid, false);
});

test("it works on after a text that took much memory", () => {
  const long = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"${"x".repeat(50_000_000)}"}}`;
  assert.ok(mcpwire.validate(long).valid);
  assert.ok(mcpwire.validate(call).valid);
});

test("a text that is too long is refused", () => {
  const [{ errors }] = mcpwire.validate(call, { maxBytes: 10 }).values;
  assert.equal(errors[0].code, "MCPW_E_SIZE");
});

test("the module may be given", async () => {
  const bytes = await readFile(module);
  for (const source of [bytes, new WebAssembly.Module(bytes), new Response(bytes), module, `data:application/wasm;base64,${bytes.toString("base64")}`]) {
    const loaded = await load(source);
    assert.ok(loaded instanceof Mcpwire);
    assert.ok(loaded.validate(call).valid);
  }
  await assert.rejects(load(new Response("", { status: 404 })), McpwireError);
});
