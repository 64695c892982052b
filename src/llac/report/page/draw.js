// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures: axes, points, curves with their bands, drawn as SVG in the size of their place. All points of a series are
// one path, and points on the same pixel are drawn once, so that a hundred thousand of them cost little.

const MARGIN = { left: 70, right: 14, top: 10, bottom: 40 };

function niceStep(range, most) {
  const rough = range / most, power = Math.pow(10, Math.floor(Math.log10(rough)));
  return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= rough * 0.999);
}

function multiples(step, low, high) {
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high * (1 + 1e-12) + 1e-300 && list.length < 50; k++) list.push(k * step);
  return list;
}

// One tick gives no scale: then a finer step.
function linearTicks(low, high, most, whole) {
  const list = multiples(Math.max(niceStep(high - low, most), whole ? 1 : 0), low, high);
  return list.length > 1 || whole ? list : multiples(niceStep(high - low, 2 * most), low, high);
}

function logTicks(low, high, most, base, whole) {
  const first = Math.ceil(Math.log(low) / Math.log(base) - 1e-9), last = Math.floor(Math.log(high) / Math.log(base) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first + 1) / most)), list = [];
  for (let k = first; k <= last; k += step) list.push(Math.pow(base, k));
  if (base === 10 && list.length <= 2) {
    list.length = 0;
    for (let k = first - 1; k <= last; k++) for (const m of [1, 2, 5]) list.push(m * Math.pow(10, k));
    const shown = list.filter((x) => x >= low * (1 - 1e-9) && x <= high * (1 + 1e-9) && !(whole && x < 1));
    return shown.length > 1 ? shown : linearTicks(low, high, most, whole);
  }
  return list.length > 1 ? list : linearTicks(low, high, most, whole);
}

const isPowerOfTwo = (x) => x > 0 && Number.isInteger(Math.log2(x));

// Whether an axis over these values is logarithmic: they are positive and span a wide range.
const spansWidely = (low, high) => low > 0 && high / low > 20;

class Axis {
  // {label, unit ("s": times), low, high, log, binary, whole (ticks only at whole numbers)}
  constructor(options) {
    Object.assign(this, { unit: "", binary: false, log: false, whole: false }, options);
    if (!(this.high > this.low)) {
      const reach = Math.abs(this.low) * 0.1 || 1;
      this.low -= reach;
      this.high += reach;
      this.log = this.log && this.low > 0;
    }
  }

  place(from, to) {
    this.from = from;
    this.to = to;
    return this;
  }

  at(x) {
    const part = this.log ? Math.log(x / this.low) / Math.log(this.high / this.low) : (x - this.low) / (this.high - this.low);
    return this.from + part * (this.to - this.from);
  }

  valueAt(pixel) {
    const part = (pixel - this.from) / (this.to - this.from);
    return this.log ? this.low * Math.pow(this.high / this.low, part) : this.low + part * (this.high - this.low);
  }

  ticks(most) {
    return this.log ? logTicks(this.low, this.high, most, this.binary ? 2 : 10, this.whole) : linearTicks(this.low, this.high, most, this.whole);
  }

  text(x) {
    if (this.unit === "%") return plain(x, 3) + " %";
    if (this.binary && x >= 4096 && isPowerOfTwo(x)) return "2" + superscript(Math.log2(x));
    if (this.log && this.unit === "" && x >= 1e5 && Number.isInteger(Math.log10(x))) return "10" + superscript(Math.log10(x));
    return quantity(x, this.unit, 3, this.log ? x : Math.max(Math.abs(this.high), Math.abs(this.low)));
  }
}

const round = (x) => Math.round(x * 10) / 10;

function dotsPath(xs, ys, x, y, width, height) {
  const seen = new Set(), parts = [];
  for (let k = 0; k < xs.length; k++) {
    const px = Math.round(x.at(xs[k]) * 2) / 2, py = Math.round(y.at(ys[k]) * 2) / 2;
    if (!(px >= 0 && px <= width && py >= -5 && py <= height)) continue;
    const key = px * 8192 + py;
    if (seen.has(key)) continue;
    seen.add(key);
    parts.push("M" + px + " " + py + "h0");
  }
  return parts.join("");
}

function crossesPath(xs, ys, x, y) {
  let d = "";
  for (let k = 0; k < xs.length; k++) {
    const px = round(x.at(xs[k])), py = round(y.at(ys[k]));
    if (Number.isFinite(px + py)) d += "M" + (px - 4) + " " + (py - 4) + "l8 8m-8 0l8 -8";
  }
  return d;
}

function linePath(list, x, y, member) {
  let d = "", pen = false;
  for (const p of list) {
    const px = x.at(p.x), py = y.at(p[member]);
    if (!Number.isFinite(px + py) || p.fresh) pen = false;
    if (!Number.isFinite(px + py)) continue;
    d += (pen ? "L" : "M") + round(px) + " " + round(Math.max(-2000, Math.min(4000, py)));
    pen = true;
  }
  return d;
}

function bandPath(list, x, y) {
  const known = list.filter((p) => Number.isFinite(p.low) && Number.isFinite(p.high));
  if (known.length < 2) return "";
  const clamp = (v) => round(Math.max(-2000, Math.min(4000, y.log && !(v > 0) ? 4000 : y.at(v))));
  return "M" + known.map((p) => round(x.at(p.x)) + " " + clamp(p.high)).join("L") + "L" +
    known.slice().reverse().map((p) => round(x.at(p.x)) + " " + clamp(p.low)).join("L") + "Z";
}

let pictures = 0;

// A picture in `figure`, which draws itself again when its width changes. `make(width)` gives what is drawn:
// {x, y (axes), height, series: [{label, colour, dash, xs, ys, left: {xs, ys}, curve, bare (no band), dashed}], lines: [{y}|{x}], marker, text}.
class Picture {
  constructor(figure, label, make) {
    this.figure = figure;
    this.make = make;
    this.number = ++pictures;
    this.label = label;
    this.width = 0;
    this.holder = el("div", { class: "picture" });
    figure.prepend(this.holder);
    new ResizeObserver(() => requestAnimationFrame(() => this.fit())).observe(this.holder);
  }

  fit() {
    const width = Math.round(this.holder.clientWidth);
    if (width > 0 && width !== this.width) {
      this.width = width;
      this.draw();
    }
  }

  draw() {
    if (!this.width) return;
    const width = this.width, spec = this.make(width), height = spec.height || 280;
    this.spec = spec;
    spec.x.place(MARGIN.left, width - MARGIN.right);
    spec.y.place(height - MARGIN.bottom, MARGIN.top);
    const clip = "clip" + this.number;
    const root = svg("svg", { width: width, height: height, viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": this.label + ". " + spec.text });
    root.append(svg("clipPath", { id: clip }, svg("rect", { x: MARGIN.left - 4, y: MARGIN.top - 4, width: width - MARGIN.left - MARGIN.right + 8, height: height - MARGIN.top - MARGIN.bottom + 8 })));
    this.drawAxes(root, spec, width, height);
    const inside = svg("g", { "clip-path": "url(#" + clip + ")" });
    for (const line of spec.lines || []) inside.append(svg("path", { class: "rule " + (line.class || ""), d: line.d || (line.y !== undefined ? "M" + spec.x.from + " " + round(spec.y.at(line.y)) + "H" + spec.x.to : "M" + round(spec.x.at(line.x)) + " " + spec.y.from + "V" + spec.y.to) }));
    for (const s of spec.series) if (s.curve && !s.bare) inside.append(svg("path", { class: "band", colour: s.colour, d: bandPath(s.curve, spec.x, spec.y) }));
    for (const s of spec.series) {
      if (s.xs) inside.append(this.dotsOf(s, spec, width, height));
      if (s.left && s.left.xs.length) inside.append(svg("path", { class: "crosses", colour: s.colour, d: crossesPath(s.left.xs, s.left.ys, spec.x, spec.y) }));
      if (s.curve) inside.append(svg("path", { class: "curve" + (s.dashed ? " dashed" : ""), colour: s.colour, "stroke-dasharray": s.dash, d: linePath(s.curve, spec.x, spec.y, "y") }));
    }
    this.markerLayer = svg("g", { class: "marker" });
    inside.append(this.markerLayer);
    root.append(inside);
    this.drawMarker(spec.marker);
    if (spec.onpick) root.addEventListener("click", (event) => {
      const px = event.clientX - root.getBoundingClientRect().left;
      if (px >= spec.x.from && px <= spec.x.to) spec.onpick(spec.x.valueAt(px));
    });
    this.holder.replaceChildren(root);
    if (this.after) this.after();
  }

  // The points of a series; the element is used again while the axes stay as they are.
  dotsOf(s, spec, width, height) {
    const { x, y } = spec, cache = s.cache || {}, key = [this.number, width, height, x.low, x.high, x.log, y.low, y.high, y.log].join(" ");
    if (cache.key !== key) {
      cache.key = key;
      cache.node = svg("path", { class: "dots" + (s.xs.length > 3000 ? " many" : ""), colour: s.colour, d: dotsPath(s.xs, s.ys, x, y, width, height) });
    }
    return cache.node;
  }

  drawAxes(root, spec, width, height) {
    const bottom = height - MARGIN.bottom;
    for (const t of spec.y.ticks(Math.max(4, Math.floor(height / 50)))) {
      const py = round(spec.y.at(t));
      root.append(svg("path", { class: "grid", d: "M" + MARGIN.left + " " + py + "H" + (width - MARGIN.right) }), svg("text", { x: MARGIN.left - 6, y: py + 4, class: "end" }, spec.y.text(t)));
    }
    for (const t of spec.x.ticks(Math.max(3, Math.floor(width / 95)))) {
      const px = round(spec.x.at(t));
      root.append(svg("path", { class: "grid", d: "M" + px + " " + MARGIN.top + "V" + bottom }), svg("text", { x: Math.min(px, width - 2 - 3.5 * spec.x.text(t).length), y: bottom + 16, class: "middle" }, spec.x.text(t)));
    }
    root.append(svg("path", { class: "axis", d: "M" + MARGIN.left + " " + MARGIN.top + "V" + bottom + "H" + (width - MARGIN.right) }),
      svg("text", { x: (MARGIN.left + width - MARGIN.right) / 2, y: height - 6, class: "middle label" }, spec.x.label),
      svg("text", { x: 0, y: 0, class: "middle label", transform: "translate(11 " + (MARGIN.top + bottom) / 2 + ") rotate(-90)" }, spec.y.label));
  }

  // A place with its interval: {x, y, low, high}.
  drawMarker(m) {
    if (!this.markerLayer) return;
    this.markerLayer.replaceChildren();
    if (!m || !Number.isFinite(m.y)) return;
    const { x, y } = this.spec, px = round(x.at(m.x)), py = round(y.at(m.y)), end = (v) => round(y.log && !(v > 0) ? y.from : y.at(v));
    if (!Number.isFinite(px + py)) return;
    if (Number.isFinite(m.low) && Number.isFinite(m.high)) this.markerLayer.append(svg("path", { d: "M" + px + " " + end(m.low) + "V" + end(m.high) }));
    this.markerLayer.append(svg("path", { class: "diamond", d: "M" + px + " " + (py - 6) + "l6 6l-6 6l-6 -6z" }));
  }

  inside(x, y) {
    const s = this.spec;
    return s && x >= s.x.low * (1 - 1e-9) && x <= s.x.high * (1 + 1e-9) && (y === undefined || (y >= s.y.low && y <= s.y.high));
  }
}

// What the colours and marks of a picture mean; `look`: the number of a curve.
function legend(entries) {
  return el("ul", { class: "legend" }, entries.map((e) => el("li", { class: e.kind, colour: e.colour }, e.look === undefined ? el("i", { "aria-hidden": "true" }) : sample(e.look), e.label)));
}

// Whether anything of a curve is in the picture: the legend lists no others.
const isDrawn = (curve, x, y) => curve.some((p) => Number.isFinite(p.y) && p.x >= x.low && p.x <= x.high && p.y >= y.low && p.y <= y.high);

// The vertical axis of values and curves. The values count in full; a curve may leave them by as much as they span (or a
// factor of 4 on a logarithmic axis), a band by a fifth (or a factor of 2): neither may flatten the rest.
function valueAxis(label, unit, log, values, curves) {
  const ends = { low: Infinity, high: -Infinity };
  const add = (v) => {
    if (!Number.isFinite(v) || (log && !(v > 0))) return;
    ends.low = Math.min(ends.low, v);
    ends.high = Math.max(ends.high, v);
  };
  const reach = (list, factor, part) => {
    const { low, high } = ends, span = high - low || Math.abs(high) || 1, from = log ? low / factor : low - part * span, to = log ? high * factor : high + part * span;
    for (const v of list) if (Number.isFinite(v)) add(Math.min(Math.max(v, from), to));
  };
  for (const v of values) add(v);
  if (!(ends.high >= ends.low)) for (const c of curves) for (const p of c) add(p.y);
  if (!(ends.high >= ends.low)) [ends.low, ends.high] = [0.1, 1];
  reach(curves.flatMap((c) => c.map((p) => p.y)), 4, 1);
  reach(curves.flatMap((c) => c.flatMap((p) => [p.low, p.high])), 2, 0.2);
  if (log) return new Axis({ label: label, unit: unit, low: ends.low / 1.1, high: ends.high * 1.1, log: true });
  const room = (ends.high - ends.low) * 0.04, bottom = values.some((v) => v < 0) ? -Infinity : 0;
  return new Axis({ label: label, unit: unit, low: ends.low >= 0 && ends.low - room < 0 ? 0 : Math.max(ends.low - room, bottom), high: ends.high + room });
}
