// Reads JSON into nodes that keep what JSON.parse loses: digits of numbers, members that occur twice, and their order.
const DEEPEST = 200;
const CONTAINERS = {"{": ["object", "}"], "[": ["array", "]"]};

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail() {
    throw new SyntaxError("no JSON at " + this.at);
  }

  blank() {
    while (" \t\r\n".includes(this.text[this.at] || "x")) {
      this.at++;
    }
    return this.text[this.at];
  }

  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) {
      this.fail();
    }
    this.at = pattern.lastIndex;
    return found[0];
  }

  string() {
    const from = this.at++;
    for (;;) {
      const end = this.text.indexOf('"', this.at);
      if (end < 0) {
        this.fail();
      }
      let slashes = end;
      while (this.text[slashes - 1] === "\\") {
        slashes--;
      }
      this.at = end + 1;
      if ((end - slashes) % 2 === 0) {
        return JSON.parse(this.text.slice(from, this.at));
      }
    }
  }

  value(depth) {
    const first = this.blank();
    if (CONTAINERS[first]) {
      return depth < DEEPEST ? this.container(...CONTAINERS[first], depth) : this.fail();
    }
    if (first === '"') {
      return {kind: "string", value: this.string()};
    }
    if (/[-0-9]/.test(first || "")) {
      return {kind: "number", value: this.take(/-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/y)};
    }
    return {kind: "word", value: this.take(/true|false|null/y)};
  }

  container(kind, end, depth) {
    const node = {kind, items: []};
    this.at++;
    if (this.blank() === end) {
      this.at++;
      return node;
    }
    for (;;) {
      let key = String(node.items.length);
      if (kind === "object") {
        if (this.blank() !== '"') {
          this.fail();
        }
        key = this.string();
        if (this.blank() !== ":") {
          this.fail();
        }
        this.at++;
      }
      const item = this.value(depth + 1);
      item.key = key;
      node.items.push(item);
      const next = this.blank();
      this.at++;
      if (next === end) {
        return node;
      }
      if (next !== ",") {
        this.fail();
      }
    }
  }
}

// The root of a text; null: it is no JSON, or too deep.
function readJson(text) {
  try {
    const reader = new Reader(text);
    const root = reader.value(0);
    return reader.blank() === undefined ? root : null;
  } catch (error) {
    return null;
  }
}

// The nodes from the root to the one at a JSON pointer, or to the last one that is there.
function pathTo(root, pointer) {
  const path = [root];
  if (!pointer.startsWith("/")) {
    return path;
  }
  for (const token of pointer.slice(1).split("/")) {
    const name = token.replace(/~1/g, "/").replace(/~0/g, "~");
    const next = (path[path.length - 1].items || []).find((item) => item.key === name);
    if (!next) {
      break;
    }
    path.push(next);
  }
  return path;
}
