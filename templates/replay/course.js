// Plots of losses and score, which follow the timeline.

const PLOTS = [[0, "Lost"], [2, "Score"]];
const PLOT = {wide: 440, high: 190, left: 38, right: 340, top: 30, foot: 162};

function plots() {
  const states = seenBy[show.eyes[0]], made = [];
  show.cursors = [];
  for (const [figure, title] of PLOTS) {
    const lines = game.sides.map(side => [side, states.map(state => state.figures[side[0]]?.[figure] ?? null)]);
    const known = lines.filter(([, values]) => values.some(value => value != null));
    if (known.some(([, values]) => values.some(value => value))) made.push(plot(title, known));
  }
  $("plots").replaceChildren(...made);
  $("course").hidden = !made.length;
  cursors();
}

function plot(title, lines) {
  const {wide, high, left, right, top, foot} = PLOT, last = Math.max(1, game.beats.length - 1);
  const values = lines.flatMap(([, some]) => some).filter(value => value != null);
  const least = Math.min(0, ...values), most = Math.max(1, ...values), [low, up, by] = scale(least, most);
  const x = at => left + (right - left) * at / last, y = value => foot - (foot - top) * (value - low) / (up - low);
  const svg = draw("svg", {viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": `${title}, ${knew(show.eyes[0])}`});
  const words = (css, text, at, more) => {
    const node = svg.appendChild(draw("text", {class: css, x: at[0], y: at[1], ...more}));
    node.textContent = text;
    return node;
  };
  words("r-pl-title", title, [2, 14]);
  for (let value = low; value <= up; value += by) {
    svg.append(draw("path", {class: "r-pl-grid", d: `M${left} ${y(value)}H${right}`}));
    words("r-pl-axis", value, [left - 7, y(value) + 4], {"text-anchor": "end"});
  }
  let turn = null, free = -99;
  game.beats.forEach((beat, at) => {
    if (turnOf(beat) !== turn && turnOf(beat) !== "S" && x(at) > free) {
      svg.append(draw("path", {class: "r-pl-grid", d: `M${x(at)} ${top}V${foot}`}));
      words("r-pl-axis", `T${turnOf(beat)}`, [x(at) + 3, foot + 17]);
      free = x(at) + 26;
    }
    turn = turnOf(beat);
  });
  const texts = [];
  const byEnd = [...lines].sort((one, other) => (other[1][last] ?? 0) - (one[1][last] ?? 0));
  const levels = apart(byEnd.map(([, some]) => y(some.findLast(value => value != null) ?? low) + 4), high - 4);
  byEnd.forEach(([[name, , drawn], some], place) => {
    const group = svg.appendChild(draw("g", {class: drawn}));
    let data = "", was = null;
    some.forEach((value, at) => {
      if (value == null) return;
      if (was === null) data += `M${x(at)} ${y(value)}`;
      else if (value !== was) data += `H${x(at)}V${y(value)}`;
      was = value;
    });
    group.append(draw("path", {class: "r-pl-run", d: `${data}H${x(last)}`}));
    const label = group.appendChild(draw("text", {class: "r-pl-who", x: right + 6, y: levels[place]}));
    texts.push(at => { label.textContent = `${sideWords(name)} ${some[at] ?? "?"}`; });
  });
  const now = svg.appendChild(draw("path", {class: "r-pl-now", d: `M0 ${top - 6}V${foot}`}));
  show.cursors.push(at => {
    now.setAttribute("transform", `translate(${x(at)} 0)`);
    for (const text of texts) text(at);
  });
  const figure = make("figure");
  figure.append(svg);
  return figure;
}

// Where names stand at the ends of their lines, from above: none on another, and none below the drawing.
function apart(wanted, lowest) {
  const found = [];
  for (const level of wanted) found.push(Math.max(level, ...found.map(end => end + 16)));
  for (let place = found.length - 1; place >= 0; place--) {
    found[place] = Math.min(found[place], lowest);
    lowest = found[place] - 16;
  }
  return found;
}

// Whole lines below and above all values, and the step between them.
function scale(least, most) {
  const span = most - least;
  let by = 1;
  for (let power = 1; span / by > 4; power *= 10) by = [1, 2, 5].map(digit => digit * power).find(one => span / one <= 4) ?? power * 10;
  return [Math.floor(least / by) * by, Math.ceil(most / by) * by, by];
}

function cursors() {
  for (const follow of show.cursors) follow(show.now);
}
