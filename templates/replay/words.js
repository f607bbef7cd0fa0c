// Beside the map: what was told, the orders as they were written, the letters.

function paragraphs(line) {
  const made = [], text = make("p");
  if (line.lead) text.append(make("b", null, line.lead), " ");
  text.append(line.text);
  made.push(text);
  if (line.quote) made.push(make("blockquote", null, line.quote));
  for (const table of line.tables ?? []) made.push(tabled(table));
  for (const note of line.notes ?? []) {
    if (!note.text && !note.dice && !note.rules) continue;
    const small = make("div", "r-note");
    for (const number of note.dice ?? []) small.append(...dice(number), " ");
    if (note.text) small.append(note.text + " ");
    for (const rule of note.rules ?? []) small.append(make("span", "r-rule", rule), " ");
    made.push(small);
  }
  return made;
}

// The dice of a throw, marked if they have been thrown again.
function dice(number) {
  const one = game.throws[number], fell = verdicts.get(number);
  return one[THROW.faces].map((face, at) => {
    const die = make("span", "r-die" + (fell === true ? " r-good" : fell === false ? " r-bad" : ""), face);
    die.title = `${one[THROW.name]}, die ${at + 1} of ${one[THROW.faces].length}, ${one[THROW.sides]} sides`;
    return die;
  });
}

function tabled(table) {
  const frame = make("div", "r-table"), made = make("table");
  frame.tabIndex = 0;
  frame.setAttribute("role", "group");
  frame.setAttribute("aria-label", table.caption || "A table");
  if (table.caption) made.append(make("caption", null, table.caption));
  const row = (cells, tag) => {
    const line = make("tr");
    for (const cell of cells) line.append(make(tag, null, cell));
    made.append(line);
  };
  row(table.columns, "th");
  for (const cells of table.rows) row(cells, "td");
  frame.append(made);
  return frame;
}

function sayBeside(pane) {
  const say = pane.say = make("div", "r-say");
  pane.where = make("p", "r-where");
  pane.heading = make("h2");
  pane.told = make("div", "r-told");
  pane.told.tabIndex = 0;
  pane.told.setAttribute("role", "region");
  pane.told.setAttribute("aria-label", `What was told, ${knew(pane.eyes)}`);
  pane.strip = make("dl", "r-strip");
  say.append(pane.where, pane.heading, pane.told, pane.strip);
  swipes(say);
  return say;
}

function swipes(node) {
  let start = null;
  node.addEventListener("touchstart", event => {
    start = event.touches.length === 1 ? [event.touches[0].clientX, event.touches[0].clientY] : null;
  }, {passive: true});
  node.addEventListener("touchend", event => {
    if (!start) return;
    const across = event.changedTouches[0].clientX - start[0], along = event.changedTouches[0].clientY - start[1];
    start = null;
    if (Math.abs(across) > 50 && Math.abs(across) > 2 * Math.abs(along)) { play(false); step(show.now + (across < 0 ? 1 : -1)); }
  }, {passive: true});
}

// A heading within a line: `Rifle fire, both sides` is no name, `Action Phase` is one.
const within = words => /^[A-Z][a-z]*( [a-z]|,|$)/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;

function tell(pane) {
  const number = show.now, state = seenBy[pane.eyes][number], beat = game.beats[number];
  const phase = raised(beat.phase);
  pane.heading.textContent = state.headline || phase || turnWords(beat);
  const at = [turnWords(beat), phase && phase !== pane.heading.textContent ? within(phase) : "", state.clock];
  if (beat.annulled) at.push("annulled: it did not come to pass");
  pane.where.replaceChildren(
    make("span", null, [...new Set(at.filter(Boolean))].join(", ")), make("span", null, beat.name));
  const now = make("div", "r-now");
  for (const line of state.told) now.append(...paragraphs(line));
  if (!state.told.length && pane.eyes === "truth") now.append(...toldToOthers(number));
  if (!now.children.length)
    now.append(make("p", "r-nothing", state.learnt ? "Nothing is told of this in words." : `${raised(calledOf(pane.eyes))} learnt nothing of it.`));
  pane.told.setAttribute("aria-live", show.playing ? "off" : "polite");
  pane.told.replaceChildren(now);
  earlier(pane, number);
  requestAnimationFrame(() => { pane.told.scrollTop = 0; });
  strip(pane, state);
  pane.title.textContent = knew(pane.eyes);
  pane.title.title = knew(pane.eyes);
  below(pane, state);
}

// Where the truth has no words of its own: what the roles were told.
function toldToOthers(number) {
  const made = [];
  for (const {name} of game.eyes) {
    if (name === "truth" || !seenBy[name][number].told.length) continue;
    made.push(make("p", "r-where", `Told to ${calledOf(name)}`));
    for (const line of seenBy[name][number].told) made.push(...paragraphs(line));
  }
  return made;
}

function earlier(pane, number) {
  const box = make("div", "r-earlier"), key = phaseKey(game.beats[number]);
  for (let at = number - 1; at >= 0 && phaseKey(game.beats[at]) === key; at--) {
    const told = seenBy[pane.eyes][at].told;
    if (!told.length) continue;
    if (!box.children.length) box.append(make("h3", null, "Before that"));
    box.append(button(told.map(said).join(" "), () => step(at)));
  }
  if (box.children.length) pane.told.append(box);
}

const FIGURES = ["Lost", "Left", "Score"];

function strip(pane, state) {
  pane.strip.textContent = "";
  FIGURES.forEach((title, at) => {
    const sides = game.sides.map(side => side[0]).filter(name => state.figures[name]?.[at] != null);
    const values = sides.map(name => state.figures[name][at]);
    if (!sides.length) return;
    const many = game.sides.length > 2;
    const cell = make("div"), figure = make("dd", null, many ? sides.map((name, at) => `${letterOf(name)} ${values[at]}`).join(", ") : values.join(" – "));
    figure.append(make("small", null, many ? sides.map(name => `${letterOf(name)} ${sideWords(name)}`).join(", ") : sides.map(sideWords).join(" – ")));
    cell.append(make("dt", null, title), figure);
    pane.strip.append(cell);
  });
}

// Under the map: what is ringed, whose story may be asked for, whether the camera follows.
function below(pane, state) {
  pane.follow.textContent = "";
  if (pane.place === 0) {
    const label = make("label"), box = make("input");
    box.type = "checkbox";
    box.checked = show.follow;
    box.onchange = () => setFollow(box.checked);
    label.append(box, "Follow", make("span", "r-far", " the action"));
    pane.follow.append(label);
  }
  pane.under.textContent = "";
  const chooser = (words, options, value, does) => {
    const label = make("label", null, words + " "), select = make("select");
    for (const [text, key] of options) select.append(new Option(text, key));
    select.value = value;
    select.onchange = () => does(select.value);
    label.append(select);
    pane.under.append(label);
    return select;
  };
  if (state.beds.length) storyChooser(pane, chooser("The story of", [["…", ""]], "", key => pane.story(key)));
  const others = game.eyes.map(one => one.name).filter(name => name !== "truth");
  if (pane.eyes === "truth" && show.panes.length === 1 && seenBy.truth.some(one => Object.keys(one.known).length))
    chooser("Ring what is unknown to", [["nobody", ""], ...others.map(name => [titled(name), name])], show.unknownTo, name => {
      show.unknownTo = name;
      pane.ring(state);
      below(pane, state);
    });
  if (pane.ringed) pane.under.append(make("span", null, pane.ringed));
}

const inOrder = new Intl.Collator("en", {numeric: true}).compare;

// Filled when it is wanted: there may be hundreds of signs.
function storyChooser(pane, select) {
  const fill = () => {
    if (select.options.length > 1) return;
    const rows = Object.entries(seenBy[pane.eyes][show.now].rows).filter(([, row]) => row[WORDS]);
    for (const [words, key] of rows.map(([key, row]) => [shortened(row[WORDS], 60), key]).sort((one, other) => inOrder(one[0], other[0])))
      select.append(new Option(words, key));
  };
  select.addEventListener("focus", fill);
  select.addEventListener("pointerdown", fill);
}

// ---- the orders

const mayShow = role => show.eyes.includes("truth") || show.eyes.includes(role);

function orders() {
  const moment = game.beats[show.now].moment, key = moment + show.eyes.join();
  const box = $("orders");
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  const there = (game.beside.sheets ?? []).filter(sheet => sheet.moment.replace(/\.\d+$/, "") === moment && mayShow(sheet.role));
  box.textContent = "";
  for (const sheet of there.filter(one => one.stands)) box.append(played(sheet));
  const others = there.filter(one => !one.stands);
  if (others.length) {
    const all = make("details"), holder = make("div");
    all.append(make("summary", null, `${count(others.length, "other sheet")}, as they came`));
    for (const sheet of others) all.append(...receipt(sheet));
    holder.append(all);
    box.append(holder);
  }
  if (!there.length) box.append(make("p", "r-nothing", `Nobody had sent orders for ${moment}.`));
}

// What became of the lines of a sheet, by their numbers.
function becameOf(sheet) {
  const found = {};
  for (const states of [seenBy.truth, seenBy[sheet.role]].filter(Boolean))
    for (const state of states) for (const line of state.lines[sheet.role] ?? [])
      if (line.of === sheet.moment) found[line.line] = [raised(line.result ?? ""), line.text].filter(Boolean).join(". ");
  return found;
}

function played(sheet) {
  const box = make("div"), list = make("ol", "r-sheet"), became = becameOf(sheet);
  box.append(make("h3", null, `${titled(sheet.role)}, for ${sheet.moment}`));
  box.append(make("p", "r-found", `Receipt ${sheet.receipt}, ${sheet.at} UTC`));
  const judged = {};
  for (const one of sheet.told ?? []) judged[one.line] = [one.judgement, one.why, one.rule].filter(Boolean).join(": ");
  (sheet.text ?? "").split("\n").forEach((text, at) => {
    if (!text.trim()) return;
    const line = make("li", null, text);
    line.value = at + 1;
    if (judged[at + 1] && judged[at + 1] !== "accepted") line.append(make("span", null, judged[at + 1]));
    if (became[at + 1]) line.append(make("span", null, became[at + 1]));
    list.append(line);
  });
  box.append(list);
  return box;
}

function receipt(sheet) {
  const why = sheet.why ? `: ${sheet.why}` : "";
  const made = [make("h4", null, `${titled(sheet.role)}, receipt ${sheet.receipt}, ${sheet.at} UTC, ${sheet.what}${why}`)];
  if (sheet.text) made.push(make("pre", null, sheet.text));
  if (sheet.text) { made[1].tabIndex = 0; made[1].setAttribute("aria-label", `Sheet of ${titled(sheet.role)}`); }
  for (const one of sheet.told ?? [])
    made.push(make("p", "r-found", `Line ${one.line}: ${[one.judgement, one.why, one.rule].filter(Boolean).join(": ")}`));
  return made;
}

function post() {
  const letters = game.beside.letters ?? [], box = $("letters");
  $("post").hidden = !letters.length && !game.beside.unlettered;
  for (const letter of letters) {
    const from = letter.sender ? titled(letter.sender) : "Somebody";
    box.append(make("h3", null, `${from} to ${[letter.to, ...letter.others ?? []].map(titled).join(" and ")}, ${letter.moment}, ${letter.at} UTC`), make("blockquote", null, letter.text));
  }
  const diary = game.beside.diary ?? [], notes = $("notes");
  $("diary").hidden = !diary.length;
  for (const note of diary) notes.append(make("h3", null, `${titled(note.role)}, ${note.moment}, ${note.at} UTC`), make("blockquote", null, note.text));
  if (game.beside.unlettered) box.append(make("p", "r-nothing", "There were more letters: who wrote and had them have not all given leave to show them."));
}
