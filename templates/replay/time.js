// The timeline: turns and phases, heavy moments, losses, and where we are.

function timeline() {
  const line = $("line"), wide = line.clientWidth, high = line.clientHeight, beats = game.beats, last = beats.length - 1;
  const x = at => 10 + (wide - 20) * (last < 1 ? .5 : at / last), between = at => (x(at) + x(at - 1)) / 2;
  const foot = high - 15, parts = [];
  show.x = x;
  line.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  const words = (css, text, at, y) => {
    const made = draw("text", {class: css, x: at, y});
    made.textContent = text;
    parts.push(made);
  };
  const starts = key => beats.flatMap((beat, at) => at && key(beats[at - 1]) === key(beat) ? [] : [at]);
  const turns = starts(turnOf);
  turns.forEach((at, number) => {
    const left = at ? between(at) : 0, right = number + 1 < turns.length ? between(turns[number + 1]) : wide;
    if (number % 2) parts.push(draw("rect", {class: "r-tl-band", x: left, y: 0, width: right - left, height: high}));
    if (at) parts.push(draw("path", {class: "r-tl-edge", d: `M${left} 0V${high}`}));
    const name = turnOf(beats[at]) === "S" ? "Set-up" : `Turn ${turnOf(beats[at])}`, room = right - left;
    if (room > name.length * 7.4 + 8) words("r-tl-turn", name, left + 6, 13);
    else if (room > 12) words("r-tl-turn", turnOf(beats[at]), left + 4, 13);
  });
  const phases = starts(phaseKey);
  phases.forEach((at, number) => {
    const next = phases[number + 1] ?? beats.length, left = at ? between(at) : 4;
    if (at) parts.push(draw("path", {class: "r-tl-line", d: `M${left} 19V${high}`}));
    const name = raised(beats[at].phase.replace(/^The /i, "")).split(/[ ,]|: /)[0];
    if (name && (next < beats.length ? between(next) : wide) - left > name.length * 6.6 + 8) words("r-tl-phase", name, left + 5, high - 3);
  });
  const states = seenBy[game.eyes[0].name];
  beats.forEach((beat, at) => {
    const tall = 3 + Math.min(beat.weight, 12) * 3.1 * (high / 70), broad = Math.max(2, Math.min(5, (wide - 20) / beats.length * .42));
    const css = beat.annulled ? "r-tl-void" : beat.weight >= 4 ? "r-tl-heavy" : "r-tl-beat";
    parts.push(draw("rect", {class: css, x: x(at) - broad / 2, y: foot - tall, width: broad, height: tall}));
    const lostBy = ([name]) => at && (states[at].figures[name]?.[0] ?? 0) - (states[at - 1].figures[name]?.[0] ?? 0);
    if (game.sides.length > 2) { losers(parts, game.sides.filter(side => lostBy(side) > 0), beat, x(at), foot - tall - 4, wide); return; }
    game.sides.forEach(([name, , drawn], number) => {
      const lost = lostBy([name]);
      if (!(lost > 0) || beat.annulled) return;
      const dot = draw("g", {class: drawn});
      dot.append(draw("circle", {class: "r-tl-loss", cx: x(at) + (number - (game.sides.length - 1) / 2) * 6.4, cy: foot - tall - 5, r: Math.min(4.5, 1.6 + lost * .45)}));
      parts.push(dot);
    });
  });
  const head = draw("g", {id: "r-headline"});
  head.append(draw("path", {class: "r-tl-head", d: `M0 0V${high}`}), draw("path", {class: "r-tl-knob", d: "M-5.5 0h11L0 8z"}));
  line.replaceChildren(...parts, head);
  headline();
}

// Of more sides than two: the letters of those who lost, beside each other.
function losers(parts, some, beat, x, y, wide) {
  if (beat.annulled) return;
  const half = (some.length - 1) / 2 * 9, middle = Math.min(Math.max(x, half + 6), wide - half - 6);
  some.forEach(([, , drawn, letter], number) => {
    const one = draw("g", {class: drawn}), text = draw("text", {class: "r-tl-who", x: middle - half + number * 9, y});
    text.textContent = letter;
    one.append(text);
    parts.push(one);
  });
}

function headline() {
  $("headline")?.setAttribute("transform", `translate(${show.x(show.now).toFixed(1)} 0)`);
}

// Where the next phase or exchange begins, or this one, or the one before.
function jumped(from, way, key) {
  const beats = game.beats;
  let at = from;
  if (way > 0) {
    while (at < beats.length - 1 && key(beats[at]) === key(beats[from])) at++;
    return at;
  }
  at = Math.max(0, from - 1);
  while (at > 0 && key(beats[at - 1]) === key(beats[at])) at--;
  return at;
}
