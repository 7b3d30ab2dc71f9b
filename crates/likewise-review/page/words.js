// Text with the words that matter marked. Text is only ever put in as text.

const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
/// Long texts are laid out piece by piece, as they come into view.
const PIECE = 4000;

/// The weight of each word and pair of words.
function weightsOf(why) {
  const weights = new Map();
  for (const [term, weight] of why ?? []) weights.set(term.toLowerCase(), weight);
  return weights;
}

/// Where words that count stand: [from, to, weight], in order and apart.
export function spans(text, why) {
  const weights = weightsOf(why);
  if (weights.size === 0) return [];
  const found = [];
  let before = null;
  for (const match of text.matchAll(WORD)) {
    const word = match[0].toLowerCase();
    const [from, to] = [match.index, match.index + match[0].length];
    const pair = before && weights.get(`${before.word} ${word}`);
    const single = weights.get(word);
    if (pair && Math.abs(pair) > Math.abs(single ?? 0)) {
      const last = found.at(-1);
      if (last && last[1] > before.from) found.pop();
      found.push([before.from, to, pair]);
    } else if (single !== undefined) {
      found.push([from, to, single]);
    }
    before = { word, from };
  }
  return found;
}

/// Puts the text into the element, in pieces that end at line breaks or spaces.
export function write(element, text, why) {
  element.replaceChildren();
  const marks = spans(text, why);
  const strongest = Math.max(1e-9, ...marks.map((mark) => Math.abs(mark[2])));
  let next = 0;
  for (let start = 0; start < text.length || start === 0; ) {
    let end = Math.min(start + PIECE, text.length);
    if (end < text.length) {
      const cut = Math.max(text.lastIndexOf("\n", end), text.lastIndexOf(" ", end));
      if (cut > start) end = cut + 1;
      while (marks[next] && marks.slice(next).some((mark) => mark[0] < end && mark[1] > end)) end += 1;
    }
    const piece = document.createElement("div");
    piece.dir = "auto";
    piece.className = "piece";
    let at = start;
    while (next < marks.length && marks[next][0] < end) {
      const [from, to, weight] = marks[next++];
      piece.append(text.slice(at, from));
      const mark = document.createElement("mark");
      const strength = Math.abs(weight) / strongest;
      mark.className = `${weight > 0 ? "for" : "against"} ${strength > 0.5 ? "strong" : strength > 0.15 ? "middling" : "weak"}`;
      mark.textContent = text.slice(from, to);
      piece.append(mark);
      at = to;
    }
    piece.append(text.slice(at, end));
    element.append(piece);
    if (end >= text.length) break;
    start = end;
  }
}
