// SPDX-License-Identifier: MIT
// Runs commands in the module, which the package beside it has: a JSON array of {args, texts} from standard input, the
// texts in base64, becomes one of {status, output, errors}.
import { readFileSync } from "node:fs";
import { load } from "mcpwire-wasm";

const mcpwire = await load();
const bytesOf = (texts) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text, "base64")]));
const cases = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(cases.map(({ args, texts }) => mcpwire.run(args, bytesOf(texts)))));
