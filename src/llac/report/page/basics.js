// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the other parts of the page use: making elements, texts of numbers, formulas as mathematics. Texts of the report
// become text nodes and attributes, never HTML.

const report = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// 24 curves are told apart by six colours and four dashes: page.css says where the colours come from. `look` k of an
// element or a curve is both.
const COLOURS = 6, DASHES = ["none", "9 4", "2 3", "10 3 2 3"], LOOKS = COLOURS * DASHES.length;
const colour = (k) => "var(--k" + ((k % COLOURS) + 1) + ")";
const dash = (k) => DASHES[Math.floor(k / COLOURS) % DASHES.length];

function addTo(node, children) {
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined && child !== "") node.append(child);
  return node;
}

function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "colour") node.style.setProperty("--k", value);
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value === true ? "" : value);
  }
  return node;
}

const el = (name, attributes, ...children) => addTo(setAttributes(document.createElement(name), attributes || {}), children);
const svg = (name, attributes, ...children) =>
  addTo(setAttributes(document.createElementNS("http://www.w3.org/2000/svg", name), attributes || {}), children);
const math = (name, attributes, ...children) =>
  addTo(setAttributes(document.createElementNS("http://www.w3.org/1998/Math/MathML", name), attributes || {}), children);

// A column of numbers of the report: "1024 2048".
const numbersOf = (text) => (text ? Float64Array.from(text.split(" "), Number) : new Float64Array(0));

// A short line as a curve of this look is drawn.
const sample = (k) => svg("svg", { class: "sample", width: 26, height: 8, viewBox: "0 0 26 8", "aria-hidden": "true" }, svg("path", { class: "curve", colour: colour(k), "stroke-dasharray": dash(k), d: "M0 4H26" }));

// ---- numbers

const SUPERSCRIPTS = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const superscript = (n) => [...String(n)].map((c) => SUPERSCRIPTS[c]).join("");

function plain(x, digits) {
  if (x === null || !Number.isFinite(x)) return "?";
  if (x === 0) return "0";
  const e = Math.floor(Math.log10(Math.abs(x)) + 1e-12);
  if (Number.isInteger(x) && Math.abs(x) < 1e7) return String(x).replace("-", "−");
  if (e >= -3 && e < 7) return String(Number(x.toPrecision(Math.max(digits, e + 1)))).replace("-", "−");
  const mantissa = Number((x / Math.pow(10, e)).toPrecision(digits));
  return (mantissa === 1 ? "" : String(mantissa).replace("-", "−") + " × ") + "10" + superscript(e);
}

// The unit of a time: [factor, name].
function timeUnit(x) {
  const size = Math.abs(x);
  return size >= 0.9995 || size === 0 || !Number.isFinite(size) ? [1, "s"] : size >= 0.9995e-3 ? [1e3, "ms"] : size >= 0.9995e-6 ? [1e6, "µs"] : [1e9, "ns"];
}

// A value of the observable; `like` gives the unit where several values are shown together.
function quantity(x, unit, digits, like) {
  if (x === null || !Number.isFinite(x)) return "?";
  if (unit !== "s") return plain(x, digits);
  const [factor, name] = timeUnit(like === undefined ? x : like);
  return plain(x * factor, digits) + " " + name;
}

function interval(low, high, unit, digits) {
  if (low === null || !Number.isFinite(low) || !Number.isFinite(high)) return "not known";
  if (unit !== "s") return plain(low, digits) + " to " + plain(high, digits);
  const [factor, name] = timeUnit(high);
  return plain(low * factor, digits) + " to " + plain(high * factor, digits) + " " + name;
}

const percent = (x) => (x === null || !Number.isFinite(x) ? "?" : (Math.abs(x) >= 99.5 ? x.toFixed(0) : Number(x.toPrecision(2))) + " %").replace("-", "−");

// A part of a whole, 0 to 1: nobody compares parts of less than a thousandth.
const shareText = (part) => (part > 0 && part < 0.001 ? "< 0.1 %" : percent(100 * part));

// ---- formulas as mathematics

const SUM = 1, PRODUCT = 2, SIGN = 3, POWER = 4, PRIMARY = 5;

function precedence(tree) {
  if (typeof tree === "number") return tree < 0 ? SIGN : PRIMARY;
  if (!Array.isArray(tree)) return PRIMARY;
  return { "+": SUM, "-": SUM, "*": PRODUCT, "/": PRIMARY, neg: SIGN, "^": POWER }[tree[0]] || PRIMARY;
}

// Beside and, or, not a condition is itself; elsewhere it is a number, in the brackets of Iverson.
const COMPARISONS = { "<": "<", "<=": "≤", ">": ">", ">=": "≥", "==": "=", "!=": "≠" };
const isCondition = (tree) => Array.isArray(tree) && (tree[0] in COMPARISONS || ["and", "or", "not"].includes(tree[0]));

const operator = (text) => math("mo", {}, text);

function mathNumber(x) {
  const parts = /^(-?[0-9.]+)e([+-][0-9]+)$/.exec(String(x));
  if (!parts) return math("mn", {}, String(x).replace("-", "−"));
  return math("mrow", {}, math("mn", {}, parts[1].replace("-", "−")), operator("·"), math("msup", {}, math("mn", {}, "10"), math("mn", {}, String(Number(parts[2])).replace("-", "−"))));
}

// f[0] and f.w are constants with an index.
function mathConstant(name) {
  const parts = /^(.*)\[([0-9]+)\]$/.exec(name) || /^(.*)\.([^.]+)$/.exec(name);
  return parts ? math("msub", {}, math("mi", {}, parts[1]), math(/^[0-9]/.test(parts[2]) ? "mn" : "mi", {}, parts[2])) : math("mi", {}, name);
}

// The same as text, for the heads of tables.
function constantName(name) {
  const parts = /^(.*)\[([0-9]+)\]$/.exec(name);
  return parts ? [parts[1], el("sub", {}, parts[2])] : name;
}

// Brackets are as tall as a letter, unless a fraction or a root is between them: browsers stretch them to every descender.
const isTall = (content) => /^(mfrac|msqrt|mroot)$/.test(content.localName) || content.querySelector("mfrac, msqrt, mroot") !== null;
function inBrackets(open, content, close) {
  const stretchy = isTall(content) ? "true" : "false", bracket = (text) => math("mo", { stretchy: stretchy }, text);
  return math("mrow", {}, bracket(open), content, bracket(close));
}

function mathCall(name, operands) {
  const [first, second] = operands.map((o) => mathOf(o, SUM));
  switch (name) {
    case "sqrt": return math("msqrt", {}, first);
    case "cbrt": return math("mroot", {}, first, math("mn", {}, "3"));
    case "abs": return inBrackets("|", first, "|");
    case "floor": return inBrackets("⌊", first, "⌋");
    case "ceil": return inBrackets("⌈", first, "⌉");
    case "pow": return math("msup", {}, mathOf(operands[0], PRIMARY), second);
  }
  const based = /^log([0-9]+)$/.exec(name), list = operands.map((o, k) => [k ? operator(",") : "", mathOf(o, SUM)]);
  const head = based ? math("msub", {}, math("mi", {}, "log"), math("mn", {}, based[1])) : math("mi", {}, name);
  return math("mrow", {}, head, operator("⁡"), inBrackets("(", math("mrow", {}, list), ")"));
}

function mathCondition([name, a, b]) {
  const part = (tree) => {
    const bare = isCondition(tree) ? mathCondition(tree) : mathOf(tree, SUM);
    return isCondition(tree) && ["and", "or"].includes(tree[0]) ? inBrackets("(", bare, ")") : bare;
  };
  if (name === "not") return math("mrow", {}, operator("¬"), inBrackets("(", mathCondition(a), ")"));
  if (name in COMPARISONS) return math("mrow", {}, mathOf(a, SUM), operator(COMPARISONS[name]), mathOf(b, SUM));
  return math("mrow", {}, part(a), operator(name === "and" ? "∧" : "∨"), part(b));
}

function mathBare(tree) {
  if (typeof tree === "number") return mathNumber(tree);
  if (!Array.isArray(tree)) return "v" in tree ? math("mi", {}, tree.v) : mathConstant(tree.c);
  if (isCondition(tree)) return inBrackets("[", mathCondition(tree), "]");
  const [name, a, b] = tree;
  switch (name) {
    case "neg": return math("mrow", {}, operator("−"), mathOf(a, SIGN));
    case "+": return math("mrow", {}, mathOf(a, SUM), operator("+"), mathOf(b, SUM));
    case "-": return math("mrow", {}, mathOf(a, SUM), operator("−"), mathOf(b, PRODUCT));
    case "*": return math("mrow", {}, mathOf(a, PRODUCT), operator("·"), mathOf(b, PRODUCT));
    case "/": return math("mfrac", {}, mathOf(a, SUM), mathOf(b, SUM));
    case "^": return math("msup", {}, mathOf(a, Array.isArray(a) && a[0] === "/" ? PRIMARY + 1 : PRIMARY), mathOf(b, SUM));
  }
  return mathCall(name, tree.slice(1));
}

function mathOf(tree, atLeast) {
  const bare = mathBare(tree);
  return precedence(tree) < atLeast ? inBrackets("(", bare, ")") : bare;
}

// name(N, P) = formula; without a name the formula alone.
function mathFormula(tree, text, name, variables) {
  const head = name ? [math("mi", {}, name), inBrackets("(", math("mrow", {}, variables.map((v, k) => [k ? operator(",") : "", math("mi", {}, v)])), ")"), operator("=")] : [];
  return math("math", { display: name ? "block" : "inline", alttext: text }, math("mrow", {}, head, mathOf(tree, SUM)));
}
