// The dice, thrown again by the recipe of the office (pbem/kernel/dice.py), and the seeds held against their promises.
//
//   face     = first 8 bytes of HMAC-SHA256(seed, "<name>#<i>.<try>"), below the limit, modulo the sides, and one
//   seed     = where words enter: HMAC-SHA256(the office's seed, "<moment>/words <role>=<word> …"), roles in order
//   shuffle  = for each place from the last to the second a die of so many sides changes two cards (closed seed)
//   salt     = HMAC-SHA256(closed seed, its name)
//   promise  = SHA-256 of the office's seed

const verdicts = new Map();
let crypto_ = "";

const letters = new TextEncoder();
const bytesOf = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));
const hexOf = bytes => [...bytes].map(one => one.toString(16).padStart(2, "0")).join("");

// ---- SHA-256, for pages that are no secure context

const SHA = (() => {
  const rounds = [], start = [], part = number => (number - Math.floor(number)) * 2 ** 32 | 0;
  for (let number = 2; rounds.length < 64; number++) {
    if (Array.from({length: number - 2}, (_, at) => at + 2).some(by => number % by === 0)) continue;
    if (start.length < 8) start.push(part(Math.sqrt(number)));
    rounds.push(part(Math.cbrt(number)));
  }
  return {rounds, start};
})();

function sha256(bytes) {
  const size = (bytes.length + 72 >> 6) << 6, block = new Uint8Array(size), view = new DataView(block.buffer);
  block.set(bytes);
  block[bytes.length] = 128;
  view.setUint32(size - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(size - 4, bytes.length * 8 >>> 0);
  const state = SHA.start.slice(), words = new Int32Array(64), turn = (word, by) => word >>> by | word << 32 - by;
  for (let offset = 0; offset < size; offset += 64) {
    for (let at = 0; at < 16; at++) words[at] = view.getInt32(offset + 4 * at);
    for (let at = 16; at < 64; at++) {
      const a = words[at - 15], b = words[at - 2];
      words[at] = words[at - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >>> 3) + words[at - 7] + (turn(b, 17) ^ turn(b, 19) ^ b >>> 10) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 64; at++) {
      const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e & f ^ ~e & g) + SHA.rounds[at] + words[at] | 0;
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, d + one | 0, c, b, a, one + two | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => { state[at] = state[at] + word | 0; });
  }
  const made = new Uint8Array(32), out = new DataView(made.buffer);
  state.forEach((word, at) => out.setInt32(4 * at, word));
  return made;
}

function joined(one, other) {
  const made = new Uint8Array(one.length + other.length);
  made.set(one);
  made.set(other, one.length);
  return made;
}

const secure = () => globalThis.crypto?.subtle;

async function digest(bytes) {
  return secure() ? new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)) : sha256(bytes);
}

// What makes the HMAC of a text under a key of at most 64 bytes.
async function keyed(key) {
  if (secure()) {
    crypto_ = "WebCrypto";
    const made = await crypto.subtle.importKey("raw", key, {name: "HMAC", hash: "SHA-256"}, false, ["sign"]);
    return async text => new Uint8Array(await crypto.subtle.sign("HMAC", made, letters.encode(text)));
  }
  crypto_ = "this page's own SHA-256";
  const padded = new Uint8Array(64);
  padded.set(key);
  const inner = padded.map(one => one ^ 54), outer = padded.map(one => one ^ 92);
  return async text => sha256(joined(outer, sha256(joined(inner, letters.encode(text)))));
}

// ---- the recipe

async function face(mac, name, number, sides) {
  const of = BigInt(sides), limit = 2n ** 64n - 2n ** 64n % of;
  for (let attempt = 0; ; attempt++) {
    const made = await mac(`${name}#${number}.${attempt}`);
    const value = new DataView(made.buffer, made.byteOffset).getBigUint64(0);
    if (value < limit) return Number(value % of) + 1;
  }
}

// What throws by a seed of a pair, made of the office's and of the players' words; null while it is sealed.
async function thrower(pair, which, kept) {
  const key = `${pair} ${which}`;
  if (!(key in kept)) kept[key] = await made();
  return kept[key];

  async function made() {
    const one = game.beside.pairs?.[pair], seed = one?.[which === "open" ? "open_seed" : "closed_seed"];
    if (!seed) return null;
    const office = await keyed(bytesOf(seed));
    if (!one.worded) return office;
    const words = Object.entries(one.words ?? {}).sort(([a], [b]) => a < b ? -1 : 1);
    return words.length ? keyed(await office([`${one.moment}/words`, ...words.map(([role, word]) => `${role}=${word}`)].join(" "))) : null;
  }
}

async function shuffled(mac, name, lay) {
  const lie = lay.slice();
  for (let last = lie.length - 1, draws = 1; last > 0; last--, draws++) {
    const other = await face(mac, name, draws, last + 1) - 1;
    [lie[last], lie[other]] = [lie[other], lie[last]];
  }
  return lie;
}

async function fell(one, kept) {
  const mac = await thrower(one[THROW.pair], one[THROW.seed], kept);
  if (!mac) return null;
  const right = await Promise.all(one[THROW.faces].map(async (shown, at) => await face(mac, one[THROW.name], at + 1, one[THROW.sides]) === shown));
  return right.filter(Boolean).length;
}

async function came(one, kept) {
  const mac = await thrower(one[DRAWN.pair], "closed", kept);
  if (!mac) return null;
  if (one[DRAWN.lay].length) return (await shuffled(mac, one[DRAWN.name], one[DRAWN.lay])).join() === one[DRAWN.came].join();
  return hexOf(await mac(one[DRAWN.name])).startsWith(one[DRAWN.digits], one[DRAWN.start]);
}

async function promises() {
  const found = {good: 0, bad: 0, sealed: 0};
  for (const pair of game.beside.pairs ?? [])
    for (const [seed, promised] of [[pair.open_seed, pair.open], [pair.closed_seed, pair.closed]]) {
      if (!seed) found.sealed++;
      else if (hexOf(await digest(bytesOf(seed))) === promised) found.good++;
      else found.bad++;
    }
  return found;
}

async function check() {
  const start = performance.now(), kept = {}, all = {good: 0, bad: 0, sealed: 0, ruled: 0}, drawn = {good: 0, bad: 0, sealed: 0};
  $("check").disabled = true;
  for (const [number, one] of game.throws.entries()) {
    const size = one[THROW.faces].length;
    if (one[THROW.by] !== "seed") { all.ruled += size; continue; }
    const good = await fell(one, kept);
    if (good === null) { all.sealed += size; continue; }
    all.good += good;
    all.bad += size - good;
    verdicts.set(number, good === size);
  }
  for (const one of game.draws) {
    const good = await came(one, kept);
    drawn[good === null ? "sealed" : good ? "good" : "bad"]++;
  }
  report(all, drawn, await promises());
  $("how").textContent = `Thrown again in your browser by ${crypto_ || "nothing"}, in ${((performance.now() - start) / 1000).toFixed(2)} s. No die was taken on trust; nothing left this page.`;
  $("check").disabled = false;
  $("check").textContent = "Check them again";
  listThrows();
  for (const pane of show.panes) tell(pane);
}

function report(all, drawn, seeds) {
  const yet = game.beside.running ? "cannot be checked yet: their seeds are revealed when the game is over" : "cannot be checked here: this file has not their seeds";
  const words = [`${all.good} of ${count(all.good + all.bad, "die", "dice")} fell as written.`];
  if (drawn.good + drawn.bad) words.push(`${drawn.good} of ${count(drawn.good + drawn.bad, "shuffle or salt", "shuffles and salts")} came as written.`);
  words.push(`${seeds.good} of ${count(seeds.good + seeds.bad, "seed")} ${seeds.good + seeds.bad === 1 ? "is" : "are"} what was promised.`);
  if (all.ruled) words.push(`${count(all.ruled, "die was", "dice were")} ruled by the umpire.`);
  if (all.sealed) words.push(`${count(all.sealed, "die", "dice")} ${yet}.`);
  if (drawn.sealed) words.push(`${count(drawn.sealed, "shuffle or salt", "shuffles and salts")} ${yet}.`);
  if (seeds.sealed) words.push(`${count(seeds.sealed, "seed is", "seeds are")} not revealed.`);
  const wrong = all.bad + drawn.bad + seeds.bad;
  $("verdict").className = `r-verdict ${wrong ? "r-fail" : "r-ok"}`;
  $("verdict").textContent = (wrong ? "Something is wrong. " : "") + words.join(" ");
}

// ---- the lists, and what a reader holds against them

function listThrows() {
  $("throws").replaceChildren(...game.throws.map((one, number) => {
    const line = make("li"), by = one[THROW.by] === "ruling" ? ", ruled" : one[THROW.seed] === "closed" ? ", closed" : "";
    line.append(...dice(number), " ", button(one[THROW.name], () => step(one[THROW.beat]), "r-go"), by);
    return line;
  }));
}

function listSeeds() {
  const list = $("seeds");
  for (const pair of game.beside.pairs ?? []) {
    list.append(make("dt", null, pair.moment));
    for (const which of ["open", "closed"]) {
      list.append(make("dd", null, `${which}, promised ${pair[which]}`));
      list.append(make("dd", null, `${which}, seed ${pair[which + "_seed"] || "not revealed yet"}`));
    }
    for (const [role, word] of Object.entries(pair.words ?? {})) list.append(make("dd", null, `word of ${role} ${word}`));
  }
}

function diceWords() {
  const dies = game.throws.reduce((sum, one) => sum + one[THROW.faces].length, 0), more = game.draws.length;
  const also = more ? ` and ${count(more, "shuffle or salt", "shuffles and salts")}` : "";
  $("dicewords").textContent = `${count(dies, "die", "dice")}${also} decided what is shown here. The seeds of each exchange were promised, by their fingerprints, before any order was read${game.beside.running ? "; some are revealed only when the game is over" : ""}. Your browser can throw every die again.`;
}

// What was pasted: fingerprints of seeds, each said to be a promise of this game or not.
function pasted(text) {
  const known = new Map();
  for (const pair of game.beside.pairs ?? []) { known.set(pair.open, `${pair.moment}, open`); known.set(pair.closed, `${pair.moment}, closed`); }
  for (const one of game.beside.reports ?? []) known.set(one.page, reportName(one));
  const given = [...new Set(text.toLowerCase().match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g) ?? [])], fit = given.filter(one => known.has(one));
  $("pasted").textContent = !given.length ? (text.trim() ? "There is no fingerprint in it: 64 signs, 0 to 9 and a to f." : "")
    : `${fit.length} of ${count(given.length, "fingerprint")} that you gave ${fit.length === 1 ? "is" : "are"} of this game${fit.length ? `: ${fit.map(one => known.get(one)).join("; ")}` : ""}.`;
}

const reportName = one => `report ${one.moment} of ${titled(one.role)}${one.version > 1 ? `, version ${one.version}` : ""}`;

// What was dropped: a report as it was sent, by its own fingerprint, and the promises in it.
async function dropped(files) {
  const lines = [];
  for (const file of [...files].slice(0, 40)) {
    const bytes = new Uint8Array(await file.arrayBuffer()), own = hexOf(await digest(bytes));
    const found = (game.beside.reports ?? []).find(one => one.page === own);
    const known = new Set((game.beside.pairs ?? []).flatMap(pair => [pair.open, pair.closed]));
    const inside = [...new Set(new TextDecoder().decode(bytes).toLowerCase().match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g) ?? [])].filter(one => known.has(one));
    lines.push(`${file.name}: ${found ? `it is ${reportName(found)}, to the letter` : "no report that this file knows"}; ${count(inside.length, "promise")} of this game in it.`);
  }
  $("pasted").textContent = lines.join(" ");
}

function holdsAgainst() {
  const field = $("paste");
  field.oninput = () => pasted(field.value);
  field.addEventListener("dragover", event => { event.preventDefault(); field.classList.add("r-over"); });
  field.addEventListener("dragleave", () => field.classList.remove("r-over"));
  field.addEventListener("drop", event => {
    field.classList.remove("r-over");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    dropped(event.dataTransfer.files);
  });
}
