// SPDX-License-Identifier: MIT

/** A text as a string, or its UTF-8. A surrogate without its partner in a string becomes U+FFFD. */
export type Text = string | ArrayBuffer | ArrayBufferView;

/** A revision of the protocol, such as "2025-11-25". */
export type Revision = string;

export interface Limits {
  /** The longest value, in bytes of UTF-8. Default: 64 MiB. */
  maxBytes?: number;
  /** The deepest nesting, at most 512. Default: 128. */
  maxDepth?: number;
  /** The most requests that are remembered until their response. Default: 1000000. */
  maxOpen?: number;
}

export interface Source {
  /** The name of the text in the result. Default: "-". */
  name?: string;
  /**
   * Extensions and drafts on top of the revisions: names of `overlays()`, or overlays and schemas of extensions
   * as text or as objects. At most 16.
   */
  overlays?: readonly (Text | object)[];
}

export interface ValidateOptions extends Limits, Source {
  /** "auto", the default for messages: each session says which it is in. */
  revision?: Revision | "auto";
  /** Checks values of this definition of the revision, such as "CallToolResult", instead of messages. */
  type?: string;
  /** Checks values by this JSON Schema (2020-12, 2019-09 or draft-07) instead. */
  jsonSchema?: Text | object | boolean;
  /** Checks messages by this schema of the protocol, as the specification publishes it. */
  schema?: Text | object;
  /** The revision that says which result a method has, with `schema`. */
  like?: Revision;
  /** A value on each line. Without it the text is one value. */
  ndjson?: boolean;
  /** The place of the message in a line that holds several: a JSON pointer. */
  message?: string;
  /** Tells the sessions of a text apart: a JSON pointer to their name in a line; needs `ndjson`. */
  split?: string;
  /** Reports every error of a value, not only the first. */
  allErrors?: boolean;
  /** Reports no valid values and no notes. */
  errorsOnly?: boolean;
  /** Also refuses what only the specification's prose forbids, and asserts formats. */
  strict?: boolean;
}

export interface ValueError {
  /** A JSON pointer from the value's root; "" is the root. */
  pointer: string;
  /** A status of mcpwire, such as "MCPW_E_MISSING". */
  code: string;
  message: string;
  /** In bytes of UTF-8, from the beginning of the line or of the text. */
  offset: number;
}

export interface Note {
  pointer: string;
  message: string;
}

export interface CheckedValue {
  file: string;
  /** From 1; of the first error, if the text is one value. */
  line: number;
  /** The revision of the message, if none was given. */
  revision?: Revision;
  valid: boolean;
  errors: ValueError[];
  notes?: Note[];
}

export interface ValidateSummary {
  files: number;
  values: number;
  invalid: number;
  notes: number;
  files_not_read: number;
  files_empty: number;
  sessions?: number;
  /** The number of values of each revision. */
  revisions: Record<Revision, number>;
}

export interface ValidateResult {
  /** True if there are values, and all are valid. */
  valid: boolean;
  values: CheckedValue[];
  summary: ValidateSummary;
  /** Hints and warnings for people. */
  complaints: string[];
}

export interface ConvertOptions extends Limits, Source {
  /** "auto", the default: each session says which it is in. */
  from?: Revision | "auto";
  to: Revision;
}

/** A change or an omission. */
export interface Loss {
  file: string;
  line: number;
  /** The message was left out if it is "unsayable" in the target, or "invalid" in the source. */
  what: "dropped" | "defaulted" | "substituted" | "unsayable" | "invalid";
  /** A JSON pointer from the root of the line. */
  pointer: string;
  message?: string;
}

export interface ConvertSummary {
  messages: number;
  written: number;
  dropped: number;
  defaulted: number;
  substituted: number;
  unsayable: number;
  invalid: number;
}

export interface ConvertResult {
  /** True if there are messages, and all were written. */
  complete: boolean;
  /** The converted messages, one on each line. */
  text: string;
  losses: Loss[];
  summary: ConvertSummary;
  complaints: string[];
}

export interface ReportOptions {
  /** The name of the text in the report; "-" if it is not given. */
  name?: string;
  /** Adds what each message is in this revision. */
  to?: Revision;
  /** Reports also what only the specification's prose forbids; not with `to`. */
  strict?: boolean;
  /** Leaves the values of messages out. */
  redact?: boolean;
}

export interface ReportResult {
  /** The page as HTML, which needs nothing else. */
  page: string;
  /** The objects that the page shows, as tools/trace.h describes them. */
  events: object[];
  complaints: string[];
}

export interface RunResult {
  /** The exit status: 0 success, 1 a negative result, 2 failure. */
  status: number;
  /** The output of the command: standard output, and standard error. */
  output: string;
  errors: string;
}

/** Wrong options, or a text that could not be checked or converted to its end. */
export class McpwireError extends Error {
  complaints: string[];
}

export class Mcpwire {
  private constructor();
  /** The version of mcpwire. */
  readonly version: string;
  /** The revision of values of a type if none is given. */
  readonly defaultRevision: Revision;
  /** The revisions of the protocol, oldest first. */
  revisions(): Revision[];
  /** The names of the extensions and drafts that come with mcpwire. */
  overlays(): string[];
  /** Checks the messages, or other values, of a text: `mcpwire validate --format json`. */
  validate(text: Text, options?: ValidateOptions): ValidateResult;
  /** Converts messages, one on each line, to another revision: `mcpwire convert --report=json`. */
  convert(text: Text, options: ConvertOptions): ConvertResult;
  /**
   * A page that shows a conversation. A recording of `mcpwire tap` is held to the rules of the tap, other messages are
   * validated.
   */
  report(text: Text, options?: ReportOptions): ReportResult;
  /**
   * Runs `mcpwire validate` or `mcpwire convert` with these arguments; args[0] is the command. Its files, "-" included,
   * are the given texts, by name. Every option of the command works.
   */
  run(args: readonly string[], texts?: Record<string, Text>): RunResult;
}

/**
 * Loads the module: by default mcpwire.wasm beside index.mjs. Pass its address, a response of fetch, its bytes or the compiled
 * module to load it from elsewhere.
 */
export function load(source?: URL | string | Response | BufferSource | WebAssembly.Module): Promise<Mcpwire>;
