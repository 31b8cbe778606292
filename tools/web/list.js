// The timeline. Only the rows that are seen are in the page, so a hundred thousand cost no more than fifty.
const ROW = 28; // pixels, as in page.css
const HIGHEST = 8000000; // pixels of a list; browsers draw no higher ones well
const AROUND = 10; // rows above and below those that are seen
const ARROWS = {client: "\u2192", server: "\u2190"};

const list = {
  box: document.getElementById("list"),
  space: document.getElementById("space"),
  chosen: -1, // an index of model.shown
  follows: false, // the end, while messages arrive
  pending: false,
  onChoice: () => {},
};

function marks(cell, entry) {
  for (const severity of ["error", "warning", "note"]) {
    const count = entry.findings.filter((each) => each.severity === severity).length;
    if (count > 0) {
      cell.append(element("span", "mark " + severity, count + " " + severity + (count > 1 ? "s" : "")));
    }
  }
  const changes = (entry.converted || []).filter((each) => each.to === detail.revision).flatMap((each) => each.changes);
  const facts = [
    [changes.length > 0, changes.length + (changes.length > 1 ? " changes" : " change")],
    [entry.of, "in #" + entry.of],
    [entry.task, "task #" + entry.task],
    [entry.asks, "asks, round " + entry.asks],
    [entry.round > 1, "round " + entry.round],
    [entry.status, "HTTP " + entry.status],
  ];
  for (const [holds, text] of facts) {
    if (holds) {
      cell.append(element("span", "mark faint", text));
    }
  }
}

function titleOf(entry) {
  if (entry.method) {
    return [entry.method, entry.about].filter(Boolean).join(" ");
  }
  return entry.kind === "line" ? (entry.text || "(blank line)").slice(0, 120) : entry.kind;
}

function cellOf(entry, side) {
  const cell = element("span", side);
  if (entry) {
    const title = element("span", "title", titleOf(entry));
    if (entry.id && entry.method) {
      title.append(element("span", "faint", " " + entry.id.slice(0, 40)));
    }
    cell.append(title);
    marks(cell, entry);
  }
  return cell;
}

function rowElement(index) {
  const row = model.shown[index];
  const {first, answer} = row;
  const made = element("div", "row");
  const from = first.from === "server" ? "server" : "client";
  const sides = {client: null, server: null};
  sides[from] = first;
  sides[from === "client" ? "server" : "client"] = answer;
  made.setAttribute("role", "option");
  made.id = "row-" + index;
  made.setAttribute("aria-selected", String(index === list.chosen));
  made.setAttribute("aria-posinset", String(index + 1));
  made.setAttribute("aria-setsize", String(model.shown.length));
  made.append(
    element("span", "time", shownTime(first.t)),
    cellOf(sides.client, "client"),
    element("span", "way", ARROWS[from]),
    cellOf(sides.server, "server"),
    element("span", "took", answer ? shownSpan(first.t, answer.t) : ""),
    element("span", "size", entriesOf(row).map((entry) => shownSize(entry.bytes)).join(" / ")),
  );
  made.addEventListener("mousedown", () => choose(index));
  return made;
}

// Lists that are higher than browsers draw are squeezed: a pixel of the bar is more than one of the list.
function heights() {
  const full = model.shown.length * ROW;
  const drawn = Math.min(full, HIGHEST);
  const view = list.box.clientHeight;
  return {full, drawn, view, scale: drawn > view ? (full - view) / (drawn - view) : 1};
}

function draw() {
  list.pending = false;
  const {drawn, view, scale} = heights();
  list.space.style.height = drawn + "px";
  if (list.follows) {
    list.box.scrollTop = list.box.scrollHeight;
  }
  const top = list.box.scrollTop * scale;
  const first = Math.max(0, Math.floor(top / ROW) - AROUND);
  const last = Math.min(model.shown.length, Math.ceil((top + view) / ROW) + AROUND);
  const rows = [];
  for (let index = first; index < last; index++) {
    const made = rowElement(index);
    made.style.top = index * ROW - top + list.box.scrollTop + "px";
    rows.push(made);
  }
  list.space.replaceChildren(...rows);
  if (list.chosen >= first && list.chosen < last) {
    list.box.setAttribute("aria-activedescendant", "row-" + list.chosen);
  } else {
    list.box.removeAttribute("aria-activedescendant");
  }
}

function redraw() {
  if (!list.pending) {
    list.pending = true;
    requestAnimationFrame(draw);
  }
}

function showRow(index) {
  const {scale, view} = heights();
  const top = list.box.scrollTop * scale;
  if (index * ROW < top) {
    list.box.scrollTop = (index * ROW) / scale;
  } else if ((index + 1) * ROW > top + view) {
    list.box.scrollTop = ((index + 1) * ROW - view) / scale;
  }
}

function choose(index) {
  if (model.shown.length === 0) {
    return;
  }
  list.chosen = Math.max(0, Math.min(index, model.shown.length - 1));
  list.follows = list.chosen === model.shown.length - 1;
  showRow(list.chosen);
  list.onChoice(model.shown[list.chosen]);
  redraw();
}

// Chooses the row of an entry, if the filter shows it.
function chooseEntry(number) {
  const entry = model.entries[number];
  const index = entry ? model.shown.indexOf(entry.row) : -1;
  if (index >= 0) {
    choose(index);
    list.box.focus();
  }
}

// Chooses the next row with findings; step -1: the one before.
function chooseFinding(step) {
  const count = model.shown.length;
  for (let i = 1; i <= count; i++) {
    const index = (((list.chosen + step * i) % count) + count) % count;
    if (FILTERS.findings(model.shown[index])) {
      choose(index);
      list.box.focus();
      return;
    }
  }
}

// The end is that of the drawn list: rows may have been added since.
list.box.addEventListener("scroll", () => {
  const {scrollTop, clientHeight, scrollHeight} = list.box;
  list.follows = scrollTop + clientHeight >= scrollHeight - ROW;
  redraw();
});
window.addEventListener("resize", redraw);
list.box.addEventListener("keydown", (event) => {
  const page = Math.max(1, Math.floor(list.box.clientHeight / ROW) - 1);
  const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page};
  if (event.ctrlKey || event.altKey || event.metaKey) {
    return;
  }
  if (steps[event.key]) {
    choose(list.chosen + steps[event.key]);
  } else if (event.key === "Home") {
    choose(0);
  } else if (event.key === "End") {
    choose(model.shown.length - 1);
  } else if (event.key === "Enter") {
    document.getElementById("detail").focus();
  } else {
    return;
  }
  event.preventDefault();
});
