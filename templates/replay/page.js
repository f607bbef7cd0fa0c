// The whole: what is shown now, and all that changes it.

const SPEEDS = [.5, 1, 1.5, 2, 3, 4, 5, 6, 8];
const MOST_BUTTONS = 4;  // more eyes than these are chosen from a list

const show = {eyes: [], panes: [], now: -1, speed: 1, follow: true, playing: 0, unknownTo: "", cursors: [], x: () => 0, linking: 0};

function look(eyes) {
  show.eyes = eyes;
  const stage = $("stage");
  stage.className = "r-stage" + (eyes.length > 1 ? " r-two" : "");
  show.panes = eyes.map((one, place) => new Pane(one, place));
  stage.replaceChildren(...show.panes.map(pane => pane.root), ...show.panes.map(sayBeside));
  for (const pane of show.panes) {
    pane.pick.hidden = eyes.length < 2;
    pane.setBox(whole());
    pane.measure();
  }
  marked();
  refresh(-1, 0);
  plots();
}

function marked() {
  for (const one of $("eyes").querySelectorAll("button"))
    one.setAttribute("aria-pressed", one.dataset.eyes === "pair" ? show.eyes.length > 1 : show.eyes.join() === one.dataset.eyes);
  const list = $("eyes").querySelector("select");
  if (list) list.value = show.eyes[0];
}

function pair() {
  const [first] = show.eyes, names = game.eyes.map(one => one.name);
  if (show.eyes.length > 1) look([first]);
  else if (names.includes("truth")) look(["truth", first === "truth" ? names[1] : first]);
  else look([first, names.find(one => one !== first)]);
}

function step(number, glides = true) {
  const last = game.beats.length - 1, to = Math.max(0, Math.min(last, number)), from = show.now;
  if (to === from) return;
  const start = performance.now();
  show.now = to;
  refresh(from, still.matches || !glides || Math.abs(to - from) > 1 ? 0 : 700 / show.speed);
  document.documentElement.dataset.step = (performance.now() - start).toFixed(1);
}

function refresh(from, ms) {
  const beat = game.beats[show.now];
  for (const pane of show.panes) {
    pane.story(null);
    pane.show(show.now, from, ms);
    tell(pane);
  }
  $("at").value = show.now;
  $("at").setAttribute("aria-valuetext", `${beat.name}, ${turnWords(beat)}${beat.phase ? `, ${beat.phase}` : ""}`);
  $("count").textContent = `${beat.name}, moment ${show.now + 1} of ${game.beats.length}`;
  headline();
  cursors();
  orders();
  clearTimeout(show.linking);
  show.linking = setTimeout(link, 150);
}

// The address of the moment; browsers take it amiss if it changes as fast as one can step.
function link() {
  const here = `#${game.beats[show.now].name}/${show.eyes.join("+")}`;
  if (location.hash !== here) history.replaceState(null, "", here);
}

function setFollow(on) {
  if (show.follow === on) return;
  show.follow = on;
  for (const pane of show.panes) {
    pane.aim = null;
    below(pane, seenBy[pane.eyes][show.now]);
    pane.camera(show.now);
  }
}

// ---- play

const SIGNS = {
  play: ['<svg viewBox="0 0 10 10" aria-hidden="true"><path d="M1 0v10l8-5z"/></svg>', "Play"],
  pause: ['<svg viewBox="0 0 10 10" aria-hidden="true"><path d="M1 0h3v10H1zM6 0h3v10H6z"/></svg>', "Pause"],
};

function play(on) {
  clearTimeout(show.playing);
  show.playing = 0;
  if (on) {
    if (show.now >= game.beats.length - 1) step(0, false);
    const go = () => {
      step(show.now + 1);
      if (show.now >= game.beats.length - 1) { play(false); return; }
      const told = show.panes.flatMap(pane => seenBy[pane.eyes][show.now].told);
      const long = told.reduce((sum, line) => sum + said(line).length, 0);
      show.playing = setTimeout(go, (900 + Math.min(2600, long * 13) + Math.min(game.beats[show.now].weight, 12) * 90) / show.speed);
    };
    show.playing = setTimeout(go, 250);
  }
  const [sign, words] = SIGNS[on && show.playing ? "pause" : "play"];
  $("play").innerHTML = sign;
  $("play").append(words);
}

function pace(speed) {
  show.speed = speed;
  $("speed").value = speed;
}

// ---- keys

const exchangeKey = beat => beat.name.replace(/\.\d+$/, "");
const KEYS = {
  ArrowRight: event => step(event.shiftKey ? jumped(show.now, 1, phaseKey) : show.now + 1),
  ArrowLeft: event => step(event.shiftKey ? jumped(show.now, -1, phaseKey) : show.now - 1),
  PageDown: () => step(jumped(show.now, 1, exchangeKey)),
  PageUp: () => step(jumped(show.now, -1, exchangeKey)),
  Home: () => step(0),
  End: () => step(game.beats.length - 1),
};
const LETTERS = {
  " ": () => play(!show.playing),
  t: () => game.eyes.some(one => one.name === "truth") && look(["truth"]),
  s: () => game.eyes.length > 1 && pair(),
  m: () => show.panes[0].map.focus(),
  f: () => setFollow(!show.follow),
  Escape: () => show.panes.forEach(pane => pane.story(null)),
};

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("textarea,select,input[type=search]")) return;
  if (event.key === " " && event.target.matches("button,summary,input,a")) return;
  if (event.target.matches(".r-told,.r-table,pre") && /^(Page|Home|End)/.test(event.key)) return;
  const moves = KEYS[event.key], does = LETTERS[event.key.length > 1 ? event.key : event.key.toLowerCase()];
  if (moves) { play(false); moves(event); }
  else if (does) does();
  else if (/^[1-9]$/.test(event.key)) pace(SPEEDS[event.key - 1]);
  else return;
  event.preventDefault();
}

// ---- links

function linked() {
  const [, name, eyes] = /^#([^/]+)(?:\/(.+))?$/.exec(decodeURIComponent(location.hash)) ?? [];
  const beat = game.beats.find(one => one.name.toLowerCase() === name?.toLowerCase());
  const wanted = (eyes ?? "").split("+").filter((one, at, all) => one in seenBy && all.indexOf(one) === at).slice(0, 2);
  return [beat?.number ?? 0, wanted.length ? wanted : [game.eyes[0].name]];
}

function follow() {
  if (/^#r-/.test(location.hash)) return;
  const [number, eyes] = linked();
  if (eyes.join() !== show.eyes.join()) look(eyes);
  step(number, false);
}

function choices() {
  const box = $("eyes"), names = game.eyes.map(one => one.name);
  if (names.length > MOST_BUTTONS) {
    const list = make("select");
    list.setAttribute("aria-label", "Whose eyes");
    for (const name of names) list.append(new Option(titled(name), name));
    list.onchange = () => look([list.value]);
    box.append(list);
  } else for (const name of names) {
    const one = button(titled(name), () => look([name]));
    one.dataset.eyes = name;
    box.append(one);
  }
  if (names.length > 1) {
    const both = button("Side by side", pair);
    both.dataset.eyes = "pair";
    box.append(both);
  }
  box.hidden = names.length < 2;
}

function wire() {
  const at = $("at"), halts = does => () => { play(false); does(); };
  at.max = game.beats.length - 1;
  at.oninput = halts(() => step(+at.value));
  $("first").onclick = halts(() => step(0));
  $("back").onclick = halts(() => step(show.now - 1));
  $("next").onclick = halts(() => step(show.now + 1));
  $("last").onclick = halts(() => step(game.beats.length - 1));
  $("play").onclick = () => play(!show.playing);
  for (const speed of SPEEDS) $("speed").append(new Option(speed === .5 ? "½ ×" : `${speed} ×`, speed));
  $("speed").onchange = () => pace(+$("speed").value);
  $("check").onclick = check;
  $("find").oninput = () => find($("find").value);
  holdsAgainst();
  addEventListener("keydown", key);
  addEventListener("hashchange", follow);
  addEventListener("resize", () => {
    timeline();
    for (const pane of show.panes) { pane.measure(); pane.aim = null; pane.camera(show.now); }
  });
  addEventListener("beforeprint", () => { $("all").open = true; });
}

async function begin() {
  const start = performance.now();
  await unpack();
  if (!game.beats.length) throw new Error("nothing has come to pass yet");
  $("reel").hidden = false;
  $("all").open = false;
  choices();
  wire();
  pace(1);
  const [number, eyes] = linked();
  show.now = number;
  look(eyes);
  timeline();
  post();
  diceWords();
  listThrows();
  listSeeds();
  play(false);
  document.documentElement.dataset.readyAt = performance.now().toFixed(1);
  document.documentElement.dataset.ready = (performance.now() - start).toFixed(1);
}

begin().catch(error => {
  $("trouble").textContent = `The moving part of this page did not start: ${error.message}. The chronicle below has all of it in words.`;
  $("trouble").hidden = false;
  $("reel").hidden = true;
  $("all").open = true;
});
