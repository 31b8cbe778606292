// The conversation: entries by number, and rows of a request with its answer.
const model = {
  entries: [null],
  rows: [],
  shown: [], // the rows that pass the filter
  streams: new Map(), // entry -> numbers of the entries of its stream
  tasks: new Map(),
  rounds: new Map(), // entry -> the request of the next round
  revisions: new Set(), // of converted sides
  findings: 0,
  errors: 0,
  lost: 0,
  file: "",
};

function reset() {
  model.entries = [null];
  model.rows = [];
  model.shown = [];
  for (const each of [model.streams, model.tasks, model.rounds, model.revisions]) {
    each.clear();
  }
  model.findings = model.errors = model.lost = 0;
}

function addTo(map, key, value) {
  if (map.has(key)) {
    map.get(key).push(value);
  } else {
    map.set(key, [value]);
  }
}

function countFindings(findings) {
  model.findings += findings.length;
  model.errors += findings.filter((each) => each.severity === "error").length;
}

function link(entry) {
  const number = entry.entry;
  if (entry.of) {
    addTo(model.streams, entry.of, number);
  }
  if (entry.task && entry.task !== number) {
    addTo(model.tasks, entry.task, number);
  }
  if (entry.after) {
    model.rounds.set(entry.after, number);
  }
  for (const side of entry.converted || []) {
    model.revisions.add(side.to);
  }
}

// Takes an object of a trace. Returns the row that it added or changed; undefined: none.
function take(event) {
  if (event.file !== undefined) {
    model.file = event.file;
  } else if (event.lost) {
    model.lost += event.lost;
  } else if (event.late && model.entries[event.late]) {
    const entry = model.entries[event.late];
    entry.findings = entry.findings.concat(event.findings);
    countFindings(event.findings);
    return entry.row;
  } else if (event.entry) {
    return takeEntry(event);
  }
  return undefined;
}

function takeEntry(entry) {
  entry.findings = entry.findings || [];
  entry.file = model.file;
  model.entries[entry.entry] = entry;
  countFindings(entry.findings);
  link(entry);
  const asked = model.entries[entry.answers];
  if (asked && asked.row && !asked.row.answer) {
    asked.row.answer = entry;
    entry.row = asked.row;
  } else {
    entry.row = {first: entry, answer: null, at: model.rows.length};
    model.rows.push(entry.row);
  }
  return entry.row;
}

function entriesOf(row) {
  return row.answer ? [row.first, row.answer] : [row.first];
}

const FILTERS = {
  all: () => true,
  findings: (row) => entriesOf(row).some((entry) => entry.findings.length > 0),
  requests: (row) => row.first.kind === "request",
  notifications: (row) => row.first.kind === "notification",
  tasks: (row) => entriesOf(row).some((entry) => entry.task),
  rounds: (row) => entriesOf(row).some((entry) => entry.asks || entry.after),
};

// A test of rows for the words and the choice of the user.
function filterOf(words, choice) {
  const pattern = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
  const has = (entry) =>
    pattern.test(entry.text || "") || entry.findings.some((each) => pattern.test(each.code + " " + each.message));
  return (row) => FILTERS[choice](row) && (words === "" || entriesOf(row).some(has));
}
