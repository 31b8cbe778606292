// SPDX-License-Identifier: MIT
// Makes a JSON Schema of the types in a TypeScript file, by the tool that the specification's own build uses.
//   node typescript.cjs PACKAGE FILE [strict-null]
// PACKAGE is the folder of typescript-json-schema. The output is one JSON object: `errors` of the compiler, or
// `failed`, or the `schema`, with `warnings`, and with the `namespace` that all types are in.
"use strict";

const vm = require("vm");
const [, , tool, file, nulls] = process.argv;
const MOST_ERRORS = 20;
const LEFT_OUT = "null is left out, as the specification's build does it: use @nullable, or --strict-null-checks";
const warnings = [];

function place(source, start) {
  const { line, character } = source.getLineAndCharacterOfPosition(start);
  return { file: source.fileName, line: line + 1, column: character + 1 };
}

function errorsOf(ts, program) {
  return ts.getPreEmitDiagnostics(program).map((each) => ({
    ...(each.file ? place(each.file, each.start) : { file }),
    text: ts.flattenDiagnosticMessageText(each.messageText, " "),
  }));
}

// Warns of types that may be null, because the tool leaves null out of them.
function warnOfNulls(ts, source) {
  const isNull = (node) => ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword;
  const hasTag = (node) => ts.getJSDocTags(node).some((tag) => tag.tagName.text === "nullable");
  const isStated = (node) => node !== undefined && (hasTag(node) || isStated(node.parent));
  const look = (node) => {
    if (ts.isUnionTypeNode(node) && node.types.some(isNull) && !isStated(node)) {
      warnings.push({ ...place(source, node.getStart(source)), text: LEFT_OUT });
    }
    ts.forEachChild(node, look);
  };
  look(source);
}

function namespaceOf(ts, source) {
  const kinds = [ts.isInterfaceDeclaration, ts.isTypeAliasDeclaration, ts.isEnumDeclaration, ts.isClassDeclaration];
  const isNamespace = (node) => ts.isModuleDeclaration(node) && ts.isIdentifier(node.name);
  const named = source.statements.filter((each) => isNamespace(each) || kinds.some((is) => is(each)));
  const names = new Set(named.map((each) => (isNamespace(each) ? each.name.text : "")));
  return names.size === 1 ? [...names][0] : "";
}

// Comments may name a file by require(), and older versions evaluate initializers of members.
// Both are refused, because types do not need them.
function forbidExecution() {
  const refuse = (what) => {
    throw new Error(`${what} would be run, which is refused`);
  };
  module.constructor.prototype.require = (name) => refuse(`require("${name}")`);
  vm.runInNewContext = vm.runInThisContext = vm.runInContext = () => refuse("an initializer");
}

function schemaOf(ts, api) {
  const strictNullChecks = nulls === "strict-null";
  const program = api.getProgramFromFiles([file], { skipLibCheck: true, strictNullChecks, types: [] });
  const errors = errorsOf(ts, program);
  if (errors.length > 0) {
    return { errors: errors.slice(0, MOST_ERRORS), more: Math.max(errors.length - MOST_ERRORS, 0) };
  }
  const source = program.getSourceFile(file);
  if (!strictNullChecks) {
    warnOfNulls(ts, source);
  }
  const settings = { required: true, defaultNumberType: "integer", ignoreErrors: true, strictNullChecks };
  return { schema: api.generateSchema(program, "*", settings, [file]), namespace: namespaceOf(ts, source) };
}

function made() {
  try {
    const api = require(tool);
    const ts = require(require.resolve("typescript", { paths: [tool] }));
    console.warn = console.error = (text) => warnings.push({ file, text: String(text) });
    forbidExecution();
    return schemaOf(ts, api);
  } catch (error) {
    return { failed: String(error.message).split("\n")[0] };
  }
}

process.stdout.write(JSON.stringify({ ...made(), warnings }));
