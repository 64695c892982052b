// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the page about one model: formula, warnings, pictures, controls with the live prediction, constants,
// points, operations.

// More sections than MANY are folded, and made when they are opened.
const MANY = 12, MOST_SERIES = 6, CURVE = 121, ROWS = 25, REACH = 16, STEPS = 1000;

const allIntegers = (list) => list.every(Number.isInteger);

class ModelView {
  constructor(data, number) {
    this.data = data;
    this.number = number;
    this.id = "model" + number;
    this.model = new CLL.Model(data.evaluator);
    this.unit = data.unit;
    this.name = data.experiment + (data.observable === "CLOCK" ? "" : " " + data.observable) + (data.is_spread ? ", " + data.statistic_text : "");
    this.title = this.name + (data.set ? " (" + data.set + ")" : "");
    this.variables = data.evaluator.variables.filter((v) => v.fixed === null);
    this.fixed = data.evaluator.variables.filter((v) => v.fixed !== null && v.used);
    this.place = new Map();
    this.axis = this.variables.length ? this.variables[0].name : null;
    this.observers = [];
    this.series = new Map();
    this.grouped = new Map();
  }

  readPoints() {
    const p = this.data.points;
    this.columns = p.columns.map((c) => ({ name: c.name, shown: c.shown, varies: c.varies, values: numbersOf(c.values) }));
    this.measured = numbersOf(p.measured);
    this.predicted = numbersOf(p.predicted);
    this.samples = numbersOf(p.samples);
    this.count = this.measured.length;
    this.leftOut = new Set(p.left_out);
    this.error = this.measured.map((m, k) => (m !== 0 ? (100 * (m - this.predicted[k])) / m : NaN));
  }

  // Before the section is made: the overview needs less.
  prepare() {
    this.readPoints();
    this.place = new Map(this.variables.map((v) => [v.name, this.usualValue(v)]));
  }

  columnOf(name) {
    return this.columns.find((c) => c.name === name);
  }

  // The measured value next to the middle of the range.
  usualValue(v) {
    const column = this.columnOf(v.name), middle = v.low > 0 ? Math.sqrt(v.low * v.high) : (v.low + v.high) / 2;
    let best = column.values[0];
    for (const x of column.values) if (Math.abs(x - middle) < Math.abs(best - middle)) best = x;
    return best;
  }

  predict(place) {
    try {
      return this.model.predict(place || this.place);
    } catch (error) {
      if (error instanceof CLL.NoValue) return { error: error.message };
      throw error;
    }
  }

  predictPoint(place) {
    try {
      return this.model.predictPoint(place);
    } catch (error) {
      if (error instanceof CLL.NoValue) return { value: NaN, low: NaN, high: NaN };
      throw error;
    }
  }

  // ---- controls

  setValue(name, value) {
    if (!Number.isFinite(value)) return;
    this.place.set(name, value);
    this.changed();
  }

  changed() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      for (const update of this.observers) update();
    });
  }

  controls() {
    return this.variables.map((v) => {
      const id = this.id + "-" + this.variables.indexOf(v), column = this.columnOf(v.name), whole = allIntegers([...column.values.slice(0, 1000)]);
      const log = v.low > 0, low = log ? v.low / 4 : v.low - (v.high - v.low) / 4, high = log ? v.high * REACH : v.high + 2 * (v.high - v.low);
      const toValue = (step) => {
        const x = log ? low * Math.pow(high / low, step / STEPS) : low + ((high - low) * step) / STEPS;
        return whole ? Math.max(Math.round(x), low >= 1 || log ? 1 : Math.round(x)) : Number(x.toPrecision(4));
      };
      const toStep = (x) => Math.max(0, Math.min(STEPS, Math.round(STEPS * (log ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low)))));
      const number = el("input", { type: "number", step: "any", id: id, "data-variable": v.name, oninput: () => this.setValue(v.name, number.valueAsNumber) });
      const slider = el("input", { type: "range", min: "0", max: String(STEPS), step: "1", "aria-label": v.name + ", slider", "data-slider": v.name,
        oninput: () => { number.value = String(toValue(slider.valueAsNumber)); this.setValue(v.name, toValue(slider.valueAsNumber)); } });
      const show = () => {
        const x = this.place.get(v.name);
        if (document.activeElement !== number || number.valueAsNumber !== x) number.value = String(x);
        slider.value = String(toStep(x));
        slider.setAttribute("aria-valuetext", v.name + " = " + plain(x, 6));
      };
      this.observers.push(show);
      show();
      return el("div", { class: "control" }, el("label", { for: id }, v.name), number, slider, el("small", {}, "measured from " + plain(v.low, 6) + " to " + plain(v.high, 6)));
    });
  }

  predictionPanel() {
    const output = el("output", { class: "prediction", "aria-live": "polite" });
    this.observers.push(() => this.showPrediction(output));
    this.showPrediction(output);
    return el("form", { class: "panel", "aria-label": "Predict " + this.title, onsubmit: (event) => event.preventDefault() }, el("h3", {}, "Predict"),
      this.controls(), this.fixed.length ? el("p", { class: "faint" }, this.fixed.map((v) => v.name + " = " + plain(v.fixed, 6)).join(", ") + " at all points") : "", output);
  }

  // Which of several values of the constants count here.
  usedPieces() {
    const list = [];
    for (const [c, column] of this.model.columnsAt(this.place)) {
      const constant = this.data.constants[c], k = constant.columns.indexOf(column);
      if (constant.pieces.length > 1 && k >= 0) list.push(constant.name + " as for " + (constant.pieces[k].where.join(", ") || "all"));
    }
    return list;
  }

  showPrediction(output) {
    const p = this.predict(), d = output.dataset;
    this.current = p;
    if (p.error) {
      for (const key of Object.keys(d)) delete d[key];
      d.error = p.error;
      return output.replaceChildren(el("p", { class: "mark" }, p.error));
    }
    delete d.error;
    Object.assign(d, { value: p.value, low: p.low, high: p.high, singleLow: p.single_low, singleHigh: p.single_high, extrapolates: p.extrapolates.map((e) => e.variable).join(" ") });
    const marks = CLL.remarks(p), pieces = this.usedPieces();
    output.replaceChildren(el("p", { class: "value" }, quantity(p.value, this.unit, 4)),
      el("dl", {}, el("dt", {}, "typical, 95 %"), el("dd", {}, interval(p.low, p.high, this.unit, 4)), this.data.is_spread ? "" : [el("dt", {}, "one execution, 95 %"), el("dd", {}, interval(p.single_low, p.single_high, this.unit, 3))],
        pieces.length ? [el("dt", {}, "interval used"), el("dd", {}, pieces.map((t) => el("div", {}, t)))] : "",
        p.amplification > 1 ? [el("dt", {}, "slowest rank"), el("dd", {}, "a factor of " + plain(p.amplification, 3))] : ""),
      p.extrapolates.length ? el("p", { class: "mark" }, el("b", {}, "extrapolates: "), marks.join(", ")) : marks.length ? el("p", { class: "mark" }, marks.join(", ")) : el("p", { class: "inside" }, "inside the measured values"));
  }

  // ---- pictures

  // Points by the values of the other variables of the model: [{label, place, points}]; null if they are too many.
  groups(axis) {
    if (!this.grouped.has(axis)) this.grouped.set(axis, this.findGroups(axis));
    return this.grouped.get(axis);
  }

  findGroups(axis) {
    const others = this.variables.filter((v) => v.name !== axis && v.used).map((v) => this.columnOf(v.name)), found = new Map();
    for (let k = 0; k < this.count; k++) {
      const key = others.map((c) => c.values[k]).join(" ");
      if (!found.has(key)) {
        if (found.size === MOST_SERIES) return null;
        found.set(key, { label: others.map((c) => c.name + " = " + plain(c.values[k], 6)).join(", "), place: new Map(others.map((c) => [c.name, c.values[k]])), points: [] });
      }
      found.get(key).points.push(k);
    }
    return [...found.values()].sort((a, b) => [...a.place.values()].reduce((s, x, i) => s || x - [...b.place.values()][i], 0));
  }

  // The values along the axis at which a curve is computed; on both sides of each boundary, too.
  curvePlaces(axis, x) {
    const list = [];
    for (let k = 0; k < CURVE; k++) list.push(x.log ? x.low * Math.pow(x.high / x.low, k / (CURVE - 1)) : x.low + ((x.high - x.low) * k) / (CURVE - 1));
    for (const b of this.data.evaluator.boundaries) {
      if (this.data.evaluator.coordinates[b.variable][0] !== axis) continue;
      for (const p of [b.below, b.below * (1 + 1e-9), b.above * (1 - 1e-9), b.above]) if (p > x.low && p < x.high) list.push(p);
    }
    return list.sort((a, b) => a - b);
  }

  curve(axis, place, x, change) {
    return this.curvePlaces(axis, x).map((at) => {
      const p = this.predictPoint(new Map([...this.place, ...place, [axis, at]]));
      return change({ x: at, y: p.value, low: p.low, high: p.high });
    });
  }

  xAxis(axis, values, extra) {
    let low = Infinity, high = -Infinity, binary = true;
    for (const v of values) {
      if (v < low) low = v;
      if (v > high) high = v;
      binary = binary && isPowerOfTwo(v);
    }
    const log = this.linear ? false : spansWidely(low, high);
    if (extra !== undefined && Number.isFinite(extra) && (!log || extra > 0)) {
      low = Math.min(low, extra);
      high = Math.max(high, extra);
    }
    return new Axis({ label: axis, low: low, high: high, log: log, binary: binary && log, whole: this.columnOf(axis) !== undefined && allIntegers([...values.slice(0, 1000)]) });
  }

  pick(list, values, keepLeft) {
    const out = [];
    for (const k of list) if (this.leftOut.has(k) === keepLeft) out.push(values[k]);
    return Float64Array.from(out);
  }

  // The points of a series, made once for each `key`; `cache` is for what is drawn of them.
  dots(key, points, xs, ys, tint) {
    if (!this.series.has(key)) this.series.set(key, { colour: tint, xs: this.pick(points, xs, false), ys: this.pick(points, ys, false), left: { xs: this.pick(points, xs, true), ys: this.pick(points, ys, true) }, cache: {} });
    return Object.assign({}, this.series.get(key));
  }

  everyPoint() {
    return [...Array(this.count).keys()];
  }

  // Measured and predicted over a variable.
  overVariable() {
    const axis = this.axis, xs = this.columnOf(axis).values, groups = this.groups(axis), same = (p) => p, x = this.xAxis(axis, xs, this.place.get(axis));
    const series = groups ? groups.map((g, k) => Object.assign(this.dots(axis + " " + k, g.points, xs, this.measured, colour(k)), { label: g.label, dash: dash(k), curve: this.curve(axis, g.place, x, same) }))
      : [this.dots(axis, this.everyPoint(), xs, this.measured, "var(--faint)"), { label: "at the chosen values", colour: colour(0), curve: this.curve(axis, this.place, x, same) }];
    // Many points stay where they are while the curve among them moves.
    const curves = groups ? series.map((s) => s.curve) : [], marker = this.marker();
    const [least, most] = this.measured.reduce(([low, high], m) => [Math.min(low, m), Math.max(high, m)], [Infinity, -Infinity]);
    const log = !this.linear && least > 0 && (x.log || spansWidely(least, most));
    const y = valueAxis(this.data.is_spread ? this.data.statistic_text : this.data.observable === "CLOCK" ? "time" : this.data.observable, this.unit, log, [...this.measured, marker ? marker.y : NaN], curves);
    this.shown = groups;
    this.drawn = series.map((s) => (s.xs && s.xs.length + s.left.xs.length > 0) || isDrawn(s.curve || [], x, y));
    return { x: x, y: y, series: series, marker: marker, onpick: (v) => this.setValue(axis, this.nearValue(axis, v)), text: this.describe(axis) };
  }

  // A whole number if the variable has only such values.
  nearValue(axis, v) {
    return allIntegers([...this.columnOf(axis).values.slice(0, 1000)]) ? Math.round(v) : Number(v.toPrecision(4));
  }

  describe(axis) {
    return this.count + " points over " + axis + ", error mean " + percent(this.data.error.mean_pct) + ", largest " + percent(this.data.error.max_pct);
  }

  // Measured over predicted: the diagonal is a perfect model.
  overPredicted() {
    const x = this.xAxis("predicted", this.predicted.filter((v) => !(v <= 0) || this.linear));
    x.unit = this.unit;
    const order = this.everyPoint().sort((a, b) => this.predicted[a] - this.predicted[b]), step = Math.max(1, Math.floor(order.length / 80)), curve = [];
    for (let k = 0; k < order.length; k += step) {
      const p = this.predictPoint(new Map(this.columns.map((c) => [c.name, c.values[order[k]]])));
      curve.push({ x: this.predicted[order[k]], y: this.predicted[order[k]], low: p.low, high: p.high });
    }
    const y = valueAxis("measured", this.unit, x.log, [...this.measured], [curve]);
    return { x: x, y: y, series: [Object.assign(this.dots("predicted", this.everyPoint(), this.predicted, this.measured, colour(0)), { curve: curve })], text: this.describe("the predicted value") };
  }

  residuals() {
    const byPredicted = this.axis === null || this.overIs === "predicted", xs = byPredicted ? this.predicted : this.columnOf(this.axis).values;
    const x = this.main && this.main.spec ? new Axis(this.main.spec.x) : this.xAxis(this.axis || "predicted", xs);
    const used = this.error.filter((e, k) => !this.leftOut.has(k) && Number.isFinite(e)), most = used.reduce((m, e) => Math.max(m, Math.abs(e)), 0) || 1;
    const y = new Axis({ label: "error", unit: "%", low: -most * 1.1, high: most * 1.1 }), groups = byPredicted ? null : this.shown;
    const series = groups ? groups.map((g, k) => this.dots("error " + this.axis + " " + k, g.points, xs, this.error, colour(k)))
      : [this.dots("error " + (byPredicted ? "by predicted" : this.axis), this.everyPoint(), xs, this.error, byPredicted ? colour(0) : "var(--faint)")];
    return { x: x, y: y, height: 170, series: series, lines: [{ y: 0 }], text: "Errors of the points in percent of the measured value" };
  }

  marker() {
    const p = this.current;
    return this.axis === null || this.overIs === "predicted" || !p || p.error ? null
      : { x: this.place.get(this.axis), y: p.value / p.times, low: p.low / p.times, high: p.high / p.times };
  }

  showLegend() {
    const entries = [];
    if (this.shown && this.overIs !== "predicted") this.shown.forEach((g, k) => g.label && this.drawn[k] && entries.push({ label: g.label, look: k }));
    if (!this.shown && this.overIs !== "predicted") entries.push({ label: "all points", colour: "var(--faint)", kind: "dot" }, ...(this.drawn[1] ? [{ label: "model at the chosen values", look: 0 }] : []));
    if (!entries.length) entries.push({ label: "measured", colour: colour(0), kind: "dot" }, { label: "predicted, with the 95 % band of a value", look: 0 });
    if (this.leftOut.size) entries.push({ label: "left out of the fit", colour: "var(--faint)", kind: "cross" });
    if (this.overIs !== "predicted") entries.push({ label: "prediction", colour: "var(--ink)", kind: "diamond" });
    this.legendPlace.replaceChildren(legend(entries));
  }

  pictures() {
    const figure = el("figure", {}), below = el("figure", {}), id = this.id + "-axis";
    const choice = el("select", { id: id, onchange: () => {
      this.overIs = choice.value === "" ? "predicted" : "variable";
      if (choice.value !== "") this.axis = choice.value;
      this.main.draw();
    } }, this.variables.filter((v) => this.columnOf(v.name).varies).map((v) => el("option", { value: v.name }, "over " + v.name)), el("option", { value: "" }, "measured over predicted"));
    const linear = el("input", { type: "checkbox", onchange: () => { this.linear = linear.checked; this.main.draw(); } });
    this.overIs = this.axis === null ? "predicted" : "variable";
    this.legendPlace = el("figcaption", {});
    this.main = new Picture(figure, "Measured and predicted values of " + this.title, () => (this.overIs === "predicted" ? this.overPredicted() : this.overVariable()));
    this.rest = new Picture(below, "Errors of " + this.title, () => this.residuals());
    this.main.after = () => this.followMain();
    figure.append(this.legendPlace);
    this.observers.push(() => this.place.size && this.followPlace());
    return el("div", { class: "pictures" }, el("div", { class: "choices" }, el("label", { for: id }, "Picture "), choice, el("label", {}, linear, " linear axes")), figure, below);
  }

  // The errors have the same horizontal axis: they are drawn again when that changes.
  followMain() {
    const x = this.main.spec.x, key = [this.overIs, x.label, x.low, x.high, x.log, this.main.width].join(" ");
    if (key === this.drawnWith) return;
    this.drawnWith = key;
    this.rest.draw();
    this.showLegend();
  }

  // The marker moves; the curves are drawn again only if they change or the place is outside of the picture.
  followPlace() {
    const m = this.marker();
    if (!m) return;
    if (!this.shown || !this.main.inside(m.x, m.y)) this.main.draw();
    else this.main.drawMarker(m);
  }

  // ---- speed-up and efficiency

  scalesOverP() {
    const v = this.variables.find((x) => x.name === "P" && x.used);
    return this.unit === "s" && v && v.high > v.low ? v : null;
  }

  speedups() {
    const v = this.scalesOverP(), p0 = v.low, others = this.variables.filter((x) => x.used && x.name !== "P");
    const reference = p0 * this.predictPoint(new Map([...this.place, ["P", p0]])).value;
    const x = this.xAxis("P", this.columnOf("P").values, this.place.get("P"));
    const points = this.everyPoint().filter((k) => others.every((o) => this.columnOf(o.name).values[k] === this.place.get(o.name)));
    const at = others.map((o) => o.name + " = " + plain(this.place.get(o.name), 6)).join(", ");
    return { x: x, p0: p0, reference: reference, points: points, at: at };
  }

  speedupPicture(efficiency) {
    const s = this.speedups(), ps = this.columnOf("P").values, value = (p, time) => s.reference / time / (efficiency ? p : 1);
    const curve = this.curve("P", new Map(), s.x, (c) => ({ x: c.x, y: value(c.x, c.y), low: value(c.x, c.high), high: c.low > 0 ? value(c.x, c.low) : NaN }));
    const ys = this.measured.map((m, k) => value(ps[k], m)), shown = this.pick(s.points, ys, false);
    const ideal = efficiency ? [{ x: s.x.low, y: 1 }, { x: s.x.high, y: 1 }] : curve.map((c) => ({ x: c.x, y: c.x }));
    const y = valueAxis(efficiency ? "efficiency" : "speed-up", "", !efficiency && s.x.log, [...shown, ...(efficiency ? [0, 1] : ideal.map((p) => p.y))], [curve]);
    return { x: s.x, y: y, height: 220, series: [{ colour: "var(--faint)", curve: ideal, dashed: true }, { colour: colour(0), xs: this.pick(s.points, ps, false), ys: shown, curve: curve }],
      text: (efficiency ? "Efficiency" : "Speed-up") + " over P" + (s.at ? " at " + s.at : "") };
  }

  scaling() {
    if (!this.scalesOverP()) return "";
    const caption = el("p", { class: "faint" }), figures = [el("figure", {}), el("figure", {})];
    const drawn = figures.map((f, k) => new Picture(f, (k ? "Efficiency of " : "Speed-up of ") + this.title, () => this.speedupPicture(k === 1)));
    const say = () => {
      const s = this.speedups();
      caption.textContent = "Relative to P = " + plain(s.p0, 6) + (s.at ? ", at " + s.at : "") + ". The dashed line is the ideal; points are the measured values there.";
    };
    this.observers.push(() => { say(); drawn.forEach((d) => d.draw()); });
    say();
    return el("section", {}, el("h3", {}, "Speed-up and efficiency"), caption, el("div", { class: "pair" }, figures));
  }

  // ---- constants

  constantRows(c, k) {
    const name = el("th", { scope: "row", rowspan: String(Math.max(1, c.pieces.length)), colour: colour(k) }, el("i", { class: "swatch", "aria-hidden": "true" }), constantName(c.name));
    const term = el("td", { rowspan: String(Math.max(1, c.pieces.length)) }, c.term === null ? "exponent" : mathFormula(c.term, c.term_text));
    if (!c.pieces.length) return [el("tr", {}, name, term, el("td", { colspan: "4" }, "the data do not determine it"), this.shareCell(k))];
    return c.pieces.map((p, i) => {
      const unit = c.term === null ? "" : this.unit, half = (p.high - p.low) / 2;
      const row = el("tr", { "data-column": String(c.columns[i]) }, i ? "" : [name, term], el("td", { class: "number" }, quantity(p.value, unit, 4)),
        el("td", { class: "number" }, c.at_bound ? "held at 0" : p.low === null ? "not known" : interval(p.low, p.high, unit, 4)), el("td", { class: "number" }, p.low === null || p.value === 0 ? "" : percent((100 * half) / Math.abs(p.value))),
        el("td", {}, p.where.join(", ") || "all"), i ? "" : this.shareCell(k, c.pieces.length));
      this.pieceRows.set(c.columns[i], row);
      return row;
    });
  }

  shareCell(k, rows) {
    const cell = el("td", { class: "share", rowspan: String(rows || 1), colour: colour(k) });
    this.shareCells[k] = cell;
    return cell;
  }

  // What each term contributes at the chosen values, and which of its values counts.
  showShares() {
    let terms = null;
    try {
      terms = this.model.terms(this.place);
    } catch (error) {
      if (!(error instanceof CLL.NoValue)) throw error;
    }
    const total = terms ? terms.reduce((s, t) => s + Math.abs(t), 0) : 0;
    this.shareCells.forEach((cell, k) => {
      if (!(total > 0)) return cell.replaceChildren("?");
      const part = (100 * terms[k]) / total;
      cell.replaceChildren(percent(part), el("span", { class: "bar", "aria-hidden": "true" }, setWidth(el("i", {}), Math.abs(part))));
    });
    const counting = new Set(terms ? this.model.columnsAt(this.place).map(([, column]) => column) : []);
    for (const [column, row] of this.pieceRows) row.classList.toggle("used", counting.has(column) && this.pieceRows.size > this.data.constants.length);
  }

  constants() {
    this.pieceRows = new Map();
    this.shareCells = [];
    if (!this.data.constants.length) return el("p", {}, "The formula has no constants: it is compared with the data.");
    const table = el("table", { class: "constants" }, el("thead", {}, el("tr", {}, ["constant", "of the term", "value", "95 % interval", "±", "holds for", "share here"].map((h) => el("th", { scope: "col" }, h)))),
      el("tbody", {}, this.data.constants.map((c, k) => this.constantRows(c, k))));
    this.observers.push(() => this.showShares());
    this.showShares();
    return el("section", {}, el("h3", {}, "Constants"), scrolling("Constants of " + this.title, table));
  }

  // ---- the other parts

  warnings() {
    const list = this.data.warnings;
    return list.length ? el("ul", { class: "warnings", id: this.id + "-warnings" }, list.map((w) => el("li", {}, el("b", {}, "Warning: "), w.text, w.advice ? el("p", {}, el("b", {}, "What to do: "), w.advice) : ""))) : "";
  }

  facts() {
    const d = this.data, error = d.error;
    const warnings = d.warnings.length;
    return el("p", { class: "faint" }, warnings ? [el("a", { href: "#" + this.id + "-warnings" }, warnings === 1 ? "1 warning" : warnings + " warnings"), "; "] : "", d.points.all + (d.points.all === 1 ? " point, " : " points, ") + d.samples + " samples, " + d.statistic_text + " of each; error mean " + percent(error.mean_pct) + ", largest " + percent(error.max_pct) +
      (error.loo_mean_pct === null ? "" : ", of points left out in turn " + percent(error.loo_mean_pct)) + (d.sources.length ? "; in " + d.sources.join(", ") : "") + (d.machine ? "; machine " + d.machine.name + ", measured " + d.machine.date : ""),
      d.account.split("\n").filter((line) => line.trim()).map((line) => el("span", { class: "account" }, line.trim())));
  }

  operations() {
    return this.data.counts.map((report) => {
      const classes = Object.keys(report.constants[0] ? report.constants[0].classes : {}).filter((c) => report.constants.some((k) => k.classes[c]));
      const table = el("table", {}, el("thead", {}, el("tr", {}, ["constant", "instructions"].concat(classes).map((h) => el("th", { scope: "col" }, h)))),
        el("tbody", {}, report.constants.map((c) => el("tr", {}, el("th", { scope: "row" }, c.name), el("td", { class: "number" }, (c.exact ? "= " : "≈ ") + plain(c.instructions, 4)), classes.map((name) => el("td", { class: "number" }, plain(c.classes[name], 4)))))));
      return el("section", {}, el("h3", {}, "Operations behind each constant"), el("p", { class: "faint" }, "What one unit of the term executes" + (report.architecture ? " on " + report.architecture : "") + ": " + [report.compiler, report.flags].filter(Boolean).join(" ") +
        (report.unexplained > 0.005 ? "; " + percent(100 * report.unexplained) + " of the instructions follow no term" : "")), scrolling("Operations of " + this.title, table));
    });
  }

  heading() {
    return el("h2", { id: this.id + "-title" }, this.name, this.data.set ? el("small", {}, " " + this.data.set) : "", this.data.searched ? el("small", { class: "searched", title: "A search found this formula in the data." }, " searched") : "");
  }

  content() {
    this.prepare();
    const d = this.data, used = d.evaluator.variables.filter((v) => v.used).map((v) => v.name), hasVariables = this.variables.length > 0;
    const panel = this.predictionPanel();
    return [el("div", { class: "formula", role: "region", "aria-label": "Formula of " + this.title, tabindex: "0" }, mathFormula(d.tree, d.formula, d.experiment, used)),
      d.searched ? el("p", { class: "faint" }, "A search found this formula in the data.") : "", this.facts(),
      el("div", { class: "sides" + (hasVariables ? "" : " one") }, this.count ? this.pictures() : "", panel), this.warnings(), this.constants(), this.scaling(), this.operations(), new PointTable(this).details()];
  }

  // The whole section, or folded one that is made when it is opened.
  section(folded) {
    const section = el("section", { class: "experiment", id: this.id, "aria-labelledby": this.id + "-title" });
    if (!folded) return addTo(section, [this.heading(), this.content()]);
    const warnings = this.data.warnings.length;
    this.fold = el("details", { class: "fold", ontoggle: () => this.fold.open && this.fill() }, el("summary", {}, this.heading(), el("span", { class: "faint" }, this.data.formula + (warnings ? "; " + warnings + (warnings === 1 ? " warning" : " warnings") : ""))));
    return addTo(section, [this.fold]);
  }

  fill() {
    if (this.filled) return;
    this.filled = true;
    addTo(this.fold, this.content());
  }

  open() {
    if (!this.fold) return;
    this.fill();
    this.fold.open = true;
  }
}

function setWidth(node, part) {
  node.style.width = Math.min(100, part) + "%";
  return node;
}

// A wide table scrolls in its own place, also with the keyboard.
const scrolling = (label, table) => el("div", { class: "scrolling", role: "region", "aria-label": label, tabindex: "0" }, table);

// ---- the table of points, a page at a time

class PointTable {
  constructor(view) {
    this.view = view;
    this.page = 0;
    const columns = view.columns.filter((c) => c.shown || c.varies).map((c) => ({ label: c.name, values: c.values, text: (x) => plain(x, 12) }));
    this.columns = columns.concat([{ label: "samples", values: view.samples, text: (x) => plain(x, 9) }, { label: "measured", values: view.measured, text: (x) => quantity(x, view.unit, 4) },
      { label: "predicted", values: view.predicted, text: (x) => quantity(x, view.unit, 4) }, { label: "error", values: view.error, text: percent }]);
    this.order = view.everyPoint();
    this.sorted = -1;
    this.falling = false;
  }

  sort(k) {
    this.falling = this.sorted === k && !this.falling;
    this.sorted = k;
    const values = this.columns[k].values, sign = this.falling ? -1 : 1, key = (i) => (Number.isNaN(values[i]) ? -Infinity : values[i]);
    this.order.sort((a, b) => sign * (key(a) - key(b)) || a - b);
    this.page = 0;
    this.show();
  }

  row(i) {
    const left = this.view.leftOut.has(i);
    return el("tr", { class: left ? "left" : false }, this.columns.map((c) => el("td", { class: "number" }, c.text(c.values[i]))), el("td", {}, left ? "left out" : ""));
  }

  show() {
    const pages = Math.max(1, Math.ceil(this.order.length / ROWS)), first = this.page * ROWS;
    this.body.replaceChildren(...this.order.slice(first, first + ROWS).map((i) => this.row(i)));
    this.heads.forEach((h, k) => h.setAttribute("aria-sort", k !== this.sorted ? "none" : this.falling ? "descending" : "ascending"));
    this.status.textContent = this.order.length ? "points " + (first + 1) + " to " + Math.min(first + ROWS, this.order.length) + " of " + this.order.length : "";
    this.back.disabled = this.page === 0;
    this.next.disabled = this.page >= pages - 1;
  }

  turn(by) {
    this.page = Math.max(0, this.page + by);
    this.show();
  }

  details() {
    const all = this.view.data.points.all;
    this.body = el("tbody", {});
    this.status = el("span", { role: "status" });
    this.back = el("button", { type: "button", onclick: () => this.turn(-1) }, "Previous");
    this.next = el("button", { type: "button", onclick: () => this.turn(1) }, "Next");
    this.heads = this.columns.map((c, k) => el("th", { scope: "col" }, el("button", { type: "button", class: "sort", onclick: () => this.sort(k) }, c.label)));
    const table = el("table", { class: "points" }, el("thead", {}, el("tr", {}, this.heads, el("th", { scope: "col" }, "remark"))), this.body);
    this.show();
    return el("details", {}, el("summary", {}, "Points (" + all + (all > this.order.length ? ", " + this.order.length + " of them here" : "") + ")"), scrolling("Points of " + this.view.title, table),
      el("p", { class: "turn" }, this.back, this.next, this.status));
  }
}
