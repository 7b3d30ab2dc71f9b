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

/// Weaker ones are no help to the eye.
const FAINT = 0.05;

/// Scripts without spaces are learned by pairs of neighbouring letters.
const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

/// The parts of a text that can have a weight, [from, to, weight]: words, or letters of scripts without spaces.
function units(text) {
  return [...text.matchAll(WORD)].flatMap((match) => {
    if (!UNSPACED.test(match[0])) return [[match.index, match.index + match[0].length, 0]];
    let at = match.index;
    return [...match[0]].map((letter) => [at, (at += letter.length), 0]);
  });
}

/// Where words that count stand: [from, to, weight], in order and apart. A word has its own weight and half of each pair
/// that it is in.
export function spans(text, why) {
  const weights = weightsOf(why);
  if (weights.size === 0) return [];
  const all = units(text);
  const lower = all.map(([from, to]) => text.slice(from, to).toLowerCase());
  all.forEach((unit, at) => {
    unit[2] += weights.get(lower[at]) ?? 0;
    if (at === 0) return;
    const gap = all[at - 1][1] === unit[0] ? "" : " ";
    const pair = (weights.get(`${lower[at - 1]}${gap}${lower[at]}`) ?? 0) / 2;
    all[at - 1][2] += pair;
    unit[2] += pair;
  });
  const strongest = strongestOf(all);
  return all.filter((unit) => Math.abs(unit[2]) > FAINT * strongest);
}

function strongestOf(spans) {
  return spans.reduce((most, span) => Math.max(most, Math.abs(span[2])), 1e-9);
}

/// Puts the text into the element, in pieces that end at line breaks or spaces.
export function write(element, text, why) {
  element.replaceChildren();
  const marks = spans(text, why);
  const strongest = strongestOf(marks);
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
    let [at, last] = [start, null];
    while (next < marks.length && marks[next][0] < end) {
      const [from, to, weight] = marks[next++];
      const strength = Math.abs(weight) / strongest;
      const name = `${weight > 0 ? "for" : "against"} ${strength > 0.5 ? "strong" : strength > 0.15 ? "middling" : "weak"}`;
      if (last?.className === name && from === at) {
        last.textContent += text.slice(from, to);
      } else {
        piece.append(text.slice(at, from));
        last = document.createElement("mark");
        last.className = name;
        last.textContent = text.slice(from, to);
        piece.append(last);
      }
      at = to;
    }
    piece.append(text.slice(at, end));
    element.append(piece);
    if (end >= text.length) break;
    start = end;
  }
}
