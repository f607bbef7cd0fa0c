// A pane: the map through one pair of eyes, its signs that glide, and the camera over it.

const ABOVE = new Set(["rifle", "artillery"]);
const AT_ONCE = 18;  // more signs than these are no action, but a new day
const eased = part => part < .5 ? 2 * part * part : 1 - (2 - 2 * part) ** 2 / 2;

class Pane {
  constructor(eyes, place) {
    this.eyes = eyes;
    this.place = place;
    this.nodes = new Map();
    this.box = whole();
    this.aim = null;
    this.root = make("div", "r-pane");
    this.title = make("i");
    this.pick = make("select");
    this.pick.setAttribute("aria-label", place ? "Whose eyes, on the other side" : "Whose eyes");
    for (const {name} of game.eyes) this.pick.append(new Option(titled(name), name));
    this.pick.value = eyes;
    this.pick.onchange = () => look(show.eyes.map((one, at) => at === place ? this.pick.value : one));
    this.follow = make("span");
    const head = make("div", "r-panehead");
    head.append(this.pick, this.title, this.follow);
    this.map = make("div", "r-map");
    this.map.tabIndex = 0;
    this.map.setAttribute("role", "group");
    this.map.setAttribute("aria-label", `Map, ${knew(eyes)}. Plus and minus bring it nearer and farther, 0 shows all.`);
    this.under = make("div", "r-under");
    this.root.append(head, this.map, this.under);
    this.layers();
    this.buttons();
    this.gestures();
  }

  layers() {
    this.svg = draw("svg", {"aria-hidden": "true", preserveAspectRatio: "xMidYMid meet"});
    if (game.board) this.svg.setAttribute("class", game.board);
    this.map.append(this.svg);
    const layer = parent => parent.appendChild(draw("g", {"pointer-events": "none"}));
    this.ground = layer(this.svg);
    this.beds = [];
    this.names = layer(this.svg);
    this.names.innerHTML = game.svgs[game.names[this.eyes]] ?? "";
    this.ways = layer(this.svg);
    this.rings = layer(this.svg);
    this.signs = this.svg.appendChild(draw("g", {}));
    this.levels = new Map();
    this.fires = layer(this.svg);
    this.labels = layer(this.svg);
    this.marks = layer(this.svg);
    this.flashes = layer(this.svg);
  }

  buttons() {
    const zoom = make("div", "r-zoom");
    for (const [sign, words, does] of [
      ["+", "Nearer", () => this.zoom(.7)], ["−", "Farther", () => this.zoom(1 / .7)], ["▢", "The whole field", allOf],
    ]) {
      const made = button(sign, does);
      made.setAttribute("aria-label", words);
      made.title = words;
      zoom.append(made);
    }
    this.map.append(zoom);
  }

  // ---- the camera

  setBox(box) {
    this.box = box;
    this.svg.setAttribute("viewBox", box.map(one => one.toFixed(1)).join(" "));
  }

  // Asked once, for it costs a layout: the shape of the window on the map.
  measure() {
    this.shape = this.map.clientWidth / Math.max(1, this.map.clientHeight);
  }

  fly(box, ms = 550) {
    let [x, y, wide, high] = box;
    const shape = this.shape;
    if (wide / high < shape) { x -= (high * shape - wide) / 2; wide = high * shape; }
    else { y -= (wide / shape - high) / 2; high = wide / shape; }
    const to = [x, y, wide, high];
    if (still.matches || !this.flown) { this.flown = true; this.flight = 0; this.setBox(to); return; }
    const from = this.box, start = performance.now(), long = ms / Math.sqrt(show.speed);
    this.flight = start;
    const go = now => {
      if (this.flight !== start) return;
      const part = Math.min(1, Math.max(0, (now - start) / long));
      this.setBox(from.map((one, at) => one + (to[at] - one) * eased(part)));
      if (part < 1) requestAnimationFrame(go);
    };
    requestAnimationFrame(go);
  }

  zoom(by, x, y) {
    setFollow(false);
    const [left, top, wide, high] = this.box;
    x ??= left + wide / 2;
    y ??= top + high / 2;
    const least = Math.min(...game.size) / 8, most = Math.max(...game.size) * 1.6;
    const part = Math.min(Math.max(by, least / wide), most / wide);
    moveAll([x - (x - left) * part, y - (y - top) * part, wide * part, high * part]);
  }

  // A place on the map under a finger, and how much of the map is a pixel.
  under_(event) {
    const at = this.svg.getBoundingClientRect(), [x, y, wide, high] = this.box;
    const size = Math.max(wide / at.width, high / at.height);
    return [
      x + wide / 2 + (event.clientX - at.left - at.width / 2) * size,
      y + high / 2 + (event.clientY - at.top - at.height / 2) * size, size,
    ];
  }

  gestures() {
    const fingers = new Map();
    let moved = 0, down = null;
    this.map.addEventListener("wheel", event => {
      event.preventDefault();
      const [x, y] = this.under_(event);
      this.zoom(event.deltaY > 0 ? 1.18 : 1 / 1.18, x, y);
    }, {passive: false});
    this.map.addEventListener("pointerdown", event => {
      if (event.target.closest(".r-zoom,.r-story")) return;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size === 1) { moved = 0; down = event.target; }
      this.map.setPointerCapture(event.pointerId);
    });
    this.map.addEventListener("pointermove", event => {
      const was = fingers.get(event.pointerId);
      if (!was) return;
      const here = [event.clientX, event.clientY];
      if (fingers.size === 1) {
        const across = here[0] - was[0], along = here[1] - was[1], size = this.under_(event)[2];
        moved += Math.abs(across) + Math.abs(along);
        if (moved > 5) {
          setFollow(false);
          moveAll([this.box[0] - across * size, this.box[1] - along * size, this.box[2], this.box[3]]);
        }
      } else {
        const apart = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
        const before = apart();
        fingers.set(event.pointerId, here);
        const [a, b] = [...fingers.values()];
        const [x, y] = this.under_({clientX: (a[0] + b[0]) / 2, clientY: (a[1] + b[1]) / 2});
        moved = 99;
        this.zoom(before / Math.max(apart(), 1), x, y);
      }
      fingers.set(event.pointerId, here);
    });
    this.map.addEventListener("pointerup", event => {
      if (fingers.delete(event.pointerId) && moved < 6 && !fingers.size) this.story(down.closest?.(".r-sign")?.dataset.key);
    });
    this.map.addEventListener("pointercancel", event => fingers.delete(event.pointerId));
    this.map.addEventListener("keydown", event => {
      const does = {"+": () => this.zoom(.7), "=": () => this.zoom(.7), "-": () => this.zoom(1 / .7), "0": allOf}[event.key];
      if (does) { does(); event.preventDefault(); event.stopPropagation(); }
    });
  }

  // Keep still while what happens is in sight; else come to it.
  camera(number) {
    if (!show.follow) return;
    const first = show.panes[0];
    if (first !== this) { this.fly(first.aim ?? whole()); return; }
    const box = this.action(number);
    if (!box) {
      if (!this.aim || seenBy[this.eyes][number].changed.length >= AT_ONCE) this.fly(this.aim = whole());
      return;
    }
    const share = Math.max(...game.size) / 1152, pad = (small.matches ? 75 : 110) * share;
    const least = (small.matches ? 360 : 520) * share, a = this.aim;
    const wide = Math.max(box[2] - box[0] + 2 * pad, least), high = Math.max(box[3] - box[1] + 2 * pad, least * .72);
    if (a && a[2] < game.size[0] * .8 && box[0] - 50 > a[0] && box[1] - 50 > a[1]
        && box[2] + 50 < a[0] + a[2] && box[3] + 50 < a[1] + a[3] && wide > a[2] * .55) { this.fly(a); return; }
    this.aim = [(box[0] + box[2] - wide) / 2, (box[1] + box[3] - high) / 2, wide, high];
    this.fly(this.aim);
  }

  // The box round all that is new in a beat, or in the last one before it that had news.
  action(number) {
    const states = seenBy[this.eyes];
    for (let at = number; at >= 0 && at > number - 40; at--) {
      const state = states[at];
      if (state.changed.length >= AT_ONCE) return null;
      const points = [], before = at ? states[at - 1].rows : {};
      for (const key of state.changed) {
        const now = state.rows[key], was = before[key];
        if (!was || was[SVG] !== now[SVG] || Math.hypot(was[X] - now[X], was[Y] - now[Y]) > 8) points.push([now[X], now[Y]]);
      }
      for (const [way, fresh] of state.went) if (fresh) points.push(...pairs(game.ways[way][WAY.points]));
      for (const [spot, fresh] of state.befell) if (fresh) points.push([game.spots[spot][SPOT.x], game.spots[spot][SPOT.y]]);
      if (points.length) {
        const across = points.map(one => one[0]), along = points.map(one => one[1]);
        return [Math.min(...across), Math.min(...along), Math.max(...across), Math.max(...along)];
      }
      if (this.aim) return null;
    }
    return null;
  }

  // ---- the picture

  show(number, from, ms) {
    const state = seenBy[this.eyes][number];
    this.now = number;
    this.bed(state.beds);
    this.went(state, Math.abs(number - from) === 1);
    this.stand(state, from >= 0 ? seenBy[this.eyes][from] : null, ms);
    this.befell(state, ms > 0 && number - from === 1);
    this.ring(state);
    this.camera(number);
  }

  bed(beds) {
    while (this.beds.length < beds.length) this.beds.push({node: this.ground.appendChild(draw("g", {})), svg: -1});
    this.beds.forEach((bed, at) => {
      const svg = beds[at] ?? 0;
      if (bed.svg !== svg) { bed.svg = svg; bed.node.innerHTML = game.svgs[svg]; }
    });
  }

  went(state, near) {
    const key = state.went.join() + near;
    if (key === this.wentKey) return;
    this.wentKey = key;
    const below = [], above = [];
    for (const [way, fresh] of state.went) {
      const drawn = game.svgs[game.ways[way][WAY.svg]], halo = fresh ? `<g class="r-halo">${drawn}</g>` : "";
      const css = fresh ? near ? "r-fresh" : "" : "r-past";
      (ABOVE.has(game.ways[way][WAY.kind]) ? above : below).push(`${halo}<g class="${css}">${drawn}</g>`);
    }
    this.ways.innerHTML = below.join("");
    this.fires.innerHTML = above.join("");
  }

  befell(state, lively) {
    this.marks.innerHTML = state.befell.map(([number, fresh]) => {
      const spot = game.spots[number];
      return `<g transform="translate(${spot[SPOT.x]} ${spot[SPOT.y]})"${fresh ? "" : ' class="r-past"'}>`
        + `<g${fresh && lively ? ' class="r-pop"' : ""}>${game.svgs[spot[SPOT.svg]]}</g></g>`;
    }).join("");
    this.flashes.textContent = "";
    if (!lively || still.matches) return;
    for (const [number, fresh] of state.befell) if (fresh) {
      const spot = game.spots[number], of = new Set(spot[SPOT.of]);
      const hit = Object.values(state.rows).filter(row => row[PARTS].some(part => of.has(part)));
      for (const [x, y] of hit.length ? hit.map(row => [row[X], row[Y]]) : [[spot[SPOT.x], spot[SPOT.y]]])
        this.flashes.append(draw("circle", {class: "r-flash", cx: x, cy: y, r: 26}));
    }
  }

  // Each sign where it stands now: the same node for the same troops, whatever they are called, on the way they went.
  stand(state, before, ms) {
    const owner = new Map(), taken = new Set(), nodes = new Map(), moves = [];
    for (const [key, row] of Object.entries(before?.rows ?? {})) for (const part of row[PARTS]) owner.set(part, key);
    for (const [key, row] of Object.entries(state.rows)) {
      const was = this.nodes.has(key) ? key : this.mostOf(row, owner);
      let node;
      if (was !== null && !taken.has(was) && this.nodes.has(was) && (was === key || !(was in state.rows))) {
        taken.add(was);
        node = this.nodes.get(was);
      } else {
        const start = was !== null ? before.rows[was] : null;
        node = this.born(start ?? row, ms > 0 && !start);
      }
      this.dress(node, key, row);
      const far = Math.hypot(node.x - row[X], node.y - row[Y]);
      const way = ms > 0 && far > 20 ? this.wayOf(state, row, node) : null;
      moves.push({node, row, way, from: [node.x, node.y, node.scale, node.seen], turn: ((row[TURN] - node.turn) % 360 + 540) % 360 - 180});
      nodes.set(key, node);
    }
    for (const [key, node] of this.nodes) if (!taken.has(key)) this.fade(node, ms);
    this.nodes = nodes;
    this.glide(moves, ms);
  }

  // The sign in which most of a sign's troops were.
  mostOf(row, owner) {
    const votes = {};
    for (const part of row[PARTS]) if (owner.has(part)) votes[owner.get(part)] = (votes[owner.get(part)] ?? 0) + 1;
    return Object.keys(votes).sort((one, other) => votes[other] - votes[one])[0] ?? null;
  }

  born(row, unseen) {
    const node = {sign: draw("g", {class: "r-sign"}), label: draw("g", {}), svg: -1, text: -1, over: null};
    node.inner = node.sign.appendChild(draw("g", {}));
    this.labels.append(node.label);
    return Object.assign(node, {x: row[X], y: row[Y], scale: row[SCALE], turn: row[TURN], seen: unseen ? 0 : 1});
  }

  dress(node, key, row) {
    node.sign.dataset.key = key;
    if (node.svg !== row[SVG]) { node.svg = row[SVG]; node.inner.innerHTML = game.svgs[row[SVG]]; }
    if (node.text !== row[LABEL]) { node.text = row[LABEL]; node.label.innerHTML = game.svgs[row[LABEL]]; }
    if (node.over !== row[OVER]) { node.over = row[OVER]; this.level(row[OVER]).append(node.sign); }
  }

  level(over) {
    if (!this.levels.has(over)) {
      this.levels.set(over, draw("g", {}));
      for (const at of [...this.levels.keys()].sort((one, other) => one - other)) this.signs.append(this.levels.get(at));
    }
    return this.levels.get(over);
  }

  fade(node, ms) {
    node.label.remove();
    if (!ms) { node.sign.remove(); return; }
    node.sign.animate([{opacity: 1}, {opacity: 0}], {duration: ms * 1.2, fill: "forwards"}).onfinish = () => node.sign.remove();
  }

  // The new way that its troops took, forward or back, if it leads from where it was to where it is.
  wayOf(state, row, node) {
    for (const [number, fresh] of state.went) {
      const way = game.ways[number];
      if (!fresh || !way[WAY.of].some(part => row[PARTS].includes(part))) continue;
      const points = pairs(way[WAY.points]), ends = [points[0], points[points.length - 1]];
      const near = (at, x, y) => Math.hypot(at[0] - x, at[1] - y) < 60;
      if (near(ends[0], node.x, node.y) && near(ends[1], row[X], row[Y]))
        return measured([[node.x, node.y], ...points.slice(1, -1), [row[X], row[Y]]]);
    }
    return null;
  }

  glide(moves, ms) {
    const start = performance.now();
    this.run = start;
    const put = ({node, row, way, from, turn}, part) => {
      [node.x, node.y] = way ? along(way, part) : [from[0] + (row[X] - from[0]) * part, from[1] + (row[Y] - from[1]) * part];
      node.scale = from[2] + (row[SCALE] - from[2]) * part;
      node.turn = part >= 1 ? row[TURN] : row[TURN] - turn * (1 - part);
      node.seen = from[3] + (1 - from[3]) * part;
      node.sign.setAttribute("transform", `translate(${node.x.toFixed(1)} ${node.y.toFixed(1)})`);
      node.inner.setAttribute("transform", `scale(${node.scale.toFixed(3)}) rotate(${node.turn.toFixed(1)})`);
      node.label.setAttribute("transform", `translate(${node.x.toFixed(1)} ${node.y.toFixed(1)})`);
      node.sign.style.opacity = node.label.style.opacity = node.seen < 1 ? node.seen : "";
    };
    const moving = ms > 0 ? moves.filter(({row, from, turn}) =>
      Math.hypot(from[0] - row[X], from[1] - row[Y]) > .2 || turn || from[2] !== row[SCALE] || from[3] < 1) : [];
    const busy = new Set(moving);
    for (const move of moves) put(move, busy.has(move) ? 0 : 1);
    if (!moving.length) return;
    const go = now => {
      if (this.run !== start) return;
      const part = Math.min(1, Math.max(0, (now - start) / ms));
      for (const move of moving) put(move, eased(part));
      if (part < 1) requestAnimationFrame(go);
    };
    requestAnimationFrame(go);
  }

  // ---- what the other does not know

  ring(state) {
    const role = this.eyes !== "truth" ? "" : show.panes.length > 1 ? show.panes[1 - this.place].eyes : show.unknownTo;
    const known = state.known[role] ?? {}, counts = {};
    this.rings.textContent = "";
    for (const key in known) {
      const row = state.rows[key], node = this.nodes.get(key);
      if (!row || !node) continue;
      const how = known[key].how;
      counts[how] = (counts[how] ?? 0) + 1;
      this.rings.append(draw("rect", {class: `r-ring r-ring-${how === "in part" ? "part" : how}`, rx: 4, ...room(node, row)}));
    }
    const words = {unseen: "unseen", "in part": "known in part", seen: "seen, and not known for what they are", elsewhere: "believed elsewhere"};
    const told = Object.keys(words).filter(how => counts[how]).map(how => `${counts[how]} ${words[how]}`);
    this.ringed = told.length ? `Ringed: what ${calledOf(role)} did not know; ${told.join(", ")}.` : "";
  }

  // ---- the story of a sign

  story(key) {
    this.card?.remove();
    this.card = null;
    const states = seenBy[this.eyes], row = states[this.now]?.rows[key];
    if (!row) return;
    const card = this.card = make("div", "r-story");
    card.append(button("close", () => { this.story(null); this.map.focus(); }, "r-shut"), make("b", null, row[WORDS] || "Nobody knows who"));
    const parts = new Set(row[PARTS]), list = make("ul");
    states.forEach((state, number) => {
      if (!parts.size || !(state.units.some(unit => parts.has(unit)) || this.stirs(states, number, parts))) return;
      const beat = game.beats[number], words = state.told.map(said).join(" ") || raised(beat.phase) || turnWords(beat);
      const line = make("li"), go = button(beat.name, () => step(number), "r-go");
      line.append(go, " " + shortened(words, 90));
      if (number === this.now) { line.style.fontWeight = 650; go.setAttribute("aria-current", "true"); }
      list.append(line);
    });
    if (list.children.length) card.append(list);
    else card.append(make("p", "r-nothing", "Nothing more is told of it."));
    this.map.append(card);
  }

  // Whether in a beat a sign of these troops is no longer where or what it was.
  stirs(states, number, parts) {
    if (!number) return false;
    const state = states[number], before = states[number - 1].rows;
    const own = key => (state.rows[key] ?? before[key])?.[PARTS].some(part => parts.has(part));
    return state.gone.some(own) || state.changed.some(key => own(key) && before[key]
      && (before[key][SVG] !== state.rows[key][SVG] || Math.hypot(before[key][X] - state.rows[key][X], before[key][Y] - state.rows[key][Y]) > 12));
  }
}

const whole = () => [0, 0, ...game.size];
const pairs = flat => flat.flatMap((one, at) => at % 2 ? [] : [[one, flat[at + 1]]]);

function moveAll(box) {
  for (const pane of show.panes) { pane.flight = 0; pane.setBox(box.slice()); }
}

function allOf() {
  setFollow(false);
  for (const pane of show.panes) pane.fly(whole());
}

// The box round a sign where it will stand, as it will be turned.
function room(node, row) {
  const box = node.inner.getBBox(), turn = row[TURN] * Math.PI / 180, cos = Math.cos(turn) * row[SCALE], sin = Math.sin(turn) * row[SCALE];
  const corners = [0, 1, 2, 3].map(at => [box.x + box.width * (at % 2), box.y + box.height * (at >> 1)]);
  const across = corners.map(([x, y]) => row[X] + x * cos - y * sin), down = corners.map(([x, y]) => row[Y] + x * sin + y * cos);
  const left = Math.min(...across) - 4, top = Math.min(...down) - 4;
  return {x: left, y: top, width: Math.max(...across) + 4 - left, height: Math.max(...down) + 4 - top};
}

function measured(points) {
  const far = [0];
  for (let at = 1; at < points.length; at++)
    far.push(far[at - 1] + Math.hypot(points[at][0] - points[at - 1][0], points[at][1] - points[at - 1][1]));
  return {points, far, long: far[far.length - 1] || 1};
}

function along({points, far, long}, part) {
  const gone = part * long;
  let at = 1;
  while (at < far.length - 1 && far[at] < gone) at++;
  const [a, b] = [points[at - 1], points[at]], share = (gone - far[at - 1]) / (far[at] - far[at - 1] || 1);
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
}
