// The sheet that is being written: read at every pause by the office itself, drawn on the map, and gone on with.

import {$, $$, charts, dataOf, draw, kept, make, say} from "./room.js";

const SOON = 350, SPOKEN = 700;  // milliseconds after the last key
const REFUSED = ["not understood", "not allowed", "not clear"];
const given = dataOf("sheet-data"), spoken = given.words, chart = charts[0], top_ = $(".worktop");
const sheet = $("#sheet"), gutter = $(".gut"), under = $(".under"), notes = $(".notes"), offers = $("#offers"), beside = $(".beside");
const draft = `draft ${top_.dataset.draft}`, sent = sheet.value;
const plan = draw("g", {class: "plan", "pointer-events": "none"});
let judged = {lines: [], ways: [], idle: [], whole: []}, told = "", waiting, asking;

const rows = () => sheet.value.split("\n");
const caret = () => sheet.value.slice(0, sheet.selectionStart).split("\n").length - 1;
// A name like f19 stays as orders write it.
const raised = text => /^[a-z]+\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
const refused = line => REFUSED.includes(line.word);
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name]);
const signOf = word => $(`#sign-${word.replaceAll(" ", "-")}`);

// What is said of a line, as long as it is still that line; several things may be.
const said = (number, text) => judged.lines.filter(line => line.number === number && line.text.trim() === text.trim());
const worst = lines => lines.find(refused) ?? lines.find(line => line.word !== "accepted") ?? lines[0];

// ---- the sheet, as it is painted

function paint() {
  const texts = rows(), here = caret();
  gutter.replaceChildren(...texts.map((text, at) => {
    const line = worst(said(at + 1, text)), row = make("li", {className: at === here ? "cur" : ""}, make("span", {className: "ln", textContent: at + 1}));
    if (line) {
      const template = signOf(line.word), sign = template.content.firstElementChild.cloneNode(true), colour = template.dataset.colour;
      sign.classList.add("sign", colour);
      row.append(sign, make("span", {className: `wd ${colour}`, textContent: template.dataset.word}));
    }
    return row;
  }));
  under.replaceChildren(...texts.map((text, at) => {
    const line = worst(said(at + 1, text).filter(one => refused(one) || one.word === "in doubt"));
    if (!line) return make("div", {textContent: text});
    const from = line.column ? line.column - 1 : text.length - text.trimStart().length;
    const to = line.column ? Math.max(from + line.width, from + 1) : text.trimEnd().length;
    const mark = make("span", {className: refused(line) ? "bad" : "dbt", textContent: text.slice(from, to) || " "});
    return make("div", {}, text.slice(0, from), mark, text.slice(to));
  }));
  [...under.children].forEach((row, at) => { gutter.children[at].style.height = `${row.offsetHeight}px`; });
  const last = under.lastChild;
  sheet.style.height = `${last.offsetTop + last.offsetHeight + 12}px`;
  $(".lineon code")?.replaceChildren(`${here + 1}  ${texts[here]}`);
  for (const way of $$(".t", plan)) way.classList.toggle("now", +way.dataset.line === here + 1);
  chart.named.line = reach(here, texts[here]);
}

// Notes in the margin: each beside its line, pushed down where one is long.
function lay() {
  const margin = matchMedia("(min-width:94rem)").matches;
  beside.classList.toggle("laid", margin);
  let low = 0;
  for (const note of notes.children) {
    if (!margin) { note.style.top = ""; continue; }
    const want = gutter.children[note.dataset.line - 1]?.offsetTop ?? 0;
    note.style.top = `${Math.max(want, low)}px`;
    low = Math.max(want, low) + note.offsetHeight;
  }
}

function note(line) {
  const bad = line.word !== "accepted" && line.word !== "office word", words = make("p");
  if (bad) {
    const template = signOf(line.word);
    words.append(make("span", {className: `v ${template.dataset.colour}`}, template.content.firstElementChild.cloneNode(true), raised(template.dataset.word)), ". ");
  }
  words.append(line.said ? raised(line.said) + (bad && !/[.?!]$/.test(line.said) ? "." : "") : bad ? "" : spoken.taken, " ");
  if (line.rule) words.append(make("span", {className: "rule", textContent: line.rule}));
  const body = make("div", {}, words), row = make("li", {className: refused(line) ? "bad" : line.word === "in doubt" ? "dbt" : ""},
    make("span", {className: "ln", textContent: line.number || ""}), body);
  row.dataset.line = line.number;
  const instead = ["not understood", "not clear"].includes(line.word) && line.instead;
  if (instead) {
    const button = make("button", {type: "button"}, ...spoken.write.split(/(\{order\})/).map(one => one === "{order}" ? make("code", {textContent: instead}) : one));
    button.addEventListener("click", () => replaceLine(line.number, instead));
    body.append(make("div", {className: "fix"}, button));
  } else if (line.example && refused(line)) body.append(make("p", {className: "hint"}, `${spoken.example} `, make("code", {textContent: line.example})));
  return row;
}

function show(loud) {
  paint();
  const against = judged.against ? [note({number: 0, word: "not allowed", said: judged.against})] : [];
  notes.replaceChildren(...against, ...judged.lines.map(note));
  $("#tally").replaceChildren(make("b", {textContent: judged.tally ? `${raised(judged.tally)}.` : ""}), ...(judged.whole ?? []).map(one => ` ${one}`));
  $("#sendsay").textContent = judged.against ? "" : judged.would ?? "";
  $("#small").textContent = judged.refused ? `${judged.refused} ${spoken.refused}` : judged.doubtful ? `${judged.doubtful} ${spoken.doubtful}` : judged.lines.length ? spoken.all : "";
  $("#hold").replaceChildren(...(judged.idle ?? []).map(sentence => make("li", {textContent: sentence})));
  plan.replaceChildren(...(judged.ways ?? []).map(way => track(way)));
  const busy = new Set((judged.ways ?? []).flatMap(way => way.units));
  for (const sign of $$("[data-units]", chart.svg)) sign.classList.toggle("idle", busy.size > 0 && !sign.dataset.units.split(" ").some(unit => busy.has(unit)));
  paint();
  lay();
  if (!loud) return;
  const first = judged.lines.find(line => line.word !== "accepted");
  const words = `${judged.tally ?? judged.against}${first ? `. Line ${first.number}: ${first.word}: ${first.said}` : ""}`;
  if (words !== told) say(told = words, SPOKEN);
}

// ---- read by the office

async function ask(loud) {
  asking?.abort();
  asking = new AbortController();
  const body = new URLSearchParams({seal: $("#sendform [name=seal]").value, sheet: sheet.value, turn: $("#sendform [name=turn]").value});
  try {
    const answer = await fetch(top_.dataset.read, {method: "POST", body, headers: {Accept: "application/json"}, signal: asking.signal});
    const found = await answer.json();
    if (answer.ok) judged = {lines: [], ways: [], idle: [], whole: [], ...found};
    else $("#sendsay").textContent = found.error;
    $("#readat").dataset.read = new Date().toISOString();
    show(loud);
  } catch (error) {
    if (error.name !== "AbortError") $("#sendsay").textContent = spoken.silent;
  }
}

function changed() {
  paint();
  goesOn();
  if (sheet.value === sent) kept.drop(draft);
  else kept.put(draft, sheet.value);
  clearTimeout(waiting);
  waiting = setTimeout(() => ask(true), SOON);
}

// ---- on the map

const KIND = {move: "move", charge: "move", retreat: "retreat", rifle: "rifle", artillery: "artillery", messenger: "messenger", ride: "messenger", supply: "messenger", marker: "move"};
const GOES = ["move", "retreat", "messenger", "ride", "supply"];

function track(way) {
  const points = way.points, [x, y] = points.at(-1), before = points.at(-2) ?? [x, y - 1];
  const turn = Math.atan2(y - before[1], x - before[0]), goes = GOES.includes(way.kind), short = goes ? 24 : 20;
  const off = way.kind === "charge" ? 11 : way.kind === "rifle" ? -11 : 0, aside = [-Math.sin(turn) * off, Math.cos(turn) * off];
  const stop = [x - Math.cos(turn) * short, y - Math.sin(turn) * short];
  const line = [...points.slice(0, -1), stop].map(([a, b]) => `${(a + aside[0]).toFixed(1)} ${(b + aside[1]).toFixed(1)}`).join("L");
  const made = draw("g", {class: `t ${way.side}${way.doubt ? " doubt" : ""}`, "data-line": way.line}, draw("path", {class: KIND[way.kind] ?? "move", d: `M${line}`}));
  const head = `translate(${stop[0] + aside[0]} ${stop[1] + aside[1]}) rotate(${turn * 180 / Math.PI})`;
  made.append(["rifle", "artillery"].includes(way.kind)
    ? draw("path", {class: "barb", d: "M-6.5 -5L1 0L-6.5 5", transform: head})
    : draw("path", {class: "head", d: "M4 0L-10 -7L-6.5 0L-10 7z", transform: head}));
  const middle = goes ? [x, y] : [points[0][0] + (stop[0] - points[0][0]) * .3 + aside[0] * 2, points[0][1] + (stop[1] - points[0][1]) * .3 + aside[1] * 2];
  if (goes) made.append(draw("circle", {class: "ring", cx: points[0][0], cy: points[0][1], r: 4.5}), draw("rect", {class: "ghost", x: x - 22, y: y - 11, width: 44, height: 22}));
  else made.append(draw("circle", {class: "no", cx: middle[0], cy: middle[1], r: 8.5}));
  const figure = draw("text", {class: goes ? "nt1 in" : "nt1", x: middle[0], y: middle[1] + 4});
  figure.textContent = way.line || "";
  made.append(figure);
  return made;
}

const standing = unit => chart.field.stands.find(one => one.own && one.units?.includes(unit));

// The ground of a line: its tracks, and the places and troops that it names.
function reach(at, text) {
  const points = judged.ways.filter(way => way.line === at + 1).flatMap(way => way.points);
  for (const [name] of text.matchAll(chart.board.names)) { const place = chart.board.place(name); if (place) points.push([place.x, place.y]); }
  for (const word of text.split(/[\s,+]+/)) { const there = standing(word); if (there) points.push([there.x, there.y]); }
  if (!points.length) return undefined;
  const xs = points.map(one => one[0]), ys = points.map(one => one[1]);
  const [left, top, right, foot] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  return {x: left - 100, y: top - 100, wide: right - left + 200, high: foot - top + 200};
}

// ---- writing: always through the browser's own undo

function insert(text) {
  sheet.focus();
  if (!document.execCommand("insertText", false, text)) sheet.setRangeText(text, sheet.selectionStart, sheet.selectionEnd, "end");
}

function replaceLine(number, text) {
  const before = rows().slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
  sheet.setSelectionRange(before, before + rows()[number - 1].length);
  insert(text);
  changed();
}

function write(words) {
  const at = sheet.selectionStart, before = sheet.value.slice(0, at), gap = before && !/[\s+@]$/.test(before) ? " " : "";
  if (document.documentElement.classList.contains("showmap")) sheet.setRangeText(`${gap}${words} `, at, sheet.selectionEnd, "end");
  else insert(`${gap}${words} `);
  changed();
}

// ---- what the line may go on with

const verbs = Object.keys(given.forms);
const own = () => [...new Set(chart.field.stands.filter(one => one.own && one.units?.length).map(one => one.units.join("+")))];
const places = () => [...new Set(chart.field.places.map(one => one.name).filter(name => /^[\p{L}'’ .-]+$/u.test(name)))];

function goesOn() {
  const line = rows()[caret()], before = sheet.value.slice(0, sheet.selectionStart).split("\n").pop();
  const last = /\s$/.test(before) ? "" : before.split(/\s+/).pop(), like = word => word.toLowerCase().startsWith(last.toLowerCase()) && word !== last;
  const fault = said(caret() + 1, line).find(one => refused(one) && one.column && before.length >= one.column - 1 && before.length <= one.column - 1 + one.width);
  let list;
  if (!before.trim().includes(" ") && (last || !before.trim())) list = verbs.filter(like);
  else {
    const named = [...before.matchAll(chart.board.names)].map(([name]) => name).filter(name => name !== last).at(-1);
    const from = named ? chart.board.place(named) : before.split(/[\s,+]+/).map(standing).filter(Boolean).at(-1);
    const near = from && !last ? chart.board.around(from).map(one => one.name) : [];
    list = [...near.slice(0, 6), ...[...own(), ...places()].filter(one => last && like(one))];
    const example = given.forms[before.trim().split(/\s+/)[0].toLowerCase()];
    if (!list.length && example) list = [...new Set(example.split(/\s+/).slice(1).filter(word => /^[a-z]{2,}$/.test(word) && like(word) && !before.includes(word)))];
  }
  offers.replaceChildren(make("span", {className: "lead", textContent: fault ? spoken.instead : line.trim() ? spoken.on : spoken.begins}), ...list.slice(0, 8).map(word => {
    const button = make("button", {type: "button", textContent: word});
    button.addEventListener("click", () => {
      const start = sheet.selectionStart - before.length;
      if (fault) sheet.setSelectionRange(start + fault.column - 1, start + fault.column - 1 + fault.width);
      else if (last && like(word)) sheet.setSelectionRange(sheet.selectionStart - last.length, sheet.selectionStart);
      write(word);
    });
    return button;
  }));
}

function taken({detail: place}) {
  const row = rows()[caret()], troops = chart.standing(place).filter(one => one.own && one.units?.length)[0];
  const place_ = chart.field.places.find(one => Math.hypot(one.x - place.x, one.y - place.y) < 12);
  const name = chart.board.rulers[0].length ? place.name : place_?.name ?? place.name;
  write(troops && row.trim().split(/\s+/).length <= 1 ? troops.units.join("+") : name);
}

function key(event) {
  if (event.key === "F8") {
    const faults = rows().map((text, at) => ({at, line: worst(said(at + 1, text))})).filter(({line}) => line && line.word !== "accepted" && line.word !== "office word");
    const next = faults.find(({at}) => at > caret()) ?? faults[0];
    event.preventDefault();
    if (!next) return;
    const start = rows().slice(0, next.at).join("\n").length + (next.at ? 1 : 0) + Math.max(0, next.line.column - 1);
    sheet.setSelectionRange(start, start + next.line.width);
    say(`${spoken.line} ${next.at + 1}: ${signOf(next.line.word).dataset.word}: ${next.line.said}`);
  } else if (event.key === " " && event.ctrlKey) {
    event.preventDefault();
    $("button", offers)?.focus();
  }
}

// ---- a file, and two panes on a phone

function dropped(event) {
  if (!event.dataTransfer?.files.length) return;
  event.preventDefault();
  $("#file").files = event.dataTransfer.files;
  $("#file").scrollIntoView({block: "center"});
  $("#file").focus();
  say(filled(spoken.chosen, {name: event.dataTransfer.files[0].name}));
}

function pane(button) {
  const map = button.dataset.pane === "map";
  document.documentElement.classList.toggle("showmap", map);
  for (const one of $$(".switch button")) one.setAttribute("aria-pressed", one === button);
  if (map) chart.fit();
}

chart.svg.append(plan, chart.pick);
const unsent = kept.get(draft);
if (unsent !== null && unsent !== sheet.value) {
  sheet.value = unsent;
  $("#readat").prepend(`${spoken.draft} `);
} else if (given.live) judged = {lines: [], ways: [], idle: [], whole: [], ...given.live};
sheet.addEventListener("input", changed);
sheet.addEventListener("keydown", key);
document.addEventListener("selectionchange", () => { if (document.activeElement === sheet) { paint(); goesOn(); } });
chart.box.addEventListener("take", taken);
for (const button of $$(".switch button")) button.addEventListener("click", () => pane(button));
for (const kind of ["dragover", "drop"]) addEventListener(kind, event => kind === "drop" ? dropped(event) : event.preventDefault());
addEventListener("resize", () => { paint(); lay(); });
$("#sendform").addEventListener("submit", event => { if (event.submitter?.value === "send") kept.put("sent", `${$("#sendform [name=once]").value} ${draft}`); });
show(false);
goesOn();
if (unsent !== null) ask(false);
document.documentElement.dataset.written = "1";
