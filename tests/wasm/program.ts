// SPDX-License-Identifier: MIT
// A program that TypeScript checks against the types of the package.
import { load, Mcpwire, McpwireError } from "mcpwire-wasm";
import type { ConvertResult, Loss, Revision, RunResult, Text, ValidateOptions, ValidateResult, ValueError } from "mcpwire-wasm";

export async function use(text: Text, response: Response, module: WebAssembly.Module): Promise<number> {
  const mcpwire: Mcpwire = await load();
  const others = await Promise.all([load(response), load(module), load(new URL("https://example.com/mcpwire.wasm"))]);
  const names: Revision[] = [...mcpwire.revisions(), ...mcpwire.overlays(), mcpwire.version, mcpwire.defaultRevision];
  const options: ValidateOptions = { revision: "auto", ndjson: true, allErrors: true, strict: true, maxDepth: 8 };
  const result: ValidateResult = mcpwire.validate(text, options);
  const first: ValueError | undefined = result.values[0]?.errors[0];
  const converted: ConvertResult = mcpwire.convert(text, { to: "2026-07-28", overlays: ["2026-07-28-ui", { $defs: {} }] });
  const lost: Loss["what"][] = converted.losses.map((loss) => loss.what);
  const ran: RunResult = mcpwire.run(["validate", "-"], { "-": new Uint8Array() });
  try {
    mcpwire.validate(text, { jsonSchema: { type: "object" }, name: "arguments" });
  } catch (error) {
    return error instanceof McpwireError ? error.complaints.length : 0;
  }
  return others.length + names.length + (first?.offset ?? 0) + lost.length + ran.status + converted.text.length;
}

export function misuse(mcpwire: Mcpwire): void {
  // @ts-expect-error: there is no such option
  mcpwire.validate("", { pretty: true });
  // @ts-expect-error: the target is missing
  mcpwire.convert("", {});
  // @ts-expect-error: a text is no number
  mcpwire.validate(7);
  // @ts-expect-error: load makes it
  new Mcpwire();
}
