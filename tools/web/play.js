// The playground: texts of the user are looked at by the module of WebAssembly that stands in the page.
const SAMPLE = [
  {jsonrpc: "2.0", id: 1, method: "initialize", params: {protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {name: "example", version: "1.0.0"}}},
  {jsonrpc: "2.0", id: 1, result: {protocolVersion: "2025-11-25", capabilities: {tools: {}}, serverInfo: {name: "weather", version: "1.0.0"}}},
  {jsonrpc: "2.0", method: "notifications/initialized"},
  {jsonrpc: "2.0", id: 2, method: "tools/call", params: {name: "forecast", arguments: {city: "Oslo"}}},
  {jsonrpc: "2.0", id: 2, result: {content: [{type: "text", text: 5}]}},
];

const play = {
  given: document.getElementById("given"),
  file: document.getElementById("file"),
  trouble: document.getElementById("trouble"),
  mcpwire: null,
  name: "",
  text: "", // that is shown
};

// The objects of a trace of the text.
function report(options) {
  play.trouble.textContent = "";
  try {
    const {events, complaints} = play.mcpwire.report(play.text, {name: play.name, ...options});
    write(play.trouble, complaints.join("\n"));
    return events;
  } catch (error) {
    write(play.trouble, error.message);
    return [];
  }
}

// Takes the messages of the page in a revision. They are found by their lines.
function convertTo(revision) {
  const known = model.entries.find((entry) => entry && entry.converted && entry.converted.some((each) => each.to === revision));
  if (!revision || known) {
    return;
  }
  const lines = new Map();
  for (const event of report({to: revision})) {
    if (event.entry) {
      lines.set(event.line, event.converted);
    }
  }
  for (const entry of model.entries) {
    if (entry && lines.has(entry.line) && !entry.item) {
      entry.converted = (entry.converted || []).concat(lines.get(entry.line));
    }
  }
}

function look(name, text) {
  play.name = name;
  play.text = text;
  reset();
  detail.revision = page.revision.value = "";
  showRowDetail(null);
  list.chosen = -1;
  play.mcpwire.revisions().forEach((each) => model.revisions.add(each));
  takeAll(report({}));
  applyFilter();
  choose(Math.max(0, model.shown.findIndex(FILTERS.findings)));
}

async function lookAtFile(file) {
  if (file) {
    look("file", await file.arrayBuffer());
  }
}

// Begins when the module is loaded.
function startPlaying(mcpwire) {
  play.mcpwire = mcpwire;
  document.getElementById("look").addEventListener("click", () => look("text", play.given.value));
  play.file.addEventListener("change", () => lookAtFile(play.file.files[0]));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    lookAtFile(event.dataTransfer.files[0]);
  });
  page.revision.addEventListener("change", () => {
    convertTo(page.revision.value);
    showRowDetail(detail.row);
    redraw();
  });
  play.given.value = SAMPLE.map((each) => JSON.stringify(each)).join("\n");
  look("text", play.given.value);
}
const moduleBytes = Uint8Array.from(atob(document.getElementById("module").textContent), (each) => each.charCodeAt(0));
startPlaying(await load(moduleBytes));
