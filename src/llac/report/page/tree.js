// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tree of regions: which were executed inside which, with the columns of the block `tree` of the page, which page.html
// describes. Only rows that are not folded away are elements of the page. The keys are those of a treegrid of ARIA.

const FIRST_ROWS = 30;

class RegionTree {
  constructor(data) {
    this.columns = data.columns.filter((c) => data.nodes.some((n) => n[c.key] !== undefined && n[c.key] !== null));
    this.notes = data.notes;
    this.nodes = data.nodes.map((n, k) => ({ data: n, number: k, inside: [], open: false, level: 1 }));
    this.roots = [];
    for (const n of this.nodes) {
      const parent = n.data.parent === null ? null : this.nodes[n.data.parent];
      n.parent = parent;
      n.level = parent ? parent.level + 1 : 1;
      (parent ? parent.inside : this.roots).push(n);
    }
    this.by = (data.columns.find((c) => c.kind === "share") || {}).key;
    for (const list of [this.roots, ...this.nodes.map((n) => n.inside)]) list.sort((a, b) => this.size(b) - this.size(a) || a.number - b.number);
    this.words = "";
    this.openFirst();
  }

  size(n) {
    const x = this.by === undefined ? null : n.data[this.by];
    return x === null || x === undefined ? -1 : x;
  }

  // Levels are open while their rows are few.
  openFirst() {
    let level = this.roots, shown = level.length;
    for (;;) {
      const next = level.flatMap((n) => n.inside);
      if (!next.length || shown + next.length > FIRST_ROWS) break;
      for (const n of level) n.open = true;
      shown += next.length;
      level = next;
    }
    level = level.slice().sort((a, b) => this.size(b) - this.size(a));
    for (let n = level[0]; n && n.inside.length && shown + n.inside.length <= FIRST_ROWS; n = n.inside[0]) { // and the path of the largest
      n.open = true;
      shown += n.inside.length;
    }
  }

  // With words in the filter: the nodes that have them all in their names, and those around these.
  findMatches() {
    const words = this.words.toLowerCase().split(" ").filter(Boolean);
    this.matching = new Set();
    this.around = new Set();
    if (!words.length) return;
    for (const n of this.nodes) {
      const name = n.data.name.toLowerCase();
      if (!words.every((w) => name.includes(w))) continue;
      this.matching.add(n);
      for (let p = n.parent; p; p = p.parent) this.around.add(p);
    }
  }

  visible() {
    const list = [], filtered = this.words.trim() !== "", visit = (nodes) => {
      for (const n of nodes) {
        if (filtered && !this.matching.has(n) && !this.around.has(n)) continue;
        list.push(n);
        if (filtered ? this.around.has(n) : n.open) visit(n.inside);
      }
    };
    visit(this.roots);
    return list;
  }

  cell(n, column) {
    const x = n.data[column.key], known = x !== undefined && x !== null;
    if (column.kind === "share") return el("div", { role: "gridcell", class: "share", colour: colour(0) }, known ? [shareText(x), el("span", { class: "bar", "aria-hidden": "true" }, setWidth(el("i", {}), 100 * x))] : "not known");
    if (column.kind === "number") return el("div", { role: "gridcell", class: "number" }, known ? plain(x, 4) : "");
    return el("div", { role: "gridcell", class: "text", title: known ? String(x) : null }, known ? String(x) : "");
  }

  row(n) {
    const view = n.data.model === null || n.data.model === undefined ? null : views[n.data.model], opens = n.inside.length > 0, open = this.isOpen(n);
    const name = view ? el("a", { href: "#" + view.id, tabindex: "-1" }, n.data.name) : el("span", {}, n.data.name);
    const twist = el("span", { class: "twist", "aria-hidden": "true", onclick: () => this.toggle(n) }, opens ? (open ? "▾" : "▸") : "");
    const row = el("div", { role: "row", "aria-level": String(n.level), "aria-expanded": opens ? String(open) : null, tabindex: "-1", "data-node": String(n.number), class: this.matching.has(n) ? "match" : null },
      el("div", { role: "gridcell", class: "name" }, twist, name, view && view.data.searched ? el("small", { class: "searched" }, " searched") : ""), this.columns.map((c) => this.cell(n, c)));
    row.style.setProperty("--level", String(Math.min(n.level, 24) - 1));
    return row;
  }

  isOpen(n) {
    return this.words.trim() === "" ? n.open : this.around.has(n);
  }

  show() {
    this.findMatches();
    this.list = this.visible();
    this.rows = this.list.map((n) => this.row(n));
    this.body.replaceChildren(...this.rows);
    const filtered = this.words.trim() !== "";
    this.status.textContent = filtered ? this.matching.size + " of " + this.nodes.length : this.list.length < this.nodes.length ? this.list.length + " of " + this.nodes.length + " shown" : this.nodes.length + (this.nodes.length === 1 ? " region" : " regions");
    this.take(this.list.includes(this.current) ? this.current : this.list[0], false);
  }

  // The row that Tab reaches.
  take(n, focus) {
    const k = this.list.indexOf(n);
    for (const row of this.rows) row.tabIndex = -1;
    this.current = n;
    if (k < 0) return;
    this.rows[k].tabIndex = 0;
    if (focus) this.rows[k].focus();
  }

  toggle(n) {
    if (!n.inside.length || this.words.trim() !== "") return;
    const focus = this.body.contains(document.activeElement);
    n.open = !n.open;
    this.current = n;
    this.show();
    if (focus) this.take(n, true);
  }

  toggleAll(open) {
    for (const n of this.nodes) n.open = open && n.inside.length > 0;
    this.show();
  }

  follow(n) {
    if (n.data.model === null || n.data.model === undefined) return;
    location.hash = "#" + views[n.data.model].id;
    openTarget();
    byId(views[n.data.model].id).querySelector("h2").scrollIntoView();
  }

  key(event) {
    const n = this.current, k = this.list.indexOf(n), last = this.list.length - 1;
    const to = { ArrowDown: Math.min(k + 1, last), ArrowUp: Math.max(k - 1, 0), Home: 0, End: last, PageDown: Math.min(k + 10, last), PageUp: Math.max(k - 10, 0) }[event.key];
    if (k < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    if (to !== undefined) this.take(this.list[to], true);
    else if (event.key === "ArrowRight" && n.inside.length && !this.isOpen(n)) this.toggle(n);
    else if (event.key === "ArrowRight" && n.inside.length) this.take(this.list[Math.min(k + 1, last)], true);
    else if (event.key === "ArrowLeft" && this.isOpen(n) && this.words.trim() === "") this.toggle(n);
    else if (event.key === "ArrowLeft" && n.parent) this.take(n.parent, true);
    else if (event.key === "Enter") this.follow(n);
    else if (event.key === " ") this.toggle(n);
    else return;
    event.preventDefault();
  }

  section() {
    const filter = el("input", { type: "search", id: "regions-filter", placeholder: "part of a name", autocomplete: "off", oninput: () => { this.words = filter.value; this.show(); },
      onkeydown: (event) => { if (event.key === "ArrowDown" && this.list.length) { event.preventDefault(); this.take(this.current || this.list[0], true); } } });
    const head = el("div", { role: "rowgroup" }, el("div", { role: "row", class: "head" }, el("div", { role: "columnheader", class: "name" }, "region"), this.columns.map((c) => el("div", { role: "columnheader", class: c.kind }, c.title))));
    this.body = el("div", { role: "rowgroup", onkeydown: (event) => this.key(event), onfocusin: (event) => {
      const row = event.target.closest("[data-node]");
      if (row && this.nodes[row.dataset.node] !== this.current) this.take(this.nodes[row.dataset.node], false);
    } });
    this.status = el("span", { role: "status", class: "faint" });
    const nests = this.nodes.some((n) => n.inside.length), grid = el("div", { class: "tree", role: "treegrid", "aria-label": "Regions", "aria-readonly": "true" }, head, this.body);
    grid.style.setProperty("--columns", this.columns.map((c) => ({ share: "8rem", number: "6rem", text: "minmax(10rem, 2fr)" }[c.kind])).join(" "));
    this.show();
    return el("section", { id: "regions", "aria-labelledby": "regions-title" }, el("h2", { id: "regions-title" }, "Regions"), el("p", { class: "faint" }, nests ? "Which regions were executed inside which, and their share of all time that was measured. A name leads to the model." : "Their share of all time that was measured. A name leads to the model."),
      el("div", { class: "choices" }, el("label", { for: "regions-filter" }, "Filter "), filter, nests ? [el("button", { type: "button", onclick: () => this.toggleAll(true) }, "Unfold all"), el("button", { type: "button", onclick: () => this.toggleAll(false) }, "Fold all")] : "", this.status),
      grid, this.notes.map((t) => el("p", { class: "faint" }, t)));
  }
}
