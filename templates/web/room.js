// The reading room.  Every page can be read, and everything can be done, without this file.

export const $ = (what, within = document) => within.querySelector(what);
export const $$ = (what, within = document) => [...within.querySelectorAll(what)];

export function make(tag, set = {}, ...within) {
  const made = Object.assign(document.createElement(tag), set);
  made.append(...within);
  return made;
}

export function draw(tag, set = {}, ...within) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const name in set) made.setAttribute(name, set[name]);
  made.append(...within);
  return made;
}

export const dataOf = id => JSON.parse($(`#${id}`)?.textContent || "null");

let saying;
export function say(words, after = 0) {
  clearTimeout(saying);
  saying = setTimeout(() => { $("#say").textContent = words; }, after);
}

// What is kept in this browser alone: drafts, and what was read.
export const kept = {
  get: key => { try { return localStorage.getItem(`pbem ${key}`); } catch { return null; } },
  put: (key, value) => { try { localStorage.setItem(`pbem ${key}`, value); } catch { /* it is full, or not allowed */ } },
  drop: key => { try { localStorage.removeItem(`pbem ${key}`); } catch { /* as above */ } },
};

// ---- the ground: from a place of the drawing to what orders call it, and back

const pad = number => String(number).padStart(2, "0");

class Squares {
  constructor(board) { Object.assign(this, board); this.near = this.step / 2; }
  at(x, y) {
    const column = Math.floor((x - this.x) / this.step), row = Math.floor((y - this.y) / this.step);
    return this.columns[column] && this.rows[row] ? {name: `${this.columns[column]}-${this.rows[row]}`, ...this.middle(column, row)} : null;
  }
  middle(column, row) { return {x: this.x + (column + .5) * this.step, y: this.y + (row + .5) * this.step}; }
  place(name) {
    const [column, row] = name.split("-");
    const across = this.columns.indexOf(column), down = this.rows.indexOf(row);
    return across < 0 || down < 0 ? null : {name, ...this.middle(across, down)};
  }
  get names() { return /\b[A-Z]{1,2}-\d{1,2}\b/g; }
  around(place) {
    const by = this.step, ways = [[0, 1], [0, -1], [-1, 0], [1, 0], [-1, 1], [1, 1], [-1, -1], [1, -1]];
    return ways.map(([across, down]) => this.at(place.x + across * by, place.y + down * by)).filter(Boolean);
  }
  pick() { return draw("rect", {class: "pick", width: this.step - 4, height: this.step - 4, x: -this.step / 2 + 2, y: -this.step / 2 + 2}); }
  get rulers() {
    return [
      this.columns.map((name, at) => [name, this.x + (at + .5) * this.step]),
      this.rows.map((name, at) => [name, this.y + (at + .5) * this.step]),
    ];
  }
}

class Hexes {
  constructor(board) { Object.assign(this, board); this.first = this.rows[0] | 1; this.near = this.wide / 2; this.step = this.wide; }
  middle(column, row) {
    return {x: this.x + (column - this.columns[0]) * this.wide + (row % 2 ? 0 : this.wide / 2), y: this.y + (row - this.first) * this.pitch};
  }
  at(x, y) {
    const guess = Math.round((y - this.y) / this.pitch) + this.first;
    let found = null, least = this.wide * .62;
    for (const row of [guess - 1, guess, guess + 1]) {
      if (row < this.rows[0] || row > this.rows[1]) continue;
      const column = Math.round((x - this.x - (row % 2 ? 0 : this.wide / 2)) / this.wide) + this.columns[0];
      if (column < this.columns[0] || column > this.columns[1]) continue;
      const middle = this.middle(column, row), far = Math.hypot(middle.x - x, middle.y - y);
      if (far < least) { least = far; found = {name: pad(column) + pad(row), ...middle}; }
    }
    return found;
  }
  place(name) { return /^\d{4}$/.test(name) ? {name, ...this.middle(+name.slice(0, 2), +name.slice(2))} : null; }
  get names() { return /\b\d{4}\b/g; }
  around(place) {
    const ways = [[1, 0], [.5, 1], [-.5, 1], [-1, 0], [-.5, -1], [.5, -1]];
    return ways.map(([across, down]) => this.at(place.x + across * this.wide, place.y + down * this.pitch)).filter(Boolean);
  }
  pick() {
    const wide = this.wide / 2, high = this.wide / Math.sqrt(3);
    return draw("path", {class: "pick", d: `M0 ${-high}L${wide} ${-high / 2}V${high / 2}L0 ${high}L${-wide} ${high / 2}V${-high / 2}z`});
  }
  get rulers() {
    const range = (first, last) => Array.from({length: last - first + 1}, (_, at) => first + at);
    return [
      range(...this.columns).map(column => [pad(column), this.middle(column, this.first).x]),
      range(...this.rows).map(row => [pad(row), this.middle(this.columns[0], row).y]),
    ];
  }
}

class Ground {
  constructor(board) { Object.assign(this, board); this.near = 26; this.step = 22; }
  at(x, y) {
    const east = (x - this.x) / this.scale, north = (this.y - y) / this.scale;
    return east < 0 || north < 0 ? null : {name: `${east.toFixed(this.digits)},${north.toFixed(this.digits)}`, x, y};
  }
  place(name) {
    const [east, north] = name.split(",").map(Number);
    return Number.isFinite(east) && Number.isFinite(north) ? {name, x: this.x + east * this.scale, y: this.y - north * this.scale} : null;
  }
  get names() { return /\b\d+(?:\.\d+)?,\d+(?:\.\d+)?\b/g; }
  around() { return []; }
  pick() { return draw("path", {class: "pick", d: "M-9 0H9M0 -9V9"}); }
  get rulers() { return [[], []]; }
}

class Provinces {
  constructor(board) { Object.assign(this, board); this.near = 10; this.step = 60; }
  within(place, one) { return this.at(one.x, one.y)?.name === place.name; }
  at(x, y) {
    // A place is within a ring if a line from it crosses that an odd number of times; a hole is a ring too.
    const crosses = ring => ring.reduce((odd, [ax, ay], at) => {
      const [bx, by] = ring[(at + 1) % ring.length];
      return odd !== ((ay > y) !== (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax));
    }, false);
    return this.place(this.areas.find(one => one.rings.filter(crosses).length % 2)?.key ?? "");
  }
  place(name) {
    const found = this.areas.find(one => one.key.toLowerCase() === name.toLowerCase());
    return found ? {name: found.key, x: found.x, y: found.y} : null;
  }
  get names() {
    const keys = this.areas.map(one => one.key.replace(/[^\w]/g, "\\$&")).sort((one, other) => other.length - one.length);
    return new RegExp(`(?<!\\w)(?:${keys.join("|")})(?!\\w)`, "gi");
  }
  around() { return []; }
  pick() { return draw("circle", {class: "pick", r: 24}); }
  get rulers() { return [[], []]; }
}

export const boardOf = board => new {squares: Squares, hexes: Hexes, plane: Ground, provinces: Provinces}[board.type](board);

// ---- a map that is moved, and made larger

const LARGER = 1.4, LARGEST = 6.8;

export class Chart {
  constructor(box, field) {
    this.box = box;
    this.field = field;
    this.board = boardOf(field.board);
    this.view = $(".view", box);
    this.svg = $("svg", this.view);
    this.says = $(".at", box);
    this.all = {x: 0, y: 0, wide: field.size[0], high: field.size[1]};
    this.named = {whole: this.all, ...(field.act ? {act: boxed(field.act)} : {})};
    this.fingers = new Map();
    this.here = null;
    this.pick = draw("g", {visibility: "hidden", "pointer-events": "none"}, this.board.pick());
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    this.svg.append(this.pick);
    this.rulers = this.board.rulers.map((names, side) => {
      const ruler = make("div", {className: `ruler ${"xy"[side]}`, ariaHidden: "true"}, ...names.map(([name]) => make("span", {textContent: name})));
      if (names.length) this.view.append(ruler);
      return {ruler, names};
    });
    for (const button of $$("[data-do]", box)) {
      if (button.dataset.do === "act" && !field.act) button.remove();
      else button.addEventListener("click", () => this.does(button.dataset.do, button));
    }
    this.gestures();
    new ResizeObserver(() => this.fit()).observe(this.view);
    this.show(this.linked() ?? (box.clientWidth < 560 && field.act ? this.named.act : this.named[box.dataset.start] ?? this.all));
  }

  // ---- what is in sight

  linked() {
    const [x, y, wide] = new URLSearchParams(location.hash.slice(1)).get("view")?.split(",").map(Number) ?? [];
    return Number.isFinite(wide) && !this.box.dataset.forget ? {x, y, wide, high: wide} : null;
  }

  show(box) {
    this.asked = box;
    this.fit();
  }

  fit() {
    const {width, height} = this.view.getBoundingClientRect();
    if (!width || !height) return;
    const ratio = width / height;
    let {x, y, wide, high} = this.asked;
    if (wide / high < ratio) { x -= (high * ratio - wide) / 2; wide = high * ratio; }
    else { y -= (wide / ratio - high) / 2; high = wide / ratio; }
    const most = Math.max(this.all.wide, this.all.high * ratio);
    if (wide > most) { x += (wide - most) / 2; y += (high - most / ratio) / 2; wide = most; high = most / ratio; }
    const held = (at, long, all) => long >= all ? (all - long) / 2 : Math.min(Math.max(at, -30), all + 30 - long);
    this.box_ = {x: held(x, wide, this.all.wide), y: held(y, high, this.all.high), wide, high};
    this.scale = width / wide;
    this.svg.setAttribute("viewBox", Object.values(this.box_).map(one => one.toFixed(1)).join(" "));
    this.lay(width, height);
    clearTimeout(this.keeping);
    if (!this.box.dataset.forget) this.keeping = setTimeout(() => this.keep(), 250);
  }

  get whole() { return this.box_.wide >= this.all.wide - 1 && this.box_.high >= this.all.high - 1; }

  lay(width, height) {
    this.rulers.forEach(({ruler, names}, side) => {
      ruler.hidden = this.whole;
      if (this.whole) return;
      names.forEach(([, at], number) => {
        const mark = ruler.children[number], from = side ? this.box_.y : this.box_.x, put = (at - from) * this.scale;
        mark.hidden = put < 34 || put > (side ? height : width) - 8;
        mark.style[side ? "top" : "left"] = `${side ? put - 22 : put}px`;
        mark.classList.toggle("on", !!this.here && Math.abs((side ? this.here.y : this.here.x) - at) < 1);
      });
    });
  }

  // The view goes along from turn to turn, in the link.
  keep() {
    const {x, y, wide, high} = this.box_, size = Math.min(wide, high);
    const hash = this.whole ? "" : `#view=${[x + (wide - size) / 2, y + (high - size) / 2, size].map(Math.round)}`;
    for (const link of $$("a[data-turn]")) link.hash = hash;
  }

  zoom(by, at) {
    const {x, y, wide, high} = this.box_, least = Math.max(this.all.wide, this.all.high) / LARGEST;
    const part = Math.min(Math.max(1 / by, least / Math.max(wide, high)), 4);
    const {x: left, y: top} = at ?? {x: x + wide / 2, y: y + high / 2};
    this.show({x: left - (left - x) * part, y: top - (top - y) * part, wide: wide * part, high: high * part});
  }

  pan(across, down) {
    this.show({...this.box_, x: this.box_.x + across, y: this.box_.y + down});
  }

  does(what, button) {
    if (what === "in") this.zoom(LARGER);
    else if (what === "out") this.zoom(1 / LARGER);
    else if (what === "plan") button.setAttribute("aria-pressed", !this.box.classList.toggle("noplan"));
    else if (this.named[what]) this.show(this.named[what]);
  }

  // ---- hands

  place(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return {x: at.x, y: at.y};
  }

  gestures() {
    const view = this.view;
    view.addEventListener("pointerdown", event => {
      this.fingers.set(event.pointerId, event);
      this.moved = false;
      this.from = event;
      if (event.pointerType === "mouse") view.setPointerCapture(event.pointerId);
    });
    view.addEventListener("pointermove", event => this.drag(event));
    for (const kind of ["pointerup", "pointercancel"]) view.addEventListener(kind, event => {
      this.fingers.delete(event.pointerId);
      view.classList.remove("drag");
      if (kind === "pointerup" && !this.moved) this.tap(event);
    });
    view.addEventListener("wheel", event => {
      if (!(event.ctrlKey || document.activeElement === view || this.box.dataset.wheel === "own")) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? .01 : .0016)), this.place(event));
    }, {passive: false});
    view.addEventListener("dblclick", event => this.zoom(1.6, this.place(event)));
    view.addEventListener("keydown", event => this.key(event));
  }

  drag(event) {
    const was = this.fingers.get(event.pointerId);
    if (!was) {
      if (event.pointerType === "mouse") this.point(this.place(event));
      return;
    }
    if (this.fingers.size === 1) {
      if (!this.moved && Math.hypot(event.clientX - this.from.clientX, event.clientY - this.from.clientY) < 6) return;
      this.moved = true;
      this.view.classList.add("drag");
      this.pan((was.clientX - event.clientX) / this.scale, (was.clientY - event.clientY) / this.scale);
    } else {
      const other = [...this.fingers.values()].find(one => one.pointerId !== event.pointerId);
      const apart = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      const middle = {clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2};
      this.moved = true;
      this.zoom(apart(event, other) / Math.max(1, apart(was, other)), this.place(middle));
    }
    this.fingers.set(event.pointerId, event);
  }

  tap(event) {
    this.here = null;
    this.point(this.place(event));
    this.take();
  }

  key(event) {
    const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (way && event.shiftKey) this.pan(way[0] * this.box_.wide / 6, way[1] * this.box_.wide / 6);
    else if (way && !event.altKey) this.stepped(way);
    else if (event.key === "+" || event.key === "=") this.zoom(LARGER);
    else if (event.key === "-") this.zoom(1 / LARGER);
    else if (event.key === "0") this.does("whole");
    else if (event.key === "Enter" || event.key === " ") this.take();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  stepped([across, down]) {
    const {x, y, wide, high} = this.box_, by = this.board.step, from = this.here ?? {x: x + wide / 2, y: y + high / 2};
    let to = {x: from.x + across * by, y: from.y + down * by};
    if (this.board instanceof Hexes && down) to = {x: from.x + this.board.wide / 4, y: from.y + down * this.board.pitch};
    this.point(to, true);
    const edge = by * 1.2;
    this.pan(to.x < x + edge ? -by : to.x > x + wide - edge ? by : 0, to.y < y + edge ? -by : to.y > y + high - edge ? by : 0);
  }

  // ---- what lies there

  standing(place) {
    const near = one => Math.hypot(one.x - place.x, one.y - place.y) <= this.board.near;
    return this.field.stands.filter(one => this.board.within ? this.board.within(place, one) : near(one));
  }

  words(place) {
    const names = this.field.places.filter(one => Math.hypot(one.x - place.x, one.y - place.y) <= this.board.near * 1.2).map(one => one.name);
    return [...names, ...this.standing(place).map(one => one.words)].filter(Boolean).join("; ") || "nobody known there";
  }

  point(at, aloud) {
    const place = this.board.at(at.x, at.y);
    if (!place || (place.name === this.here?.name && !aloud)) return;
    this.here = place;
    this.pick.setAttribute("transform", `translate(${place.x} ${place.y})`);
    this.pick.setAttribute("visibility", "visible");
    const words = this.words(place);
    this.says?.replaceChildren(make("b", {textContent: place.name}), words);
    if (aloud) say(`${place.name}: ${words}`);
    const {width, height} = this.view.getBoundingClientRect();
    this.lay(width, height);
  }

  take() {
    if (this.here) this.box.dispatchEvent(new CustomEvent("take", {detail: this.here}));
  }
}

const boxed = ([x, y, wide, high]) => ({x: x - 14, y: y - 14, wide: wide + 28, high: high + 28});

// ---- the map of a report becomes one that is moved

function upgraded() {
  const still = $(".turn #map .scroll"), svg = still && $("svg", still);
  if (!svg) return;
  const spoken = dataOf("chart-words") ?? {};
  const tool = (what, text, more = {}) => {
    const button = make("button", {type: "button", textContent: text, ...more});
    button.dataset.do = what;
    return button;
  };
  const tools = make("div", {className: "tools", role: "group", ariaLabel: spoken.map ?? "The map"},
    tool("in", "+", {className: "sign", ariaLabel: spoken.larger ?? "Larger"}), tool("out", "−", {className: "sign", ariaLabel: spoken.smaller ?? "Smaller"}),
    tool("whole", spoken.whole ?? "Whole"), tool("act", spoken.act ?? "Fighting"));
  const view = make("div", {className: "view", tabIndex: 0, role: "application", ariaRoleDescription: "map", ariaLabel: still.ariaLabel});
  view.setAttribute("aria-describedby", "mapkeys");
  view.append(svg);
  const chart = make("div", {className: "chart"}, tools, view, make("div", {}, make("div", {className: "at", textContent: spoken.point ?? "Point at a place, or use the arrow keys."})));
  chart.dataset.start = "whole";
  still.replaceWith(chart);
  $(".turn #map .sideways")?.remove();
}

// ---- turns by the arrow keys; tables that are sorted; what is new

function turns(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest?.("input,textarea,select,.view,[tabindex]:not(a)")) return;
  const rel = {ArrowLeft: "prev", ArrowRight: "next"}[event.key];
  if (rel) $(`a[rel=${rel}]`)?.click();
}

const number = text => /^[−-]?\d/.test(text) ? parseFloat(text.replace("−", "-")) : null;

function sorts(table) {
  const body = table.tBodies[0];
  if (table.tBodies.length !== 1 || body.rows.length < 3 || !table.tHead) return;
  const first = [...body.rows];
  $$("th", table.tHead).forEach((head, column) => {
    const button = make("button", {type: "button", textContent: head.textContent});
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const was = head.getAttribute("aria-sort"), now = {null: "ascending", ascending: "descending"}[was] ?? null;
      for (const one of $$("th[aria-sort]", table)) one.removeAttribute("aria-sort");
      if (now) head.setAttribute("aria-sort", now);
      const of = row => row.cells[column]?.textContent.trim() ?? "";
      const order = (a, b) => {
        const [one, other] = [number(of(a)), number(of(b))];
        const way = one !== null && other !== null ? one - other : of(a).localeCompare(of(b), "en", {numeric: true});
        return now === "descending" ? -way : way;
      };
      body.append(...(now ? [...first].sort(order) : first));
    });
  });
}

// What was sent is no draft any more once the office says that it has it; until then it is kept.
function arrived() {
  const [once, ...draft] = (kept.get("sent") ?? "").split(" ");
  if (!once || location.hash !== `#sent-${once}`) return;
  kept.drop(draft.join(" "));
  kept.drop("sent");
}

function fresh() {
  const turn = $("[data-read]")?.dataset.read;
  if (turn && !turn.startsWith("/")) kept.put(`read ${turn}`, "1");
  const since = +(kept.get("since") ?? 0);
  for (const mark of $$("[data-fresh]")) mark.hidden = +mark.dataset.at <= since || kept.get(`read ${mark.dataset.fresh}`) !== null;
  if (!since && $("[data-fresh]")) kept.put("since", Math.max(...$$("[data-fresh]").map(one => +one.dataset.at)));
  for (const note of $$("[data-draft]")) {
    const draft = kept.get(`draft ${note.dataset.draft}`);
    const lines = draft?.split("\n").filter(line => line.trim() && !line.trim().startsWith("#")).length;
    if (lines && note.tagName === "SPAN") note.textContent = ` ${(lines > 1 ? note.dataset.many : note.dataset.one).replace("{count}", lines)}`;
  }
}

// ---- the proof of the whole office, one part after the other, so that it is seen how far it has come

async function proves(event) {
  event.preventDefault();
  const form = event.target, bar = $("progress", form), button = $("button", form), rows = $$("tr[data-which]");
  const data = new FormData(form);
  button.disabled = true;
  bar.hidden = bar.labels[0].hidden = false;
  let bad = 0;
  for (const [at, row] of rows.entries()) {
    const found = row.cells[1];
    found.textContent = "…";
    data.set("which", row.dataset.which);
    const answer = await fetch(form.action, {method: "POST", body: new URLSearchParams(data), headers: {Accept: "application/json"}}).then(one => one.json()).catch(() => ({error: "The office did not answer."}));
    const {sound, says} = answer[row.dataset.which] ?? {sound: false, says: answer.error};
    found.replaceChildren(sound ? says : make("b", {className: "late", textContent: says}));
    bad += !sound;
    bar.value = at + 1;
  }
  button.disabled = false;
  $("h1").textContent = bad ? `${bad} of ${rows.length} not sound` : "All is sound";
  say($("h1").textContent);
}

document.documentElement.classList.add("scripted");
upgraded();
export const field = dataOf("field-data");
export const charts = field ? $$(".chart").map(box => new Chart(box, field)) : [];
addEventListener("keydown", turns);
for (const table of $$("main table.stack")) sorts(table);
arrived();
fresh();
$("form.prove")?.addEventListener("submit", proves);
document.documentElement.dataset.ready = "1";
