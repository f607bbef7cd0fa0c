// The record that the page carries, and what each pair of eyes sees after each beat.

const $ = name => document.getElementById("r-" + name);

function make(tag, css, text) {
  const made = document.createElement(tag);
  if (css) made.className = css;
  if (text != null) made.textContent = text;
  return made;
}

function draw(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  return made;
}

function button(text, does, css) {
  const made = make("button", css, text);
  made.type = "button";
  made.onclick = does;
  return made;
}

const still = matchMedia("(prefers-reduced-motion:reduce)");
const small = matchMedia("(max-width:56rem)");

// What stands in a row of a sign, of a way, of a mark, and of a throw.
const [SVG, X, Y, SCALE, TURN, OVER, LABEL, WORDS, PARTS] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const WAY = {svg: 0, kind: 1, points: 2, of: 3, words: 4};
const SPOT = {svg: 0, x: 1, y: 2, of: 3, words: 4};
const THROW = {name: 0, sides: 1, faces: 2, seed: 3, by: 4, pair: 5, beat: 6};
const DRAWN = {name: 0, lay: 1, came: 2, digits: 3, start: 4, pair: 5, beat: 6};

let game;
const seenBy = {};

async function unpack() {
  if (!globalThis.DecompressionStream) throw new Error("this browser cannot unpack it; a newer one can");
  const bytes = Uint8Array.from(atob($("data").textContent), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  game = JSON.parse(await new Response(stream).text());
  game.svgs.forEach((svg, number) => {
    const drawn = svg ? null : $(number);
    if (drawn) game.svgs[number] = drawn.innerHTML;
  });
  game.beats.forEach((beat, number) => {
    beat.number = number;
    beat.weight ??= 0;
  });
  for (const {name} of game.eyes) seenBy[name] = unrolled(name);
}

// What these eyes see after each beat; what a beat does not say is as it was.
function unrolled(eyes) {
  let rows = {}, beds = [], went = [], befell = [], figures = {}, clock = "", known = {};
  return game.beats.map(beat => {
    const own = beat.seen[eyes] ?? {};
    if (own.drawn) {
      rows = {...rows};
      for (const key of own.gone ?? []) delete rows[key];
      Object.assign(rows, own.signs);
      beds = own.beds ?? beds;
      went = own.went ?? [];
      befell = own.befell ?? [];
    } else {
      went = aged(went);
      befell = aged(befell);
    }
    if (own.figures) figures = {...figures, ...own.figures};
    clock = own.clock ?? clock;
    if (own.known) known = {...known, ...own.known};
    return {
      rows, beds, went, befell, figures, clock, known,
      learnt: eyes in beat.seen,
      changed: Object.keys(own.signs ?? {}), gone: own.gone ?? [],
      told: own.told ?? [], lines: own.lines ?? {},
      headline: own.headline ?? "", weight: own.weight ?? 0,
      units: own.units ?? [], places: own.places ?? [], rules: own.rules ?? [],
    };
  });
}

const aged = some => some.some(one => one[1]) ? some.map(([number]) => [number, 0]) : some;

// ---- what things are called

const raised = text => text.charAt(0).toUpperCase() + text.slice(1);
const titled = eyes => eyes === "truth" ? "The truth" : eyes.split(/[._]/).map(raised).join(", ");
const calledOf = eyes => game.eyes.find(one => one.name === eyes)?.called ?? titled(eyes);
const knew = eyes => eyes === "truth" ? "as it was" : `as ${calledOf(eyes)} knew it`;
const turnOf = beat => beat.moment.startsWith("S") ? "S" : beat.moment.replace(/[A-Z].*$/, "");
const turnWords = beat => turnOf(beat) === "S" ? "The set-up" : `Turn ${turnOf(beat)}`;
const phaseKey = beat => beat.name.replace(/\.\d+$/, "") + "/" + beat.phase;
const drawnOf = name => game.sides.find(side => side[0] === name)?.[2] ?? "none";
const letterOf = name => game.sides.find(side => side[0] === name)?.[3] ?? "";
const sideWords = name => raised((game.sides.find(side => side[0] === name)?.[1] ?? name).replace(/^the /i, ""));
const count = (number, one, many) => `${number} ${number === 1 ? one : many ?? one + "s"}`;
const shortened = (text, most) => text.length > most ? text.slice(0, most - 1) + "…" : text;
const said = line => [line.lead, line.text].filter(Boolean).join(" ");
