// The search: words, units, places and rules, in what these eyes were told.

function find(asked) {
  const list = $("hits"), query = asked.trim().toLowerCase();
  list.textContent = "";
  $("found").textContent = "";
  if (query.length < 2) return;
  const letter = /[\p{L}\p{N}-]/u;
  const has = text => {
    const low = text.toLowerCase();
    for (let at = low.indexOf(query); at >= 0; at = low.indexOf(query, at + 1))
      if (!letter.test(low.charAt(at - 1)) && !letter.test(low.charAt(at + query.length))) return true;
    return false;
  };
  let hits = 0;
  seenBy[show.eyes[0]].forEach((state, number) => {
    const beat = game.beats[number], told = state.told.map(said).join(" ");
    const notes = state.told.flatMap(line => [line.quote ?? "", ...(line.notes ?? []).map(note => note.text)]);
    const near = [...state.units, ...state.places, ...state.rules].some(one => one.toLowerCase() === query);
    if (!near && ![told, beat.phase, ...notes].some(has)) return;
    hits++;
    const line = make("li"), go = button(beat.name, () => { play(false); step(number); $("stage").scrollIntoView({block: "start"}); }, "r-go");
    line.append(go, make("span", null, shortened(told || raised(beat.phase), 130)));
    list.append(line);
  });
  $("found").textContent = hits ? `${hits} of ${count(game.beats.length, "moment")}, ${knew(show.eyes[0])}` : `Nothing of it is told, ${knew(show.eyes[0])}.`;
}
