// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page as a whole: its head, all models side by side, where the time goes at a place, the supersteps, where the data come from.

const views = report.models.map((m, k) => new ModelView(m, k));
const tree = JSON.parse(byId("tree").textContent);
const hasTree = views.length > 1 && (views.length > MANY || tree.nodes.some((n) => n.parent !== null));

// ---- all models at one place

// More models than LOOKS are not drawn at once, nor shown in the table before the reader asks.
class Overview {
  constructor() {
    this.looks = Array(LOOKS).fill(null); // which view has which look; views.length <= LOOKS: each its own
    if (views.length <= LOOKS) views.forEach((v, k) => { this.looks[k] = v; });
    this.place = new Map();
    this.ranges = new Map();
    for (const view of views)
      for (const v of view.variables) {
        const r = this.ranges.get(v.name);
        this.ranges.set(v.name, r ? { low: Math.min(r.low, v.low), high: Math.max(r.high, v.high) } : { low: v.low, high: v.high });
      }
    for (const [name, r] of this.ranges) this.place.set(name, r.high);
    this.axis = [...this.ranges.keys()][0];
    this.unit = views.every((v) => v.unit === views[0].unit) ? views[0].unit : null;
  }

  predictions() {
    const list = views.map((view) => ({ view: view, p: view.predict(this.place), inside: view.data.inside }));
    for (const e of list) e.growth = this.growth(e);
    this.addShares(list);
    return list.sort((a, b) => (b.p.error ? -1 : b.p.value) - (a.p.error ? -1 : a.p.value));
  }

  // Shares of the sum of one execution each, of the regions of a data set that are inside no other. The sum is that of one
  // place if one of the models has all variables of the others; if not, nothing tells which values belong together.
  addShares(list) {
    const sets = new Map(), names = (e) => e.view.variables.map((v) => v.name);
    this.without = list.filter((e) => e.p.error && !e.inside.length).map((e) => e.view.title);
    for (const e of list) if (!e.p.error && !e.inside.length) sets.set(e.view.data.set, (sets.get(e.view.data.set) || []).concat(e));
    this.shared = this.unit !== null && [...sets.values()].every((set) => set.some((e) => set.every((o) => names(o).every((n) => names(e).includes(n)))));
    for (const set of sets.values()) {
      const total = set.reduce((sum, e) => sum + Math.max(e.p.value, 0), 0);
      for (const e of set) e.share = this.shared && total > 0 ? (100 * e.p.value) / total : NaN;
    }
  }

  shareNote() {
    if (this.unit === null || this.without.length === views.length) return "";
    if (!this.shared) return "No shares: the models have different variables, and the page does not know which of their values belong together. In llac, report FILE.html rank VAR=VALUE... adds where the time goes.";
    return "Share: of the sum of one execution of each region that is inside no other" + (this.place.size ? ", at " + [...this.place].map(([name, x]) => name + " = " + plain(x, 6)).join(", ") : "") +
      (this.without.length ? "; without " + (this.without.length > 3 ? this.without.length + " regions that have" : this.without.join(", ") + (this.without.length > 1 ? ", which have" : ", which has")) + " no prediction there." : ".");
  }

  // The power of the variable with which the prediction grows here.
  growth(e) {
    const at = this.place.get(this.axis);
    if (e.p.error || !(at > 0) || !e.view.variables.some((v) => v.name === this.axis)) return NaN;
    const near = (factor) => e.view.predict(new Map([...this.place, [this.axis, at * factor]]));
    const growth = (q, factor) => (q.error ? NaN : Math.log(q.value / e.p.value) / Math.log(factor));
    const up = near(1.01);
    // Beyond the data a prediction is a mean over several formulas: both places are on the same side of the end.
    return up.error || up.extrapolates.length === e.p.extrapolates.length ? growth(up, 1.01) : growth(near(1 / 1.01), 1 / 1.01);
  }

  control(name) {
    const r = this.ranges.get(name), id = "all-" + [...this.ranges.keys()].indexOf(name);
    const input = el("input", { type: "number", step: "any", id: id, "data-variable": name, value: String(this.place.get(name)), oninput: () => {
      if (!Number.isFinite(input.valueAsNumber)) return;
      this.place.set(name, input.valueAsNumber);
      this.show();
    } });
    return el("div", { class: "control" }, el("label", { for: id }, name), input, el("small", {}, "measured from " + plain(r.low, 6) + " to " + plain(r.high, 6)));
  }

  // The views with the largest predictions are drawn. One that was drawn before keeps its look.
  chooseLooks(list) {
    if (views.length <= LOOKS) return;
    const drawn = list.filter((e) => !e.p.error && e.view.variables.some((v) => v.name === this.axis)).slice(0, LOOKS).map((e) => e.view);
    this.looks = this.looks.map((v) => (drawn.includes(v) ? v : null));
    for (const v of drawn) if (!this.looks.includes(v)) this.looks[this.looks.indexOf(null)] = v;
  }

  row(e) {
    const link = el("a", { href: "#" + e.view.id }, e.view.name), warnings = e.view.data.warnings.length, look = this.looks.indexOf(e.view), tint = look < 0 ? "var(--faint)" : colour(look);
    const cells = e.p.error ? [el("td", { colspan: "4" }, e.p.error)] : [
      el("td", { class: "number" }, quantity(e.p.value, e.view.unit, 4)), el("td", { class: "number" }, interval(e.p.low, e.p.high, e.view.unit, 3)),
      el("td", { class: "share", colour: tint }, Number.isFinite(e.share) ? [shareText(e.share / 100), el("span", { class: "bar", "aria-hidden": "true" }, setWidth(el("i", {}), e.share))] : e.inside.length ? "inside " + (e.inside.length > 2 ? e.inside.slice(0, 2).join(", ") + " ..." : e.inside.join(", ")) : ""),
      el("td", { class: "number" }, Number.isFinite(e.growth) ? [this.axis, el("sup", {}, e.growth.toFixed(2).replace("-", "−"))] : "")];
    return el("tr", { "data-model": String(e.view.number), "data-value": e.p.error ? "" : String(e.p.value) }, el("th", { scope: "row" }, look < 0 ? el("span", { class: "sample" }) : sample(look), link, e.view.data.searched ? el("small", { class: "searched" }, " searched") : ""),
      this.hasSets ? el("td", {}, e.view.data.set || "") : "", cells, el("td", {}, e.p.error ? "" : e.p.extrapolates.length ? el("span", { class: "mark" }, "extrapolates " + e.p.extrapolates.map((x) => x.variable).join(", ")) : "inside"),
      el("td", { class: "number" }, percent(e.view.data.error.mean_pct)), el("td", { class: "number" }, warnings ? el("a", { href: "#" + e.view.id }, String(warnings)) : "none"));
  }

  show() {
    const list = this.predictions();
    this.chooseLooks(list);
    this.body.replaceChildren(...(this.all ? list : list.slice(0, LOOKS)).map((e) => this.row(e)));
    this.growthHead.textContent = "grows as";
    this.note.textContent = this.shareNote();
    if (this.picture) this.picture.draw();
    for (const update of this.beside) update();
  }

  draw() {
    const withAxis = this.looks.filter((v) => v && v.variables.some((x) => x.name === this.axis)), r = this.ranges.get(this.axis), high = Math.max(r.high, this.place.get(this.axis));
    const low = Math.min(r.low, this.place.get(this.axis)), x = new Axis({ label: this.axis, low: low, high: high, log: spansWidely(low, high) });
    const series = withAxis.map((view) => {
      const look = this.looks.indexOf(view), curve = view.curve(this.axis, this.place, x, (p) => p);
      return { label: view.title, look: look, colour: colour(look), dash: dash(look), curve: curve, inside: this.measuredPart(view, curve), bare: withAxis.length > COLOURS };
    });
    const values = series.flatMap((s) => s.inside), log = x.log && values.every((v) => v > 0);
    const y = valueAxis("predicted", this.unit || "", log, values, series.map((s) => (s.bare ? s.curve.map((p) => ({ y: p.y })) : s.curve)));
    this.showLegend(series.filter((s) => isDrawn(s.curve, x, y)));
    return { x: x, y: y, height: series.length > 12 ? 420 : 300, series: series, lines: Number.isFinite(this.place.get(this.axis)) ? [{ x: this.place.get(this.axis), class: "here" }] : [], text: withAxis.map((v) => v.title).join(", ") + " over " + this.axis };
  }

  // The values of a curve where its variable was measured, and at the chosen place: the axis shows at least these.
  measuredPart(view, curve) {
    const v = view.variables.find((x) => x.name === this.axis), here = view.predictPoint(new Map([...view.place, ...this.place]));
    return curve.filter((p) => p.x >= v.low * (1 - 1e-9) && p.x <= v.high * (1 + 1e-9)).map((p) => p.y).concat(here.value).filter(Number.isFinite);
  }

  showLegend(series) {
    const others = views.length - series.length;
    if (!series.length) {
      this.legendPlace.replaceChildren(el("p", { class: "faint" }, "Nothing is predicted over " + this.axis + " at these values."));
      return;
    }
    this.legendPlace.replaceChildren(legend(series.map((s) => ({ label: s.label, look: s.look }))),
      others > 0 && views.length > LOOKS ? el("p", { class: "faint" }, "The largest at these values; " + others + " more are not drawn.") : "");
  }

  drawing() {
    if (!this.axis || this.unit === null) return "";
    const figure = el("figure", {}), choice = el("select", { id: "all-axis", onchange: () => { this.axis = choice.value; this.show(); } }, [...this.ranges.keys()].map((n) => el("option", { value: n }, n)));
    this.picture = new Picture(figure, "All models", () => this.draw());
    this.legendPlace = el("figcaption", {});
    figure.append(this.legendPlace);
    return [this.ranges.size > 1 ? el("p", { class: "choices" }, el("label", { for: "all-axis" }, "Over "), choice) : "", figure];
  }

  // The same experiment in several data sets: constants beside each other, with ratios to the first.
  sideBySide() {
    const groups = new Map();
    for (const v of views) groups.set(v.data.base || v.name, (groups.get(v.data.base || v.name) || []).concat(v));
    return [...groups.values()].filter((g) => g.length > 1).map((group) => {
      const body = el("tbody", {}), first = group[0];
      const cell = (view, value, unit, base) => el("td", { class: "number" }, quantity(value, unit, 4), view === first || !(base !== 0) || !Number.isFinite(value / base) ? "" : el("small", {}, " × " + plain(value / base, 3)));
      const valueOf = (view, k) => {
        const parts = view.model.columnsAt(this.place).filter(([c]) => c === k), c = view.data.constants[k];
        return parts.reduce((sum, [, column, part]) => sum + part * (c.columns.indexOf(column) >= 0 ? c.pieces[c.columns.indexOf(column)].value : 0), 0);
      };
      this.beside.push(() => body.replaceChildren(
        ...first.data.constants.map((c, k) => el("tr", {}, el("th", { scope: "row" }, constantName(c.name)), group.map((v) => (v.data.constants[k] ? cell(v, valueOf(v, k), c.term === null ? "" : v.unit, valueOf(first, k)) : el("td", {}))))),
        el("tr", {}, el("th", { scope: "row" }, "predicted"), group.map((v) => { const p = v.predict(this.place), q = first.predict(this.place); return p.error ? el("td", {}, p.error) : cell(v, p.value, v.unit, q.error ? NaN : q.value); }))));
      const title = (first.data.base || first.name) + " side by side", head = (v) => [v.data.label, v.data.set].filter(Boolean).join(", ") || v.name;
      return [el("h3", {}, title), scrolling(title, el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "constant"), group.map((v) => el("th", { scope: "col" }, head(v))))), body))];
    });
  }

  moreText() {
    return this.all ? "Show the largest " + LOOKS : "Show all " + views.length;
  }

  section() {
    this.hasSets = views.some((v) => v.data.set);
    this.body = el("tbody", {});
    this.beside = [];
    this.growthHead = el("th", { scope: "col" });
    const heads = ["experiment", this.hasSets ? "data" : "", "predicted", "95 %", "share"].filter(Boolean).map((h) => el("th", { scope: "col" }, h));
    const table = el("table", { class: "all" }, el("thead", {}, el("tr", {}, heads, this.growthHead, ["place", "error", "warnings"].map((h) => el("th", { scope: "col" }, h)))), this.body);
    this.note = el("p", { class: "faint" });
    const more = views.length > LOOKS ? el("p", { class: "choices" }, el("button", { type: "button", onclick: (event) => { this.all = !this.all; event.target.textContent = this.moreText(); this.show(); } }, this.moreText())) : "";
    const section = el("section", { id: "all", "aria-labelledby": "all-title" }, el("h2", { id: "all-title" }, "All models at one place"), el("form", { class: "places", "aria-label": "Values of the variables", onsubmit: (event) => event.preventDefault() }, [...this.ranges.keys()].map((n) => this.control(n))),
      scrolling("All models", table), more, this.note, this.drawing(), this.sideBySide());
    this.show();
    return section;
  }
}

// ---- where the time goes at a place

const FEW = 8; // remarks that are not folded

function ranking(data) {
  const row = (q) => {
    const view = views.find((v) => v.name === q.experiment && !v.data.set) || views.find((v) => v.name === q.experiment);
    const name = view ? el("a", { href: "#" + view.id }, q.experiment) : q.experiment;
    return el("tr", {}, el("th", { scope: "row" }, name, q.formula_from === "search" ? el("small", { class: "searched" }, " searched") : ""), el("td", { class: "number" }, quantity(q.value, "s", 4)), el("td", { class: "number" }, q.share === null ? "" : shareText(q.share)),
      el("td", { class: "number" }, interval(q.low, q.high, "s", 3)), data.start ? el("td", { class: "number" }, q.growth === null ? "" : "× " + plain(q.growth, 3)) : "", el("td", { class: "number" }, plain(q.executions, 4)), el("td", {}, q.term || ""));
  };
  const body = el("tbody", {}, data.regions.slice(0, LOOKS).map(row)), rest = data.regions.length - LOOKS;
  const more = rest > 0 ? el("p", { class: "choices" }, el("button", { type: "button", onclick: () => { addTo(body, data.regions.slice(LOOKS).map(row)); more.remove(); } }, "Show all " + data.regions.length)) : "";
  const said = data.sentences.length ? el("ul", {}, data.sentences.map((t) => el("li", {}, t))) : "";
  const heads = ["region", "predicted", "share", "95 %", data.start ? "growth" : "", "executions", "largest term"].filter(Boolean).map((h) => el("th", { scope: "col" }, h));
  const together = el("p", { class: "faint" }, "Together " + quantity(data.together, "s", 4) + ". " + data.unit_text[0].toUpperCase() + data.unit_text.slice(1) + "." + (data.start ? " Growth from the end of the data, " + data.start + "." : ""));
  return el("section", { id: "ranking", "aria-labelledby": "ranking-title" }, el("h2", { id: "ranking-title" }, "Where the time goes at " + data.place), scrolling("Where the time goes", el("table", {}, el("thead", {}, el("tr", {}, heads)), body)), more,
    together, data.sentences.length > FEW ? el("details", {}, el("summary", {}, data.sentences.length + " remarks"), said) : said);
}

// ---- supersteps

const ACTIVITIES = ["computes", "communicates", "waits"];

class Supersteps {
  constructor(data) {
    this.data = data;
  }

  rowHeight() {
    return this.data.rows.length > 24 ? 10 : 22;
  }

  bars(root, layer, x, top, height) {
    const rows = this.data.rows.length, paths = ["", "", ""], inner = height - 3;
    if (layer.stretches !== null) {
      const n = numbersOf(layer.stretches);
      for (let k = 0; k + 3 < n.length; k += 4) paths[n[k + 1]] += "M" + round(x.at(n[k + 2])) + " " + (top + n[k] * height) + "H" + round(x.at(n[k + 3])) + "v" + inner + "H" + round(x.at(n[k + 2])) + "z";
    } else {
      const n = numbersOf(layer.shares), slices = this.data.slices, wide = (x.to - x.from) / slices;
      for (let r = 0; r < rows; r++)
        for (let s = 0; s < slices; s++) {
          let below = 0;
          for (let a = 0; a < 3; a++) {
            const part = (n[(r * slices + s) * 3 + a] / 100) * inner;
            if (part > 0.2) paths[a] += "M" + round(x.from + s * wide) + " " + round(top + r * height + inner - below - part) + "h" + round(wide + 0.3) + "v" + round(part) + "h-" + round(wide + 0.3) + "z";
            below += part;
          }
        }
    }
    paths.forEach((d, a) => d && root.append(svg("path", { class: "activity " + ACTIVITIES[a], d: d })));
  }

  lines(root, x, top, height) {
    const arrows = numbersOf(this.data.arrows), path = numbersOf(this.data.path), middle = (row) => round(top + row * height + (height - 3) / 2);
    let d = "", legs = "";
    for (let k = 0; k + 3 < arrows.length; k += 4) d += "M" + round(x.at(arrows[k + 2])) + " " + middle(arrows[k]) + "L" + round(x.at(arrows[k + 3])) + " " + middle(arrows[k + 1]);
    for (let k = 0; k + 2 < path.length; k += 3) legs += (k ? "L" : "M") + round(x.at(path[k + 1])) + " " + middle(path[k]) + "L" + round(x.at(path[k + 2])) + " " + middle(path[k]);
    root.append(svg("path", { class: "arrow", d: d }), svg("path", { class: "critical", d: legs }));
  }

  draw(width) {
    const d = this.data, height = this.rowHeight(), block = d.rows.length * height + 26, total = d.layers.length * block + 34;
    const x = new Axis({ label: "time", unit: "s", low: d.begin, high: d.end }).place(MARGIN.left, width - MARGIN.right);
    const root = svg("svg", { width: width, height: total, viewBox: "0 0 " + width + " " + total, role: "img", "aria-label": "Supersteps: " + d.title });
    const clip = svg("g", { "clip-path": "url(#steps-clip)" });
    root.append(svg("clipPath", { id: "steps-clip" }, svg("rect", { x: x.from, y: 0, width: x.to - x.from, height: total })), clip);
    d.layers.forEach((layer, k) => {
      const top = k * block + 20;
      root.append(svg("text", { x: MARGIN.left, y: top - 6 }, layer.name));
      d.rows.forEach((name, r) => { if (height > 12 || r % 4 === 0) root.append(svg("text", { class: "end", x: MARGIN.left - 6, y: top + r * height + height / 2 + 2 }, name)); });
      this.bars(clip, layer, x, top, height);
      if (k === 0) this.lines(clip, x, top, height);
    });
    for (const t of x.ticks(Math.max(3, Math.floor(width / 110)))) root.append(svg("text", { class: "middle", x: round(x.at(t)), y: total - 18 }, x.text(t)));
    root.append(svg("text", { class: "middle label", x: (x.from + x.to) / 2, y: total - 2 }, "time"));
    return root;
  }

  // What the critical path consists of, and how far the model is from what was measured.
  facts() {
    const r = this.data.result, parts = r.critical ? r.critical.seconds : {};
    const list = [["computing", parts.computing], ["communication, g h", parts.gh], ["synchronisation, L", parts.L]].filter(([, x]) => typeof x === "number").map(([name, x]) => name + " " + quantity(x, "s", 4));
    const s = r.skipped, errors = s ? [s.rest_error_pct, s.rest_bsp_error_pct] : [r.error_pct, r.bsp_error_pct];
    return [s ? "The first supersteps (" + s.supersteps + ") are as measured, " + quantity(s.seconds, "s", 4) + "." : "", list.length ? "Critical path: " + list.join(", ") + "." : "", typeof errors[0] === "number" ? "Error of the model" + (s ? " after them" : "") + ": " + percent(errors[0]) + " (plain BSP: " + percent(errors[1]) + ")." : ""].filter(Boolean).join(" ");
  }

  section() {
    const holder = el("div", { class: "picture" });
    let width = 0;
    new ResizeObserver(() => requestAnimationFrame(() => {
      if (holder.clientWidth === 0 || holder.clientWidth === width) return;
      width = holder.clientWidth;
      holder.replaceChildren(this.draw(width));
    })).observe(holder);
    const entries = ACTIVITIES.map((a) => ({ label: a, colour: "var(--" + a + ")", kind: "block" })).concat({ label: "critical path", colour: "var(--ink)", kind: "line" });
    if (this.data.arrows) entries.push({ label: "messages", colour: "var(--faint)", kind: "line" });
    return el("section", { id: "supersteps", "aria-labelledby": "supersteps-title" }, el("h2", { id: "supersteps-title" }, "Supersteps"), el("p", {}, this.data.title), el("p", { class: "faint" }, this.facts()), el("figure", {}, holder, el("figcaption", {}, legend(entries))));
  }
}

// ---- where the data come from

const FILE_COLUMNS = [["set", "data"], ["path", "file"], ["program", "program"], ["host", "host"], ["cpu", "processor"], ["cores", "cores"], ["processes", "processes"], ["compiler", "compiler"], ["flags", "flags"], ["date", "date"], ["clock", "clock"]];
const MOST_FILES = 50;

function provenance() {
  const columns = FILE_COLUMNS.filter(([key]) => report.files.some((f) => f[key] !== undefined)), notes = [...new Set(report.files.flatMap((f) => f.notes))];
  const table = el("table", {}, el("thead", {}, el("tr", {}, columns.map(([, h]) => el("th", { scope: "col" }, h)))), el("tbody", {}, report.files.slice(0, MOST_FILES).map((f) => el("tr", {}, columns.map(([key]) => el("td", {}, f[key] === undefined ? "" : String(f[key])))))));
  const made = [["made by", "llac " + report.version + ", " + report.date], ["command", report.command], ["conditions", report.conditions.join("; ")], ["definitions", report.definitions.join("; ")], ["machine", report.machine || ""]].filter(([, text]) => text);
  return el("section", { id: "provenance", "aria-labelledby": "provenance-title" }, el("h2", { id: "provenance-title" }, "Where the data come from"), scrolling("Data files", table),
    report.files.length > MOST_FILES ? el("p", { class: "faint" }, "The first " + MOST_FILES + " of " + report.files.length + " files.") : "", notes.length ? el("ul", {}, notes.slice(0, 20).map((n) => el("li", {}, n))) : "",
    el("dl", { class: "made" }, made.map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)])));
}

function failures() {
  return report.failures.length ? el("section", { id: "failures", "aria-labelledby": "failures-title" }, el("h2", { id: "failures-title" }, "Not fitted"),
    el("ul", { class: "warnings" }, report.failures.map((f) => el("li", {}, el("b", {}, f.experiment + (f.set ? " (" + f.set + ")" : "") + ": "), f.reason)))) : "";
}

// ---- the beginning

function showHead() {
  const hosts = [...new Set(report.files.map((f) => f.host).filter(Boolean))], cpus = [...new Set(report.files.map((f) => f.cpu).filter(Boolean))];
  const n = views.length, warnings = views.reduce((sum, v) => sum + v.data.warnings.length, 0);
  byId("title").textContent = report.title;
  byId("facts").textContent = [n + (n === 1 ? " model" : " models"), warnings ? warnings + (warnings === 1 ? " warning" : " warnings") : "no warnings", hosts.slice(0, 4).join(", ") + (hosts.length > 4 ? " ..." : ""), cpus.slice(0, 2).join(", "), report.date.slice(0, 10)].filter(Boolean).join(" · ");
}

function showContents() {
  const many = views.length > MANY;
  const entries = (hasTree ? [["regions", "Regions"]] : []).concat(views.length > 1 ? [["all", "All models"]] : [], report.ranking ? [["ranking", "Where the time goes"]] : [], many ? [["models", "Models"]] : views.map((v) => [v.id, v.title]), report.supersteps ? [["supersteps", "Supersteps"]] : [], report.failures.length ? [["failures", "Not fitted"]] : [], [["provenance", "Data"]]);
  byId("contents").append(el("ul", {}, entries.map(([id, text]) => el("li", {}, el("a", { href: "#" + id }, text)))));
}

// A link to a section that is folded opens it.
function openTarget() {
  const view = views.find((v) => location.hash === "#" + v.id || location.hash.startsWith("#" + v.id + "-"));
  if (!view || !view.fold) return;
  view.open();
  requestAnimationFrame(() => byId(location.hash.slice(1)).scrollIntoView());
}

function models() {
  if (views.length <= MANY) return views.map((v) => v.section(false));
  return [el("section", { id: "models", "aria-labelledby": "models-title" }, el("h2", { id: "models-title" }, "Models"), el("p", { class: "faint" }, "Each opens with a click. Only open ones are printed.")), el("div", { class: "folded" }, views.map((v) => v.section(true)))];
}

showHead();
showContents();
addTo(byId("report"), [hasTree ? new RegionTree(tree).section() : "", views.length > 1 ? new Overview().section() : "", report.ranking ? ranking(report.ranking) : "", models(), report.supersteps ? new Supersteps(report.supersteps).section() : "", failures(), provenance()]);
openTarget();
window.addEventListener("hashchange", openTarget);
document.addEventListener("click", (event) => { // the same link once more changes no hash
  const link = event.target.closest && event.target.closest("a[href^='#model']");
  if (link && link.getAttribute("href") === location.hash) openTarget();
});
window.addEventListener("beforeprint", () => document.querySelectorAll("details:not(.fold)").forEach((d) => { d.open = true; }));
