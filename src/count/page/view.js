// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shows a report: legend, source, the selected line. Every text of the report becomes a text node.

const data = JSON.parse(document.getElementById("data").textContent);
const report = objectOf(data.report);
const experiments = listOf(report.experiments).map((e, k) => new Experiment(e, listOf(data.units)[k]));
const state = { experiment: experiments[0] || null, point: -1, selected: null, rows: new Map(), order: [], filled: 0, saved: true };
const COLOURS = 8, CONTEXT = 3, CHUNK = 100, AT_ONCE = 300;
const byId = (id) => document.getElementById(id);

// An element with attributes and children; a child that is not an element becomes text.
function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else if (name === "colour") e.style.setProperty("--k", colourOf(value));
    else if (value === true) e.setAttribute(name, "");
    else if (value !== false && value !== null) e.setAttribute(name, value);
  }
  for (const child of children.flat()) if (child !== null && child !== "") e.append(child);
  return e;
}

const colourOf = (constant) => (constant === UNEXPLAINED ? "var(--unexplained)" : "var(--k" + (constant % COLOURS) + ")");

const NUMBERS = new Intl.NumberFormat("en-US", { maximumFractionDigits: 10 });

function figure(x) {
  if (Math.abs(x) >= 1e15 || (x !== 0 && Math.abs(x) < 1e-6)) return x.toPrecision(4);
  return NUMBERS.format(Number.isInteger(x) ? x : Number(x.toPrecision(4)));
}

const instructions = (x) => (x === 1 ? " instruction " : " instructions ");

function percent(part, total) {
  const x = total > 0 ? (100 * part) / total : 0;
  const size = Math.abs(x);
  return x === 0 ? "0 %" : size < 0.1 ? "<0.1 %" : (x < 0 ? "−" : "") + (size < 9.95 ? size.toFixed(1) : size.toFixed(0)) + " %";
}

// "[2]" of "walking[2]"
function shortName(constant) {
  if (constant === UNEXPLAINED) return "?";
  const name = state.experiment.constants[constant].name;
  return name.startsWith(state.experiment.name + "[") ? name.slice(state.experiment.name.length) : name;
}

const mark = (part) => (part.exact ? "=" : "≈");
const perTerm = (term) => (term === "1" || term === "" ? "per execution" : "per " + term);

// The disjoint classes first; the others count the same instructions in other ways.
const WAYS = { reads: "read memory", writes: "write memory", multiplies: "multiply integers", flops: "floating-point operations", set: "bytes set", copied: "bytes copied" };

function classChips(classes) {
  const said = (name) => classes.get(name) === { reads: classes.get("load"), writes: classes.get("store") }[name];
  const used = [...classes.keys()].filter((name) => classes.get(name) && !said(name));
  const names = CLASSES.filter((name) => used.includes(name)), others = used.filter((name) => !CLASSES.includes(name));
  const way = (name) => (name.startsWith("simd ") ? "on " + name.slice(5) + "-bit vectors" : WAYS[name] || name);
  const chip = (name) => el("li", { class: CLASSES.includes(name) ? "" : "way" }, (CLASSES.includes(name) ? name : way(name)) + " ", el("b", {}, figure(classes.get(name))));
  return el("ul", { class: "classes" }, names.map(chip), others.map(chip));
}

function pointName(point, k) {
  const values = Object.entries(objectOf(point.values)).map(([name, value]) => name + " = " + figure(numberOf(value)));
  for (const name of ["rank", "thread"])
    if (state.experiment.points.some((p) => numberOf(p[name]) > 0)) values.push(name + " " + numberOf(point[name]));
  return values.join(", ") || "point " + (k + 1);
}

// ---- the head and the legend

function showHead() {
  byId("program").textContent = textOf(report.program);
  const facts = [textOf(report.architecture), textOf(report.compiler), textOf(report.flags), textOf(report.command)];
  byId("facts").replaceChildren(...facts.filter((f) => f).map((f) => el("span", {}, f)));
  byId("experiments").replaceChildren(...experiments.map((e) => el("button", {
    type: "button", role: "tab", "aria-selected": String(e === state.experiment), tabindex: e === state.experiment ? "0" : "-1",
    "aria-controls": "source", onclick: () => showExperiment(e),
  }, e.name)));
}

// The formula with its constants in their colours.
function formulaOf(e) {
  const names = e.constants.map((c) => c.name).filter((n) => n).sort((a, b) => b.length - a.length);
  const parts = [];
  for (let at = 0, begin = 0; at <= e.formula.length; at++) {
    const name = names.find((n) => e.formula.startsWith(n, at));
    if (!name && at < e.formula.length) continue;
    parts.push(e.formula.slice(begin, at));
    if (!name) break;
    parts.push(el("b", { class: "name", colour: e.constants.find((c) => c.name === name).index }, name));
    at += name.length - 1;
    begin = at + 1;
  }
  return el("p", { class: "formula" }, parts);
}

function shareBar(part, total) {
  const bar = el("span", { class: "bar" }, el("i", {}));
  bar.firstChild.style.width = (total > 0 ? Math.max(0, (100 * part) / total) : 0) + "%";
  return bar;
}

function constantEntry(e, c, shares) {
  const now = e.totalOf(c.index), before = e.totalOf(c.index, "home"), differs = now.instructions !== before.instructions;
  return el("div", { class: "constant", colour: c.index, "data-constant": c.name, "data-instructions": String(now.instructions) },
    el("div", { class: "title" }, el("i", { class: "swatch" }), el("b", {}, c.name), el("span", { class: "term" }, "× " + c.term),
      el("span", { class: "share" }, percent(shares.of.get(c.index) || 0, shares.total))),
    shareBar(shares.of.get(c.index) || 0, shares.total),
    el("div", { class: "total" }, el("b", { class: "figure", title: now.exact ? "exact" : "fitted" }, mark(now) + " " + figure(now.instructions)),
      instructions(now.instructions) + perTerm(c.term), differs ? el("span", { class: "was" }, "was " + figure(before.instructions)) : ""),
    classChips(now.classes), c.dependent ? el("p", { class: "follows" }, "The points cannot tell its term from the others: count at more sizes.") : "");
}

function unexplainedEntry(e, shares) {
  const lines = e.unexplained();
  if (!lines.length) return "";
  const terms = [...new Set(lines.flatMap((l) => l.parts.map((p) => p.term)).filter((t) => t))];
  return el("div", { class: "constant unexplained", colour: UNEXPLAINED },
    el("div", { class: "title" }, el("i", { class: "swatch" }), el("b", {}, "unexplained"),
      el("span", { class: "term" }, lines.length + (lines.length === 1 ? " line" : " lines")),
      el("span", { class: "share" }, percent(shares.of.get(UNEXPLAINED) || 0, shares.total))),
    shareBar(shares.of.get(UNEXPLAINED) || 0, shares.total),
    el("div", { class: "total" }, terms.length ? ["proposed: ", el("b", {}, terms.join(", "))] : "they follow no term of the formula"));
}

function pointChooser(e) {
  if (e.points.length < 2) return "";
  const choose = (event) => { state.point = Number(event.target.value); showLegend(); showSource(); };
  return el("label", { class: "points" }, "Shares at ", el("select", { id: "point", onchange: choose },
    el("option", { value: "-1" }, "all points"),
    e.points.map((p, k) => el("option", { value: String(k), selected: k === state.point }, pointName(p, k)))));
}

function showLegend() {
  const e = state.experiment, shares = e.sharesAt(state.point);
  byId("legend").replaceChildren(formulaOf(e), pointChooser(e), ...e.constants.map((c) => constantEntry(e, c, shares)),
    unexplainedEntry(e, shares));
}

// ---- the source

function chip(part) {
  const e = state.experiment;
  const unexplained = part.constant === UNEXPLAINED;
  return el("span", { class: "chip", colour: part.constant,
    title: unexplained ? "per execution, on average; follows no term of the formula"
      : mark(part) + " " + figure(part.instructions) + instructions(part.instructions) + perTerm(e.constants[part.constant].term) + " of " + e.constants[part.constant].name +
        (part.step > 1 ? ", in steps of " + figure(part.step) : "") },
    el("b", {}, shortName(part.constant)), " " + figure(part.instructions), part.exact || unexplained ? "" : "≈",
    part.step > 1 ? el("small", {}, " /" + figure(part.step)) : "", unexplained && part.term ? el("small", {}, " " + part.term + "?") : "");
}

const functionName = (name) => (/^[\w.$@]+$/.test(name) ? name + "()" : name);
const placeOf = (line) => (line.function ? "function " + line.function : "line " + line.line);

function rowLabel(line) {
  const e = state.experiment;
  return placeOf(line) + ": " + line.parts.map((part) => figure(part.instructions) + instructions(part.instructions) +
    (part.constant === UNEXPLAINED ? "per execution, unexplained" : perTerm(e.constants[part.constant].term) + ", " + e.constants[part.constant].name)).join("; ");
}

// The contents of a row that has counts; they change when the line is moved.
function fillRow(row) {
  const e = state.experiment, line = row.line, text = row.text, whole = e.lineAt(line, state.point), total = state.total;
  const shown = line.parts === line.home ? line.parts.map((part) => e.executedAt(part, state.point)) : [whole];
  const bar = el("span", { class: "bar", title: percent(whole, total) + " of the instructions" });
  line.parts.forEach((part, k) => {
    const piece = el("i", { colour: part.constant, class: part.constant === UNEXPLAINED ? "unexplained" : "" });
    piece.style.width = (total > 0 ? Math.max(0, (100 * shown[k]) / total) : 0) + "%"; // N - 1 has a negative constant
    bar.append(piece);
  });
  const main = line.parts.reduce((best, part, k) => (shown[k] > shown[best] ? k : best), 0);
  row.style.setProperty("--k", colourOf(line.parts[main].constant));
  row.classList.toggle("unexplained", line.parts.some((part) => part.constant === UNEXPLAINED));
  row.classList.toggle("moved", line.moved !== null || line.assigned);
  row.setAttribute("aria-label", rowLabel(line));
  row.replaceChildren(el("span", { class: "no" }, line.line || ""), el("span", { class: "pct" }, percent(whole, total)), bar,
    el("span", { class: "chips" }, line.parts.map(chip), line.moved !== null ? el("span", { class: "hand", title: "moved by you" }, "✎") : ""),
    el("code", {}, text !== null ? text || " " : line.function ? functionName(line.function) : "(the report has no source of this line)"));
}

function makeRow(number, line, text) {
  if (!line) return el("div", { class: "row" }, el("span", { class: "no" }, String(number)), el("code", {}, text || " "));
  const row = el("div", { class: "row counted", role: "option", tabindex: "-1", "aria-selected": "false" },
    el("span", { class: "no" }, line.line || ""), el("code", {}, text || " "));
  row.line = line;
  row.text = text;
  state.rows.set(line.key, row);
  return row;
}

function fillChunk(chunk) {
  watcher.unobserve(chunk);
  for (const row of chunk.children) if (row.line) fillRow(row);
}

// Rows in pieces that the browser lays out only when they are in sight. The counts of a long source are
// filled in when it is scrolled there; the texts are there from the beginning, so that the browser finds them.
const watcher = new IntersectionObserver((entries) => entries.forEach((entry) => entry.isIntersecting && fillChunk(entry.target)), { rootMargin: "1500px 0px" });
window.addEventListener("beforeprint", () => document.querySelectorAll(".chunk").forEach(fillChunk));

function appendRows(to, rows) {
  for (let k = 0; k < rows.length; k += CHUNK) {
    const chunk = el("div", { class: "chunk" }, rows.slice(k, k + CHUNK));
    chunk.style.setProperty("--rows", String(Math.min(CHUNK, rows.length - k)));
    to.append(chunk);
    if (state.filled < AT_ONCE) fillChunk(chunk);
    else watcher.observe(chunk);
    state.filled += chunk.children.length;
  }
}

function fold(texts, from, to) {
  const button = el("button", { type: "button", class: "fold", onclick: () => {
    const rows = el("div", {});
    appendRows(rows, texts.slice(from - 1, to).map((text, k) => makeRow(from + k, null, text)));
    button.replaceWith(rows);
  } }, "⋯ lines " + from + " to " + to + " have no counts");
  return button;
}

// Lines far from any counted line are folded. Counted lines that the source does not have, and functions
// of libraries, come last.
function fillFile(section, texts, counted) {
  const near = new Uint8Array(texts.length + 2), at = new Map();
  for (const line of counted) if (!line.function) at.set(line.line, line);
  for (const n of at.keys()) for (let k = Math.max(1, n - CONTEXT); k <= Math.min(texts.length, n + CONTEXT); k++) near[k] = 1;
  let rows = [];
  for (let n = 1; n <= texts.length; n++) {
    let end = n;
    while (end <= texts.length && !near[end]) end++;
    if (end - n > 2 * CONTEXT) {
      appendRows(section, rows);
      rows = [];
      section.append(fold(texts, n, end - 1));
      n = end - 1;
    } else {
      rows.push(makeRow(n, at.get(n), texts[n - 1]));
    }
  }
  for (const line of counted)
    if (line.function || line.line < 1 || line.line > texts.length) rows.push(makeRow(line.line, line, null));
  appendRows(section, rows);
}

function showSource() {
  const e = state.experiment, sources = new Map(), lines = new Map();
  for (const s of listOf(report.sources)) sources.set(textOf(objectOf(s).file), textOf(objectOf(s).text).replace(/\r?\n$/, "").split(/\r?\n/));
  for (const line of e.lines.values()) {
    if (!lines.has(line.file)) lines.set(line.file, []);
    lines.get(line.file).push(line);
  }
  state.total = e.sharesAt(state.point).total;
  state.rows.clear();
  state.filled = 0;
  watcher.disconnect();
  const files = [...new Set([...sources.keys(), ...lines.keys()])];
  byId("source").replaceChildren(...files.map((file) => {
    const counted = (lines.get(file) || []).sort((a, b) => a.line - b.line || e.lineAt(b, -1) - e.lineAt(a, -1));
    const share = sumOf(counted.map((line) => e.lineAt(line, state.point)));
    const section = el("section", { class: "file", role: "group", "aria-label": file }, el("h2", {}, file, el("span", { class: "share" }, percent(share, state.total))));
    fillFile(section, sources.get(file) || [], counted);
    return section;
  }));
  state.order = [...byId("source").querySelectorAll(".counted")];
  if (state.order.length) state.order[0].tabIndex = 0;
  if (state.selected) markSelected(true);
  if (!state.order.length) byId("source").prepend(el("p", { class: "note" }, "No instructions were counted in this experiment."));
}
