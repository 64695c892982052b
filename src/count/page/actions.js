// SPDX-License-Identifier: GPL-3.0-or-later
//
// The selected line, moving it, saving the assignment, and the keyboard.

// ---- the selected line

function markSelected(on) {
  const row = state.selected && state.rows.get(state.selected.key);
  if (!row) return;
  row.setAttribute("aria-selected", String(on));
  if (!on) return;
  for (const other of state.order) if (other.tabIndex === 0) other.tabIndex = -1;
  row.tabIndex = 0;
}

function select(line, focus) {
  markSelected(false);
  state.selected = line;
  markSelected(true);
  if (focus) {
    const row = state.rows.get(line.key);
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }
  showPanel();
  const aside = byId("panel").parentElement; // only there: the source stays where it is
  const below = byId("panel").getBoundingClientRect().bottom - Math.min(aside.getBoundingClientRect().bottom, innerHeight);
  if (below > 0) aside.scrollTop += Math.min(below + 16, byId("panel").offsetTop - aside.scrollTop);
}

function deselect() {
  markSelected(false);
  state.selected = null;
  showPanel();
}

function partEntry(part) {
  const e = state.experiment, unexplained = part.constant === UNEXPLAINED;
  const units = unexplained ? "per execution, on average" : perTerm(e.constants[part.constant].term);
  return el("div", { class: "part", colour: part.constant },
    el("i", { class: "swatch" + (unexplained ? " unexplained" : "") }), el("b", {}, unexplained ? "unexplained" : e.constants[part.constant].name), ": ",
    el("b", { class: "figure" }, (unexplained ? "" : mark(part) + " ") + figure(part.instructions)), instructions(part.instructions) + units,
    part.step > 1 ? ", in steps of " + figure(part.step) + " (unrolled or vectorised)" : "",
    part.follows.length ? el("span", { class: "follows" }, "counts: " + part.follows.join("; ")) : "", classChips(part.classes),
    unexplained && part.term ? el("p", {}, "These counts follow ", el("b", {}, part.term), ": add ",
      el("b", {}, e.name + "[" + e.constants.length + "]*" + part.term), " to the formula.") : "");
}

function table(head, rows) {
  return el("table", {}, el("thead", {}, el("tr", {}, head.map((h) => el("th", { scope: "col" }, h)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, k) => el(k ? "td" : "th", k ? {} : { scope: "row" }, cell))))));
}

// What the line executes at each point, and what its constant says.
function pointTable(line) {
  const e = state.experiment, part = line.parts[0];
  if (line.parts.length !== 1 || part.exact || !e.points.length) return [];
  const model = part.constant === UNEXPLAINED ? null : e.executed(part);
  return [el("h3", {}, "At the points"), table(["at", "executed"].concat(model ? ["by the term", "off by"] : []), e.points.map((p, k) => {
    const n = e.lineAt(line, k);
    return [pointName(p, k), figure(n)].concat(model ? [figure(model[k]), n ? ((100 * (model[k] - n)) / n).toFixed(1) + " %" : ""] : []);
  }))];
}

function changeTable() {
  const e = state.experiment;
  const changed = e.constants.filter((c) => e.totalOf(c.index).instructions !== e.totalOf(c.index, "home").instructions);
  if (!changed.length) return "";
  return table(["constant", "before", "now"], changed.map((c) => {
    const now = e.totalOf(c.index);
    return [c.name, figure(e.totalOf(c.index, "home").instructions), mark(now) + " " + figure(now.instructions)];
  }));
}

function moveButton(line, c) {
  const e = state.experiment, part = e.partAs(line, c.index), here = line.parts.length === 1 && line.parts[0].constant === c.index;
  const reason = e.obstacle(c.index) || (part ? "" : "the units of the line are not known");
  return el("button", { type: "button", class: "move", colour: c.index, disabled: Boolean(reason), title: reason, "data-move": c.name,
    "aria-pressed": String(here), onclick: () => moveTo(c.index) },
    el("i", { class: "swatch" }), el("b", {}, c.name), c.index < 10 ? el("kbd", {}, String(c.index)) : "",
    el("small", {}, part ? mark(part) + " " + figure(part.instructions) + " " + perTerm(c.term) : "not possible"));
}

function showPanel() {
  const line = state.selected, panel = byId("panel");
  panel.hidden = !line;
  document.body.classList.toggle("selected", Boolean(line));
  if (!line) return panel.replaceChildren();
  const e = state.experiment, row = state.rows.get(line.key), kept = panel.contains(document.activeElement) ? document.activeElement.dataset.move : null;
  panel.replaceChildren(
    el("h2", {}, line.file + ":" + (line.function || line.line), el("button", { type: "button", class: "close", "aria-label": "Close", onclick: deselect }, "×")),
    row && row.text ? el("pre", {}, row.text.trim()) : "",
    ...line.parts.map(partEntry),
    el("h3", {}, "Move the line to"), el("div", { class: "moves" }, e.constants.map((c) => moveButton(line, c))),
    line.moved !== null ? el("h3", {}, "What changes") : "", line.moved !== null ? changeTable() : "", ...pointTable(line));
  for (const button of panel.querySelectorAll("[data-move]")) if (button.dataset.move === kept) button.focus();
}

// ---- moves

// The message stays for some seconds.
function say(text) {
  clearTimeout(state.timer);
  byId("status").textContent = text;
  if (text) state.timer = setTimeout(() => say(""), 6000);
}

function refresh(line) {
  const row = state.rows.get(line.key);
  if (row) fillRow(row);
  markSelected(true);
  state.saved = false;
  showLegend();
  showPanel();
  showChanges();
}

function moveTo(constant) {
  const e = state.experiment, line = state.selected;
  if (!line || !e.constants[constant]) return;
  if (!e.move(line, constant)) return say(e.obstacle(constant) || placeOf(line) + " belongs to " + e.constants[constant].name + " already.");
  refresh(line);
  const changes = e.constants.filter((c) => e.totalOf(c.index).instructions !== e.totalOf(c.index, "home").instructions)
    .map((c) => c.name + " " + figure(e.totalOf(c.index, "home").instructions) + " → " + figure(e.totalOf(c.index).instructions));
  say("Moved " + placeOf(line) + " to " + e.constants[constant].name + (changes.length ? ": " + changes.join(", ") : "") + ".");
}

function undo() {
  const line = state.experiment.undo();
  if (!line) return say("Nothing to undo.");
  refresh(line);
  say("Moved " + placeOf(line) + " back.");
}

function resetAll() {
  for (const e of experiments) e.reset();
  state.saved = false;
  showAll();
  say("All lines are where the report has them.");
}

// ---- the assignment

const allAssignments = () => experiments.flatMap((e) => e.assignments());

function assignmentText() {
  const lines = allAssignments().map((a) => "  " + JSON.stringify(a));
  return '{"format": 1, "program": ' + JSON.stringify(textOf(report.program)) + ', "assignments": [\n' + lines.join(",\n") + "\n]}\n";
}

function fileName() {
  const base = textOf(report.program).replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "").replace(/[^A-Za-z0-9._-]/g, "_");
  return (base || "program") + ".assign.json";
}

function save() {
  if (!allAssignments().length && !experiments.some((e) => e.changed())) return say("Nothing to save: no line was moved.");
  const link = el("a", { href: URL.createObjectURL(new Blob([assignmentText()], { type: "application/json" })), download: fileName() });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  state.saved = true;
  say("Saved " + fileName() + ".");
}

function showChanges() {
  const n = allAssignments().length, moved = experiments.some((e) => e.changed());
  byId("changes").replaceChildren(el("h2", {}, "Assignment"),
    el("p", {}, n === 0 ? "Select a line to move it to another constant."
      : (n === 1 ? "1 line is" : n + " lines are") + " assigned by hand. Save, then count with ", n ? el("code", {}, "call count --assign " + fileName()) : ""),
    el("div", { class: "buttons" },
      el("button", { type: "button", id: "save", onclick: save, disabled: n === 0 && !moved }, "Save assignment"),
      el("button", { type: "button", id: "undo", onclick: undo, disabled: !state.experiment.changed() }, "Undo"),
      el("button", { type: "button", id: "reset", onclick: resetAll, disabled: !moved }, "Reset")));
}

// ---- the keyboard

function step(by) {
  if (!state.order.length) return;
  const at = state.selected ? state.order.indexOf(state.rows.get(state.selected.key)) : by > 0 ? -1 : 0;
  const next = state.order[Math.min(state.order.length - 1, Math.max(0, at + by))];
  select(next.line, true);
}

function switchTab(by) {
  const k = experiments.indexOf(state.experiment) + by;
  if (k < 0 || k >= experiments.length) return;
  showExperiment(experiments[k]);
  byId("experiments").children[k].focus();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input, textarea")) return;
  const key = event.key, tabs = event.target.closest("[role=tablist]");
  const inSource = event.target === document.body || event.target.closest("#source");
  if (tabs && (key === "ArrowRight" || key === "ArrowLeft")) switchTab(key === "ArrowRight" ? 1 : -1);
  else if (key === "j" || (key === "ArrowDown" && inSource)) step(1);
  else if (key === "k" || (key === "ArrowUp" && inSource)) step(-1);
  else if ((key === "Enter" || key === " ") && event.target.line) select(event.target.line);
  else if (/^[0-9]$/.test(key)) moveTo(Number(key));
  else if (key === "u") undo();
  else if (key === "s") save();
  else if (key === "Escape") deselect();
  else return;
  event.preventDefault();
}

// ---- the beginning

function showAll() {
  showHead();
  showLegend();
  showSource();
  showPanel();
  showChanges();
}

function showExperiment(e) {
  Object.assign(state, { experiment: e, point: -1, selected: null });
  showAll();
}

if (state.experiment) {
  showAll();
  document.addEventListener("keydown", onKey);
  byId("source").addEventListener("click", (event) => {
    const row = event.target.closest(".counted");
    if (row) select(row.line);
  });
  window.addEventListener("beforeunload", (event) => {
    if (!state.saved && experiments.some((e) => e.changed())) event.preventDefault();
  });
} else {
  showHead();
  byId("source").append(el("p", { class: "note" }, "The report has no experiments: no region was executed."));
}
