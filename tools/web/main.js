// The data come from the page itself, or from a tap that is running.
const PAUSE = 150; // ms after the last key of a search

const page = {
  search: document.getElementById("search"),
  filter: document.getElementById("filter"),
  revision: document.getElementById("revision"),
  passes: () => true,
  timer: 0,
};

function count(number, word) {
  return number.toLocaleString("en") + " " + word + (number === 1 ? "" : "s");
}

function showCounts() {
  const all = model.entries.length - 1;
  const hidden = model.rows.length - model.shown.length;
  const parts = [count(all, "message"), count(model.findings, "finding"), count(model.errors, "error")];
  if (hidden > 0) {
    parts.push(count(hidden, "row") + " hidden");
  }
  if (model.lost > 0) {
    parts.push(count(model.lost, "message") + " lost");
  }
  document.getElementById("counts").textContent = parts.join(", ");
}

function applyFilter() {
  const row = detail.row;
  page.passes = filterOf(page.search.value, page.filter.value);
  model.shown = model.rows.filter(page.passes);
  list.chosen = row ? model.shown.indexOf(row) : -1;
  showCounts();
  redraw();
}

function offerRevisions() {
  const all = ["", ...[...model.revisions].sort()];
  if (all.length === page.revision.options.length) {
    return;
  }
  page.revision.replaceChildren(...all.map((name) => new Option(name || "its own revision", name)));
  page.revision.value = all.length === 2 ? all[1] : detail.revision;
  detail.revision = page.revision.value;
  document.getElementById("revisions").hidden = all.length < 2;
}

// Takes objects of a trace, and shows the rows that they add.
function takeAll(events) {
  let changed = false;
  for (const event of events) {
    const rows = model.rows.length;
    const row = take(event);
    if (row && model.rows.length > rows && page.passes(row)) {
      model.shown.push(row);
    } else if (row && page.filter.value !== "all" && !model.shown.includes(row) && page.passes(row)) {
      changed = true; /* an answer or a finding lets an older row pass */
    }
    if (row && row === detail.row) {
      showRowDetail(row);
    }
  }
  offerRevisions();
  if (changed) {
    applyFilter();
  }
  showCounts();
  redraw();
}

// Takes the events of a tap in heaps, one a frame.
function listen(url) {
  let heap = [];
  list.follows = true;
  const source = new EventSource(url);
  source.onmessage = (event) => {
    if (event.lastEventId === "0") {
      reset(); /* the stream begins again */
    }
    heap.push(JSON.parse(event.data));
    if (heap.length === 1) {
      setTimeout(() => {
        const taken = heap;
        heap = [];
        takeAll(taken);
      }, 16);
    }
  };
  source.addEventListener("end", () => source.close());
}

function start(data) {
  if (Array.isArray(data)) {
    takeAll(data);
    document.title = model.file ? "mcpwire: " + model.file : "mcpwire";
    if (model.shown.length > 0) {
      const first = model.shown.findIndex(FILTERS.findings);
      choose(Math.max(0, first));
    }
  } else if (data.events) {
    listen(data.events);
  } else if (data.playground) {
    document.getElementById("input").hidden = false; // play.js begins when the module is there
  }
}

page.search.addEventListener("input", () => {
  clearTimeout(page.timer);
  page.timer = setTimeout(applyFilter, PAUSE);
});
page.search.addEventListener("keydown", (event) => {
  if (event.key === "Escape" || event.key === "Enter") {
    page.search.value = event.key === "Escape" ? "" : page.search.value;
    clearTimeout(page.timer);
    applyFilter();
    list.box.focus();
  }
});
page.filter.addEventListener("change", applyFilter);
page.revision.addEventListener("change", () => {
  detail.revision = page.revision.value;
  showRowDetail(detail.row);
  redraw();
});
document.getElementById("next").addEventListener("click", () => chooseFinding(1));
document.addEventListener("keydown", (event) => {
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.altKey || event.metaKey) {
    return;
  }
  if (event.key === "/") {
    page.search.focus();
    event.preventDefault();
  } else if (event.key === "f" || event.key === "F") {
    chooseFinding(event.key === "f" ? 1 : -1);
  }
});
start(JSON.parse(document.getElementById("report").textContent));
list.box.focus();
