// One message or two, with findings at their place.
const LONGEST = 2000; // characters of a string that are shown at once
const MORE = 50000; // those that a click adds
const WIDEST = 200; // items of an array or object that are shown at once
const OPEN = 4; // levels that are open at first
const MOST_LINKED = 100; // entries of a stream or task that have a button

const detail = {box: document.getElementById("detail"), revision: "", row: null};

function longText(parent, className, text) {
  const span = element("span", className, text.slice(0, LONGEST));
  parent.append(span);
  let shown = LONGEST;
  if (text.length > shown) {
    const more = button("", () => {
      write(span, text.slice(shown, shown + MORE));
      shown += MORE;
      more.textContent = (text.length - shown).toLocaleString("en") + " more characters";
      more.hidden = shown >= text.length;
    });
    more.textContent = (text.length - shown).toLocaleString("en") + " more characters";
    parent.append(more);
  }
}

function scalar(parent, node) {
  const quote = node.kind === "string" ? '"' : "";
  parent.append(quote);
  longText(parent, node.kind + " value", node.value);
  parent.append(quote);
}

function foundAt(node) {
  return (node.findings || []).map((each) => {
    const made = element("div", "found " + each.severity, each.severity + " " + each.code + ": " + each.message);
    made.tabIndex = -1;
    each.element = made;
    return made;
  });
}

function items(inner, node, depth, from) {
  const to = Math.min(node.items.length, from + WIDEST);
  for (let i = from; i < to; i++) {
    inner.append(nodeElement(node.items[i], depth + 1, node.kind === "object"));
  }
  if (to < node.items.length) {
    const more = button(node.items.length - to + " more", () => {
      more.remove();
      items(inner, node, depth, to);
    });
    inner.append(more);
  }
}

function nodeElement(node, depth, named) {
  const made = element("div");
  const name = named ? element("span", "key value", node.key) : null;
  if (!node.items || node.items.length === 0) {
    const line = element("div", "leaf");
    if (name) {
      line.append(name, ": ");
    }
    if (node.items) {
      line.append(node.kind === "object" ? "{}" : "[]");
    } else {
      scalar(line, node);
    }
    made.append(line, ...foundAt(node));
    return made;
  }
  const line = element("div");
  const inner = element("div", "inner");
  const toggle = button("", () => {
    open(inner.hidden);
  });
  function open(wanted) {
    if (wanted && inner.childElementCount === 0) {
      items(inner, node, depth, 0);
    }
    inner.hidden = !wanted;
    toggle.textContent = wanted ? "\u25be" : "\u25b8";
    toggle.setAttribute("aria-expanded", String(wanted));
  }
  toggle.className = "open";
  toggle.setAttribute("aria-label", named ? "member" : node.kind);
  line.append(toggle);
  if (name) {
    line.append(name, ": ");
  }
  const count = node.items.length;
  line.append(element("span", "faint", node.kind === "object" ? "{" + count + "}" : "[" + count + "]"));
  made.append(line, ...foundAt(node), inner);
  open(depth < OPEN || node.leads === true);
  return made;
}

// The pointer of a finding within the text of its entry, which may be an item of a batch.
function pointerIn(entry, finding) {
  return entry.item === undefined ? finding.pointer : finding.pointer.replace(/^\/[0-9]+/, "");
}

function treeOf(text, findings, pointer) {
  const box = element("div", "tree");
  const root = readJson(text);
  if (!root) {
    longText(box, "value", text);
    return box;
  }
  for (const finding of findings) {
    const path = pathTo(root, pointer(finding));
    const last = path[path.length - 1];
    path.forEach((node) => (node.leads = true));
    last.findings = (last.findings || []).concat(finding);
  }
  box.append(nodeElement(root, 0, false));
  return box;
}

function facts(entry, row) {
  const asked = row.answer === entry ? row.first : null;
  const known = [
    ["entry", "#" + entry.entry],
    ["from", entry.from],
    ["at", shownTime(entry.t) || undefined],
    ["took", (asked && shownSpan(asked.t, entry.t)) || undefined],
    ["size", entry.bytes.toLocaleString("en") + " bytes"],
    ["revision", entry.revision],
    ["id", entry.id],
    ["status", entry.status],
    ["conversation", entry.conversation],
    ["place", entry.line ? [entry.file, entry.line].filter(Boolean).join(":") : undefined],
  ];
  const made = element("dl");
  for (const [name, value] of known) {
    if (value !== undefined) {
      made.append(element("dt", "", name), element("dd", "", String(value)));
    }
  }
  return made;
}

function linksOf(entry) {
  const groups = [
    ["belongs to the stream of", entry.of ? [entry.of] : []],
    ["its stream", model.streams.get(entry.entry) || []],
    ["began its task", entry.task && entry.task !== entry.entry ? [entry.task] : []],
    ["about its task", model.tasks.get(entry.entry) || []],
    ["the round before", entry.after ? [entry.after] : []],
    ["the next round", model.rounds.has(entry.entry) ? [model.rounds.get(entry.entry)] : []],
  ];
  return groups
    .filter(([, numbers]) => numbers.length > 0)
    .map(([title, numbers]) => {
      const box = element("div", "links");
      box.append(element("span", "faint", title + (numbers.length > 1 ? " (" + numbers.length + ")" : "")));
      for (const number of numbers.slice(0, MOST_LINKED)) {
        const other = model.entries[number];
        box.append(button("#" + number + (other ? " " + titleOf(other).slice(0, 60) : ""), () => chooseEntry(number)));
      }
      return box;
    });
}

function findingsOf(entry) {
  const made = element("ul");
  for (const each of entry.findings) {
    const item = element("li", each.severity);
    item.append(
      button(each.severity + " " + each.code + ": " + each.message, () => {
        if (each.element && each.element.isConnected) {
          each.element.focus();
          each.element.scrollIntoView({block: "center"});
        }
      }),
      element("span", "faint", " " + each.pointer + (each.offset === undefined ? "" : " (byte " + each.offset + ")")),
    );
    made.append(item);
  }
  return made;
}

function convertedOf(entry) {
  const side = (entry.converted || []).find((each) => each.to === detail.revision);
  if (!side) {
    return [];
  }
  const changes = side.changes.map((each) => ({
    severity: "note",
    code: each.what,
    message: each.message || "",
    pointer: each.pointer,
  }));
  const made = [element("h3", "", "In " + side.to)];
  const list = element("ul");
  for (const each of side.changes) {
    list.append(element("li", "note", each.what + " " + each.pointer + (each.message ? ": " + each.message : "")));
  }
  made.push(list);
  if (side.text === undefined) {
    made.push(element("p", "warning", "This revision has no such message."));
  } else {
    made.push(treeOf(side.text, changes, (each) => each.pointer));
  }
  return made;
}

function message(entry, row) {
  const made = element("article");
  const title = [entry.from, entry.kind, entry.method, entry.about].filter(Boolean).join(" ");
  made.append(element("h2", entry.from || "", title), facts(entry, row), ...linksOf(entry));
  if (entry.findings.length > 0) {
    made.append(element("h3", "", "Findings"), findingsOf(entry));
  }
  if (entry.text !== undefined) {
    made.append(element("h3", "", "Message"), treeOf(entry.text, entry.findings, (each) => pointerIn(entry, each)));
  }
  made.append(...convertedOf(entry));
  return made;
}

function showRowDetail(row) {
  detail.row = row;
  detail.box.replaceChildren(...(row ? entriesOf(row).map((entry) => message(entry, row)) : []));
  detail.box.scrollTop = 0;
}

detail.box.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    list.box.focus();
  }
});
list.onChoice = showRowDetail;
