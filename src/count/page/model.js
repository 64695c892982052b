// SPDX-License-Identifier: GPL-3.0-or-later
//
// The figures of an experiment: which line executes how many instructions for which constant, and how
// that changes when a line is moved. No part of this file knows the page. assign.c of call computes the
// same figures from a saved assignment.

const CLASSES = ["integer", "float", "division", "load", "store", "branch", "call", "other"];
const UNEXPLAINED = -1;
const ROUNDING = 1e-9;

const listOf = (x) => (Array.isArray(x) ? x : []);
const textOf = (x) => (typeof x === "string" ? x : "");
const numberOf = (x) => (typeof x === "number" && isFinite(x) ? x : 0);
const sumOf = (x) => x.reduce((sum, value) => sum + value, 0);
const objectOf = (x) => (x !== null && typeof x === "object" && !Array.isArray(x) ? x : {});

// A report has {"integer": 3, "simd": {"128": 2}}; here it is a Map from "integer" and "simd 128". The page has no mnemonics.
function classesOf(object) {
  const figures = new Map();
  for (const [name, value] of Object.entries(objectOf(object))) {
    if (name === "mnemonics") continue;
    if (name !== "simd") figures.set(name, numberOf(value));
    else for (const [bits, count] of Object.entries(objectOf(value))) figures.set("simd " + bits, numberOf(count));
  }
  return figures;
}

function addFigures(to, from, factor) {
  for (const [name, value] of from) {
    const sum = (to.get(name) || 0) + factor * value;
    to.set(name, Math.abs(sum - Math.round(sum)) < ROUNDING ? Math.round(sum) : sum);
  }
}

// What a line or a constant executes for one unit of a term. `counts` is for unexplained lines: the
// instructions of one execution at each point.
function partOf(entry, constant) {
  const e = objectOf(entry);
  return {
    constant: constant,
    instructions: numberOf(e.instructions),
    classes: classesOf(e.classes),
    exact: e.exact === true,
    step: numberOf(e.step),
    follows: listOf(e.follows).map(textOf),
    term: textOf(e.term),
    counts: Array.isArray(e.counts) ? e.counts.map(numberOf) : null,
  };
}

class Experiment {
  constructor(source, units) {
    const e = objectOf(source);
    this.name = textOf(e.name);
    this.formula = textOf(e.formula);
    this.executions = listOf(objectOf(units).executions).map(numberOf);
    this.points = listOf(e.points).map((p) => objectOf(p));
    this.constants = listOf(e.constants).map((c, k) => ({
      index: k,
      name: textOf(objectOf(c).name),
      term: textOf(objectOf(c).term),
      units: listOf(objectOf(units).units)[k] || null,
      part: partOf(c, k),
      dependent: objectOf(c).dependent === true,
    }));
    this.lines = new Map();
    listOf(e.constants).forEach((c, k) => {
      for (const entry of listOf(objectOf(c).lines)) this.add(entry, k);
    });
    for (const entry of listOf(e.unexplained)) this.add(entry, UNEXPLAINED);
    this.history = [];
  }

  // The instructions of a library belong to its functions, and have no lines.
  add(entry, constant) {
    const file = textOf(objectOf(entry).file), number = numberOf(objectOf(entry).line), name = textOf(objectOf(entry).function);
    const key = JSON.stringify([file, number, name]);
    if (!this.lines.has(key))
      this.lines.set(key, { key: key, file: file, function: name, line: number, home: [], parts: [], assigned: false, moved: null });
    const line = this.lines.get(key);
    line.home.push(partOf(entry, constant));
    line.parts = line.home;
    if (objectOf(entry).assigned === true) line.assigned = true;
  }

  // How often a part counts at each point.
  unitsOf(part) {
    return part.constant === UNEXPLAINED ? this.executions : this.constants[part.constant].units;
  }

  // Instructions of a part at each point; null if the units are not known.
  executed(part) {
    const units = this.unitsOf(part);
    if (!units) return null;
    return units.map((n, p) => n * (part.counts && p < part.counts.length ? part.counts[p] : part.instructions));
  }

  // Instructions of a part at one point, or at all of them (point -1).
  executedAt(part, point) {
    const at = this.executed(part);
    return !at ? 0 : point < 0 ? sumOf(at) : at[point] || 0;
  }

  // What a line executes does not change with its constant.
  lineAt(line, point) {
    return sumOf(line.home.map((part) => this.executedAt(part, point)));
  }

  // {total, of}: instructions of the experiment, and of each constant (UNEXPLAINED, too).
  sharesAt(point) {
    const of = new Map();
    let total = 0;
    for (const line of this.lines.values())
      for (const part of line.parts) {
        const n = line.parts === line.home ? this.executedAt(part, point) : this.lineAt(line, point);
        of.set(part.constant, (of.get(part.constant) || 0) + n);
        total += n;
      }
    return { total: total, of: of };
  }

  // Why no line can be moved to this constant; "" if it can.
  obstacle(constant) {
    const units = this.constants[constant].units;
    return units && sumOf(units) !== 0 ? "" : "its term has no value at the points of the report";
  }

  // What a line would be as a line of this constant alone; null if that cannot be computed.
  partAs(line, constant) {
    if (line.home.length === 1 && line.home[0].constant === constant) return line.home[0];
    const units = this.constants[constant].units, at = units ? units.map(() => 0) : [];
    const classes = new Map();
    let exact = true;
    if (this.obstacle(constant)) return null;
    for (const part of line.home) {
      const executed = this.executed(part);
      if (!executed) return null;
      executed.forEach((n, p) => { at[p] += n; });
      addFigures(classes, part.classes, sumOf(this.unitsOf(part)) / sumOf(units));
      exact = exact && (part.exact || part.constant === UNEXPLAINED);
    }
    const instructions = sumOf(at) / sumOf(units);
    exact = exact && at.every((n, p) => Math.abs(n - instructions * units[p]) <= ROUNDING * Math.abs(n));
    const rounded = Math.abs(instructions - Math.round(instructions)) < ROUNDING ? Math.round(instructions) : instructions;
    return { constant: constant, instructions: rounded, classes: classes, exact: exact, step: 0, follows: [], term: "", counts: null };
  }

  // Returns false if that is impossible or changes nothing.
  move(line, constant) {
    const part = this.partAs(line, constant);
    if (!part || (line.parts.length === 1 && line.parts[0].constant === constant)) return false;
    this.history.push({ line: line, parts: line.parts, moved: line.moved });
    line.parts = part === line.home[0] ? line.home : [part];
    line.moved = part === line.home[0] ? null : constant;
    return true;
  }

  // Returns the line whose move was undone, or null.
  undo() {
    const last = this.history.pop();
    if (!last) return null;
    last.line.parts = last.parts;
    last.line.moved = last.moved;
    return last.line;
  }

  reset() {
    while (this.undo());
  }

  // The figures of a constant with all moves. `at`: "home" for those of the report.
  totalOf(constant, at) {
    const base = this.constants[constant].part;
    const total = { instructions: base.instructions, classes: new Map(base.classes), exact: base.exact };
    if (at === "home") return total;
    for (const line of this.lines.values()) {
      if (line.parts === line.home) continue;
      for (const [parts, sign] of [[line.home, -1], [line.parts, 1]])
        for (const part of parts.filter((p) => p.constant === constant)) {
          total.instructions += sign * part.instructions;
          addFigures(total.classes, part.classes, sign);
          if (sign > 0 && !part.exact) total.exact = false;
        }
    }
    if (Math.abs(total.instructions - Math.round(total.instructions)) < ROUNDING)
      total.instructions = Math.round(total.instructions);
    return total;
  }

  unexplained() {
    return [...this.lines.values()].filter((line) => line.parts.some((part) => part.constant === UNEXPLAINED));
  }

  // Lines that are where a person put them: those of this page, and those of an assignment that was
  // applied to the report before.
  assignments() {
    return [...this.lines.values()]
      .filter((line) => line.moved !== null || (line.assigned && line.parts.length === 1))
      .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || (a.function < b.function ? -1 : 1)))
      .map((line) => ({
        experiment: this.name, file: line.file, ...(line.function ? { function: line.function } : {}), line: line.line,
        constant: this.constants[line.parts[0].constant].name,
      }));
  }

  changed() {
    return this.history.length > 0;
  }
}
