"use strict";
// Texts of others are shown as text alone. Characters that are invisible, or that turn the direction of writing, are
// shown as their codes.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) {
    made.className = className;
  }
  if (text !== undefined) {
    write(made, text);
  }
  return made;
}

function write(parent, text) {
  let rest = text;
  for (let found = UNSEEN.exec(rest); found; found = UNSEEN.exec(rest)) {
    parent.append(rest.slice(0, found.index));
    const code = document.createElement("span");
    code.className = "code";
    code.textContent = "U+" + found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    parent.append(code);
    rest = rest.slice(found.index + found[0].length);
  }
  parent.append(rest);
}

function button(text, action) {
  const made = element("button", "", text);
  made.type = "button";
  made.addEventListener("click", action);
  return made;
}

function shownSize(bytes) {
  if (bytes < 1000) {
    return bytes + " B";
  }
  return bytes < 1e6 ? (bytes / 1e3).toFixed(1) + " KB" : (bytes / 1e6).toFixed(1) + " MB";
}

function shownTime(ms) {
  return ms === undefined ? "" : (ms / 1000).toFixed(3) + " s";
}

// The time between two; empty if it is unknown.
function shownSpan(from, to) {
  const ms = to - from;
  if (Number.isNaN(ms)) {
    return "";
  }
  return ms < 10000 ? ms + " ms" : (ms / 1000).toFixed(1) + " s";
}
