// SPDX-License-Identifier: GPL-3.0-or-later
//
// Predictions of models that llac fitted, as its command `predict` makes them: the value, the two 95 %
// intervals, and marks where the place is outside of what was measured. A model is data (llac writes it):
// trees for the coefficients, the columns (a column is one value of a constant and where it holds) with their
// covariance, and the noise. No text of a model is ever executed.

const CLL = (() => {
  const T = CLL_THRESHOLDS; // numbers that llac compares with, which it writes before this

  class NoValue extends Error {}

  // ---- Student's t: the quantile at the upper end of intervals

  function logGamma(x) {
    if (x > 20) { // Stirling
      const y = 1 / (x * x);
      return (x - 0.5) * Math.log(x) - x + 0.9189385332046727 + (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))) / x;
    }
    return logGamma(x + 1) - Math.log(x);
  }

  // The continued fraction of the incomplete beta function.
  function betaFraction(a, b, x) {
    const tiny = 1e-300;
    let c = 1, d = 1 - ((a + b) * x) / (a + 1);
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    let h = d;
    for (let m = 1; m < 10000; m++) {
      for (const numerator of [(m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)), (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))]) {
        d = 1 + numerator * d;
        d = 1 / (Math.abs(d) < tiny ? tiny : d);
        c = 1 + numerator / c;
        if (Math.abs(c) < tiny) c = tiny;
        h *= d * c;
      }
      if (Math.abs(d * c - 1) < 1e-15) break;
    }
    return h;
  }

  function incompleteBeta(a, b, x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
    return x < (a + 1) / (a + b + 2) ? (front * betaFraction(a, b, x)) / a : 1 - (front * betaFraction(b, a, 1 - x)) / b;
  }

  const quantiles = new Map();

  function studentT(dof) {
    if (quantiles.has(dof)) return quantiles.get(dof);
    const z = T.NORMAL_QUANTILE, z2 = z * z;
    let t = z + (z * (z2 + 1)) / 4 / dof + (z * ((5 * z2 + 16) * z2 + 3)) / 96 / dof ** 2 + (z * (((3 * z2 + 19) * z2 + 17) * z2 - 15)) / 384 / dof ** 3 +
      (z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945)) / 92160 / dof ** 4;
    if (!(dof > 2000)) {
      let low = 0, high = 1;
      const tail = (x) => incompleteBeta(dof / 2, 0.5, dof / (dof + x * x)) / 2;
      while (tail(high) > T.INTERVAL_LOW_QUANTILE && high < 1e300) high *= 2;
      for (let k = 0; k < 200 && high - low > 1e-15 * high; k++) {
        const middle = (low + high) / 2;
        if (tail(middle) > T.INTERVAL_LOW_QUANTILE) low = middle;
        else high = middle;
      }
      t = (low + high) / 2;
    }
    quantiles.set(dof, t);
    return t;
  }

  // ---- random numbers, the same as llac's

  const normals = [];
  let state = 1n;

  function uniform() {
    const mask = 0xffffffffffffffffn;
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    z ^= z >> 31n;
    return (Number(z >> 11n) + 0.5) / 9007199254740992;
  }

  // Number k of the sequence that every prediction begins anew.
  function normal(k) {
    while (normals.length <= k) {
      const radius = Math.sqrt(-2 * Math.log(uniform()));
      normals.push(radius * Math.cos(2 * Math.PI * uniform()));
    }
    return normals[k];
  }

  function quantile(sorted, q) {
    const at = q * (sorted.length - 1), k = Math.min(Math.floor(at), sorted.length - 1), part = at - k;
    return part > 0 && k + 1 < sorted.length ? sorted[k] + part * (sorted[k + 1] - sorted[k]) : sorted[k];
  }

  // How many draws are near x, and where they are on average.
  function drawsNear(logs, x) {
    let weight = 0, sum = 0;
    for (const log of logs) {
      const far = (log - x) / T.AVERAGE_NEAR, near = Math.exp((-far * far) / 2);
      weight += near;
      sum += near * log;
    }
    return [weight, weight > 0 ? sum / weight : x];
  }

  // The value with most draws near it; the median if they are close to each other.
  function mostDrawn(sorted) {
    const wide = Math.log(quantile(sorted, T.AVERAGE_HIGH_QUANTILE) / quantile(sorted, T.AVERAGE_LOW_QUANTILE));
    if (!(sorted[0] > 0) || wide < T.AVERAGE_NARROW) return quantile(sorted, 0.5);
    const logs = sorted.map(Math.log);
    let best = -1, at = 0;
    for (let k = 0; k < T.AVERAGE_STARTS; k++) {
      const x = quantile(logs, (k + 0.5) / T.AVERAGE_STARTS), near = drawsNear(logs, x)[0];
      if (near > best) [best, at] = [near, x];
    }
    for (let step = 0, by = 1; step < T.AVERAGE_STEPS && by >= T.AVERAGE_ENOUGH; step++) {
      const next = drawsNear(logs, at)[1];
      by = Math.abs(next - at);
      at = next;
    }
    return Math.exp(at);
  }

  // ---- expressions: a tree becomes a function of a Map from names to values

  const finite = (x) => (Number.isFinite(x) ? x : NaN);
  const functions = {
    log: Math.log, ln: Math.log, log2: Math.log2, log10: Math.log10, sqrt: Math.sqrt, cbrt: Math.cbrt, exp: Math.exp,
    pow: (x, y) => (y === 2 ? x * x : Math.pow(x, y)), abs: Math.abs, floor: Math.floor, ceil: Math.ceil, min: Math.min, max: Math.max,
  };

  // Their value is 1 or 0, and nan where something that they compare has no value.
  const conditions = {
    "<": (x, y) => x < y, "<=": (x, y) => x <= y, ">": (x, y) => x > y, ">=": (x, y) => x >= y, "==": (x, y) => x === y, "!=": (x, y) => x !== y,
    and: (x, y) => x !== 0 && y !== 0, or: (x, y) => x !== 0 || y !== 0, not: (x) => x === 0,
  };

  // Place at or before x in an ascending list, and how far x is from it to the next one, in logarithms.
  function placeIn(at, x) {
    let i = 0;
    while (i + 1 < at.length && at[i + 1] <= x) i++;
    return [i, x > at[i] && i + 1 < at.length ? Math.log(x / at[i]) / Math.log(at[i + 1] / at[i]) : 0];
  }

  const between = (a, b, part) => (a > 0 && b > 0 ? a * Math.pow(b / a, part) : a + part * (b - a));

  function tableValue(table, x, y) {
    if (!(x > 0) || !(y > 0)) return NaN;
    const [i, p] = placeIn(table.x, x), [j, q] = placeIn(table.y, y), n = table.x.length;
    const row = j * n, next = q > 0 ? row + n : row, k = p > 0 ? i + 1 : i;
    return between(between(table.value[row + i], table.value[row + k], p), between(table.value[next + i], table.value[next + k], p), q);
  }

  // What a table was asked beyond its ends.
  function remarkBeyond(table, x, y, remarks) {
    if (!remarks || !table.low) return;
    const [j] = placeIn(table.y, y);
    if (x > table.high[j] || x < table.low[j])
      remarks.add(table.name + "() was measured from " + table.low[j] + " to " + table.high[j] + "; what is beyond is an assumption");
  }

  function compile(tree, tables) {
    if (typeof tree === "number") return () => tree;
    if (!Array.isArray(tree)) return (at) => (at.values.has(tree.v) ? at.values.get(tree.v) : NaN);
    const own = Object.prototype.hasOwnProperty, first = tree[0];
    if (first === "machine") {
      const table = tables[tree[1]], [x, y] = tree.slice(2).map((t) => compile(t, tables));
      return (at) => {
        const a = x ? x(at) : 1, b = y ? y(at) : 1;
        remarkBeyond(table, a, b, at.remarks);
        return finite(tableValue(table, a, b));
      };
    }
    const operands = tree.slice(1).map((t) => compile(t, tables)), [a, b] = operands;
    switch (first) {
      case "neg": return (at) => -a(at);
      case "+": return (at) => a(at) + b(at);
      case "-": return (at) => a(at) - b(at);
      case "*": return (at) => a(at) * b(at);
      case "/": return (at) => finite(a(at) / b(at));
      case "^": return (at) => finite(functions.pow(a(at), b(at)));
    }
    if (own.call(conditions, first))
      return (at) => {
        const x = operands.map((o) => o(at));
        return x.some(Number.isNaN) ? NaN : Number(conditions[first](...x));
      };
    const f = own.call(functions, first) ? functions[first] : () => NaN;
    return (at) => finite(f(...operands.map((o) => o(at))));
  }

  // ---- which values of the constants count at a place

  function beyond(boundary, x) {
    if (boundary.form === "smooth") return x > 0 ? 1 / (1 + Math.pow(boundary.at / x, boundary.sharpness)) : 0;
    if (!(x > boundary.at)) return 0;
    return boundary.form === "bend" ? 1 - boundary.at / x : 1;
  }

  function share(s, column, x) {
    let part = 1;
    for (const [v, low, high] of column.bounds)
      part *= (low < 0 ? 1 : beyond(s.boundaries[low], x[v])) - (high < 0 ? 0 : beyond(s.boundaries[high], x[v]));
    return part;
  }

  function crossed(s, column, x) {
    let n = 0;
    for (const [v, low, high] of column.bounds)
      n += (low >= 0 && !(x[v] > s.boundaries[low].at) ? 1 : 0) + (high >= 0 && x[v] > s.boundaries[high].at ? 1 : 0);
    return n;
  }

  // The coefficients of all columns of a structure; of a combination that was never measured the nearest one.
  function fillRow(s, coefficients, x) {
    const row = new Array(s.columns.length).fill(0);
    let unmeasured = false;
    for (let c = 0, j = 0; c < coefficients.length; c++) {
      const begin = j;
      let whole = 0;
      for (; j < s.columns.length && s.columns[j].constant === c; j++) {
        const part = share(s, s.columns[j], x);
        row[j] = coefficients[c] * part;
        whole += part;
      }
      if (j === begin || Math.abs(whole - 1) < T.SHARES_ROUNDING) continue;
      let best = begin;
      for (let k = begin; k < j; k++) {
        row[k] = 0;
        if (crossed(s, s.columns[k], x) < crossed(s, s.columns[best], x)) best = k;
      }
      row[best] = coefficients[c];
      unmeasured = true;
    }
    return { row: row, unmeasured: unmeasured };
  }

  const valueOf = (s, row, known) => s.columns.reduce((sum, column, j) => sum + column.value * row[j], known);

  function quadratic(matrix, row) {
    let sum = 0;
    if (matrix) for (let p = 0; p < row.length; p++) for (let q = 0; q < row.length; q++) sum += row[p] * matrix[p][q] * row[q];
    return sum;
  }

  // ---- one model

  class Model {
    constructor(data) {
      this.data = data;
      this.form = this.makeForm(data);
      this.draws = data.draws.map((d) => Object.assign({}, d, this.makeForm(d)));
      this.alternatives = data.alternatives.map((x) => ({
        terms: x.terms, draws: x.draws, noise: x.noise, ndraws: x.ndraws, model: x.model ? new Model(x.model) : null,
      }));
      this.coordinates = data.coordinates.map(([name, value, tree, range]) => ({ name: name, value: value, range: range, compute: tree === undefined ? null : compile(tree, data.tables) }));
      this.alternativeTerms = data.alternative_terms.map((t) => compile(t, data.tables));
    }

    makeForm(d) {
      return { coefficients: d.coefficients.map((t) => compile(t, this.data.tables)), offset: d.offset === null ? null : compile(d.offset, this.data.tables) };
    }

    // The place with all variables: {N: 4} or a Map.
    complete(place) {
      const given = place instanceof Map ? place : new Map(Object.entries(place)), values = new Map(given);
      for (const v of this.data.variables) {
        if (values.has(v.name)) continue;
        if (v.fixed === null && v.used) throw new NoValue("the prediction needs a value of " + v.name);
        if (v.fixed !== null) values.set(v.name, v.fixed);
      }
      return values;
    }

    coefficientsAt(form, at) {
      const list = form.coefficients.map((f) => f(at)), known = form.offset ? form.offset(at) : 0;
      if (!list.every(Number.isFinite) || !Number.isFinite(known)) throw new NoValue("the formula of " + this.data.experiment + " has no value there");
      return [list, known];
    }

    // The variables along which constants change; some are computed from others, such as N/P.
    coordinatesAt(values) {
      const used = new Set(this.data.variables.filter((v) => v.used).map((v) => v.name));
      const x = this.coordinates.map((c) => (c.compute ? c.compute({ values: values }) : used.has(c.name) && values.has(c.name) ? values.get(c.name) : c.value));
      this.coordinates.forEach((c, v) => {
        if (c.compute && !Number.isFinite(x[v])) throw new NoValue(c.name + ", along which constants of " + this.data.experiment + " change, has no value there");
      });
      return x;
    }

    checkDetermined(row) {
      for (const relation of this.data.relations || []) {
        let sum = 0, size = 0;
        relation.forEach((r, j) => { sum += r * row[j]; size = Math.hypot(size, r * row[j]); });
        if (Math.abs(sum) <= T.ESTIMABLE_TOLERANCE * size) continue;
        const names = new Set(relation.map((r, j) => (r ? this.data.constants[this.data.columns[j].constant] : "")).filter(Boolean));
        throw new NoValue("the data do not determine " + [...names].join(" and ") + ", and this prediction depends on " + (names.size > 1 ? "them" : "it"));
      }
    }

    grown(time) {
      const n = this.data.noise;
      return n.growth !== 0 && time > 0 ? Math.pow(time / n.typical, n.growth) : 1;
    }

    grownBeyond(value) {
      const here = this.grown(value), least = this.data.noise.least_grown;
      return this.data.noise.growth !== 0 && least !== null ? Math.max(here, least) : here;
    }

    tFor(total, ofRuns) {
      const n = this.data.noise, rest = Math.max(total - ofRuns, 0);
      if (!(ofRuns > 0) || !(n.runs_dof > 0)) return studentT(n.dof);
      return studentT((total * total) / ((rest * rest) / n.dof + (ofRuns * ofRuns) / n.runs_dof));
    }

    setIntervals(out, row, selection, machine) {
      const n = this.data.noise, v = out.value;
      out.low = out.high = out.single_low = out.single_high = NaN;
      if (!(n.dof > 0)) return;
      const ofRuns = quadratic(this.data.of_runs, row);
      const model = Math.max(Math.max(quadratic(this.data.covariance, row), selection) + machine, 0);
      const grown = this.grownBeyond(v), noise = n.relative * grown * v, fresh = n.runs_of_point * v * v;
      const total = model + noise * noise + n.floor * n.floor + fresh;
      const ofModel = this.tFor(model, ofRuns) * Math.sqrt(model);
      let reach = n.none ? ofModel : this.tFor(total, ofRuns + fresh) * Math.sqrt(total);
      const drift = n.drift > 0 ? Math.abs(v) * n.drift * Math.max(this.grown(v) - n.most_grown, 0) : 0;
      reach += drift;
      out.low = v - reach;
      out.high = v + reach;
      if (n.single_low !== null) {
        const down = Math.max(Math.abs(v) * grown * (1 - n.single_low), 0), up = Math.max(Math.abs(v) * grown * (n.single_high - 1), 0);
        out.single_low = Math.min(v - Math.hypot(down, ofModel) - drift, out.low);
        out.single_high = Math.max(v + Math.hypot(up, ofModel) + drift, out.high);
      }
      if (v > 0) {
        out.low = Math.max(out.low, 0);
        out.single_low = Math.max(out.single_low, 0);
      }
    }

    selectionVariance(coefficients, x, known) {
      const s = this.data.selection;
      if (!s) return 0;
      if (!s.models) return Math.max(quadratic(s.covariance, coefficients), 0);
      const values = s.models.map((r) => valueOf(r, fillRow(r, coefficients, x).row, known));
      const n = values.length, mean = values.reduce((a, b) => a + b, 0) / n;
      return (s.part * values.reduce((sum, v) => sum + (v - mean) ** 2, 0)) / (n - 1);
    }

    machineVariance(at, x, value) {
      let sum = 0, n = 0;
      for (const d of this.draws) {
        let coefficients, known;
        try {
          [coefficients, known] = this.coefficientsAt(d, { values: at.values });
        } catch (error) {
          if (!(error instanceof NoValue)) throw error;
          continue;
        }
        sum += (valueOf(d, fillRow(d, coefficients, x).row, known) - value) ** 2;
        n++;
      }
      return n ? sum / n : 0;
    }

    noteIfBeyond(out, name, v, at) {
      const slack = T.EXTRAPOLATION_SLACK * Math.max(Math.abs(v.low), Math.abs(v.high));
      if (at >= v.low - slack && at <= v.high + slack) return;
      const above = at > v.high, from = above ? v.high : v.low, end = above ? v.most : v.least;
      const times = above && v.high > 0 ? at / v.high : !above && at > 0 ? at / v.low : NaN;
      out.extrapolates.push({ variable: name, times: times, from: from, left_out: end !== from ? end : NaN });
    }

    findExtrapolations(out, x) {
      for (const v of this.data.variables) if (v.used) this.noteIfBeyond(out, v.name, v, out.values.get(v.name));
      if (out.extrapolates.length) return; // the distance counts once
      this.coordinates.forEach((c, v) => { if (c.compute) this.noteIfBeyond(out, c.name, c.range, x[v]); });
    }

    isFar(out, row) {
      const n = this.data.noise, noise = n.relative * this.grownBeyond(out.value) * out.value, own = noise * noise + n.floor * n.floor;
      if (!(n.dof > 0) || n.none || out.extrapolates.length || !(own > 0)) return false;
      return (quadratic(this.data.covariance, row) - quadratic(this.data.of_runs, row)) / own > T.FAR_TIMES_LEVERAGE * this.data.leverage;
    }

    // Between the two measured values next to a boundary both sides are mixed.
    considerGaps(out, coefficients, x, known) {
      const here = out.value;
      let mixed = here;
      for (const b of this.data.boundaries) {
        const at = x[b.variable];
        if (b.form !== "step" || !(at > b.below && at < b.above)) continue;
        const y = x.slice(), other = {};
        y[b.variable] = at > b.at ? b.below : b.above;
        const { row } = fillRow(this.data, coefficients, y);
        other.value = valueOf(this.data, row, known);
        this.setIntervals(other, row, 0, 0);
        const least = (p, q) => (Number.isNaN(p) ? q : Number.isNaN(q) ? p : Math.min(p, q)), most = (p, q) => -least(-p, -q);
        out.low = least(out.low, other.low);
        out.high = most(out.high, other.high);
        out.single_low = least(out.single_low, other.single_low);
        out.single_high = most(out.single_high, other.single_high);
        const chance = b.below > 0 ? Math.log(at / b.below) / Math.log(b.above / b.below) : (at - b.below) / (b.above - b.below);
        const weight = at > b.at ? 1 - chance : chance;
        mixed = here > 0 && other.value > 0 ? mixed * Math.pow(other.value / here, weight) : mixed + weight * (other.value - here);
        out.gaps.push({ variable: this.data.coordinates[b.variable][0], below: b.below, above: b.above });
      }
      out.value = mixed;
    }

    byFormula(place) {
      const values = this.complete(place), remarks = new Set(), at = { values: values, remarks: remarks };
      const out = { value: NaN, values: values, extrapolates: [], gaps: [], far: false, unmeasured: false, amplification: NaN, times: 1 };
      const [coefficients, known] = this.coefficientsAt(this.form, at), x = this.coordinatesAt(values);
      const { row, unmeasured } = fillRow(this.data, coefficients, x);
      this.checkDetermined(row);
      out.unmeasured = unmeasured;
      out.beyond = [...remarks];
      out.value = valueOf(this.data, row, known);
      this.findExtrapolations(out, x);
      this.setIntervals(out, row, this.selectionVariance(coefficients, x, known), this.machineVariance(at, x, out.value));
      out.far = this.isFar(out, row);
      this.considerGaps(out, coefficients, x, known);
      if (Number.isNaN(out.low) || Number.isNaN(out.high)) out.low = out.high = out.single_low = out.single_high = NaN;
      if (Number.isNaN(out.single_low) || Number.isNaN(out.single_high)) out.single_low = out.single_high = NaN;
      if (!Number.isFinite(out.value)) throw new NoValue("the model of " + this.data.experiment + " has no value there: it is beyond the range of numbers");
      out.row = row;
      return out;
    }

    // After a search: all formulas that the data leave possible. `drawn` has the noise of a measurement, `expected` has not.
    average(out, place) {
      const drawn = [], expected = [];
      let used = 0;
      const values = new Map(place);
      for (const v of this.data.variables) if (v.fixed !== null && !values.has(v.name)) values.set(v.name, v.fixed);
      const terms = this.alternativeTerms.map((t) => t({ values: values }));
      for (const a of this.alternatives) {
        if (a.model) {
          let one;
          try {
            one = a.model.byFormula(values);
          } catch (error) {
            if (!(error instanceof NoValue)) throw error;
            continue;
          }
          const reach = Number.isFinite(one.low) ? (one.high - one.low) / 2 / studentT(T.AVERAGE_NORMAL_DOF) : 0;
          for (let i = 0; i < a.ndraws; i++) {
            drawn.push(one.value + reach * normal(used++));
            expected.push(one.value);
          }
          continue;
        }
        const row = a.terms.map((t) => terms[t]), k = row.length;
        if (!row.every(Number.isFinite)) continue;
        for (let i = 0; i < a.noise.length; i++) {
          let value = 0;
          for (let j = 0; j < k; j++) value += a.draws[i * k + j] * row[j];
          drawn.push(value * (1 + a.noise[i] * normal(used++)));
          expected.push(value);
        }
      }
      if (drawn.length < T.AVERAGE_LEAST_DRAWS) return;
      const sorted = Float64Array.from(drawn).sort(), before = out.value;
      out.value = mostDrawn(Float64Array.from(expected).sort());
      out.low = quantile(sorted, T.INTERVAL_LOW_QUANTILE);
      out.high = quantile(sorted, T.INTERVAL_HIGH_QUANTILE);
      if (!Number.isFinite(out.single_low) || !(before > 0)) return;
      const down = Math.max(out.value * (1 - out.single_low / before), 0), up = Math.max(out.value * (out.single_high / before - 1), 0);
      out.single_low = Math.max(Math.min(out.value - Math.hypot(down, out.value - out.low), out.low), 0);
      out.single_high = Math.max(out.value + Math.hypot(up, out.high - out.value), out.high);
    }

    // The mean of the formula with and without the terms that the data do not determine.
    averageTerms(out, place) {
      let sum = 0, weight = 0;
      for (const a of this.alternatives) {
        let one;
        try {
          one = a.model.byFormula(place);
        } catch (error) {
          if (!(error instanceof NoValue)) throw error;
          continue;
        }
        for (const name of ["low", "single_low"]) out[name] = weight > 0 ? Math.min(out[name], one[name]) : one[name];
        for (const name of ["high", "single_high"]) out[name] = weight > 0 ? Math.max(out[name], one[name]) : one[name];
        sum += a.ndraws * one.value;
        weight += a.ndraws;
      }
      if (weight > 0) out.value = sum / weight;
    }

    // From the value that means the same for every P to what an execution on P ranks takes.
    applySlowest(out) {
      const s = this.data.slowest, p = this.data.variables.some((v) => v.used && v.name === "P") ? out.values.get("P") : NaN;
      if (!s || !(p >= 1)) return;
      const level = (processors) => Math.pow(s.level, Math.pow(s.least / Math.max(processors, s.least), s.independence));
      const times = quantile(s.relative, level(p)) / quantile(s.relative, level(s.reach));
      for (const name of ["value", "low", "high", "single_low", "single_high"]) out[name] *= times;
      out.times = times;
      out.amplification = quantile(s.relative, level(p)) / quantile(s.relative, s.level);
    }

    // The typical interval is at least as wide as formulas are usually off so far beyond the data.
    allowForFormula(out) {
      let sum = 0;
      for (const e of out.extrapolates) {
        const v = this.data.variables.find((x) => x.name === e.variable) || this.coordinates.find((c) => c.name === e.variable).range, wide = v.low > 0 ? Math.log2(v.high / v.low) : 0;
        sum += (e.times > 0 ? Math.abs(Math.log2(e.times)) : 1) / Math.max(wide, 1);
      }
      const reach = Math.abs(out.value) * this.data.noise.formula_error * sum;
      if (Number.isNaN(out.low)) return;
      out.low = Math.min(out.low, out.value - reach);
      out.high = Math.max(out.high, out.value + reach);
      if (Number.isNaN(out.single_low)) return;
      out.single_low = Math.min(out.single_low, out.low);
      out.single_high = Math.max(out.single_high, out.high);
    }

    // What changes at the end of the data may go on changing.
    allowForChanges(out) {
      let up = 1, down = 1;
      for (const e of out.extrapolates) {
        const v = this.data.variables.find((x) => x.name === e.variable), s = v && v.surprise;
        if (!s || !(e.times > 1)) continue;
        const distance = Math.log2(e.times * e.from / s.end);
        let most = 0, k = 0;
        for (; k < s.cuts.length && distance > 0; k++) {
          const [all, doublings] = s.cuts[k], off = all * Math.min(distance / doublings, k + 1 === s.cuts.length ? s.again : 1);
          if (Math.abs(off) > Math.abs(most)) most = off;
          if (doublings >= distance) break;
        }
        const times = Math.exp(most + s.missed);
        up *= Math.max(times, 1);
        down *= Math.min(times, 1);
        if (most !== 0 && !out.beyond.includes(s.text)) out.beyond.push(s.text);
      }
      for (const name of ["high", "single_high"]) out[name] = Math.max(out[name], out[name] * up);
      for (const name of ["low", "single_low"]) out[name] = Math.min(out[name], out[name] * down);
    }

    // The prediction at a place, {N: 4096, P: 8}: an object with value, low, high (typical), single_low, single_high
    // (one execution), nan where they are not known; extrapolates, gaps, far, unmeasured, beyond. Throws NoValue.
    predict(place) {
      const given = place instanceof Map ? place : new Map(Object.entries(place)), out = this.byFormula(given);
      if (this.data.only_beyond && out.extrapolates.length) this.averageTerms(out, given);
      else if (this.alternatives.length && !this.data.only_beyond) this.average(out, given);
      this.allowForFormula(out);
      this.allowForChanges(out);
      this.applySlowest(out);
      return out;
    }

    // The same as the value of a point, to be compared with measured points.
    predictPoint(place) {
      const out = this.predict(place);
      for (const name of ["value", "low", "high", "single_low", "single_high"]) out[name] /= out.times;
      return out;
    }

    // What each constant contributes at a place, and the part of the formula without constants.
    terms(place) {
      const out = this.byFormula(place), sums = this.data.constants.map(() => 0);
      this.data.columns.forEach((column, j) => { sums[column.constant] += column.value * out.row[j]; });
      return sums;
    }

    // The columns that count at a place: [constant, column, share] of each.
    columnsAt(place) {
      const x = this.coordinatesAt(this.complete(place)), row = fillRow(this.data, this.data.constants.map(() => 1), x).row;
      return row.map((part, j) => [this.data.columns[j].constant, j, part]).filter(([, , part]) => part !== 0);
    }
  }

  const digits = (x, n) => String(Number(x.toPrecision(n)));

  // The marks of a prediction in words, as llac prints them.
  function remarks(p) {
    const list = p.extrapolates.map((e) => Number.isNaN(e.times) ? e.variable + " is outside the data"
      : e.variable + (e.times > 1 ? " is " + digits(e.times, 3) + " times beyond the data" : " is " + digits(1 / e.times, 3) + " times below the data"));
    for (const g of p.gaps) list.push("in the gap of a boundary, between " + g.variable + "=" + digits(g.below, 6) + " and " + digits(g.above, 6));
    if (p.far) list.push("this combination of values is far from all measured ones");
    if (p.unmeasured) list.push("this combination of intervals was never measured");
    return list.concat(p.beyond);
  }

  return { Model: Model, NoValue: NoValue, remarks: remarks, studentT: studentT };
})();
