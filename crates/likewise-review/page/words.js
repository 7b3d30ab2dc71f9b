// Text with the words that matter marked. Text is only ever put in as text.

/// Words, runs of one mark, and pictures: what the learner takes for tokens.
const TOKEN = /[\p{L}\p{N}\p{M}_]+|([!?$%¡¿！？؟‼⁇]|\p{Sc})\1*|\p{Extended_Pictographic}/gu;
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

/// Of a number of so many digits the learner knows the length too: 08712 is also #####.
const LONG_NUMBER = /^[0-9]{5,}$/;

/// The parts of a text that can have a weight: words, marks, or letters of scripts without spaces. `names`: what the
/// learner calls it, one after the other.
function units(text) {
  return [...text.matchAll(TOKEN)].flatMap((match) => {
    const [token, mark] = [match[0].toLowerCase(), match[1]];
    if (!UNSPACED.test(token)) {
      const names = LONG_NUMBER.test(token) ? [token, "#".repeat(token.length)] : [mark ?? token];
      return [{ from: match.index, to: match.index + match[0].length, weight: 0, names, spaced: true }];
    }
    let at = match.index;
    const letter = (letter) => ({ from: at, to: (at += letter.length), weight: 0, names: [letter], spaced: false });
    return [...match[0]].map(letter);
  });
}

/// Where words that count stand: [from, to, weight], in order and apart. A word has its own weight and half of each pair
/// that it is in.
export function spans(text, why) {
  const weights = weightsOf(why);
  if (weights.size === 0) return [];
  const of = (...names) => weights.get(names.join(" ")) ?? 0;
  const all = units(text);
  all.forEach((unit, at) => {
    for (const name of unit.names) unit.weight += of(name);
    if (unit.names.length > 1) unit.weight += of(...unit.names);
    const before = all[at - 1];
    if (!before) return;
    const [left, right] = [before.names.at(-1), unit.names[0]];
    const joined = !before.spaced && !unit.spaced && before.to === unit.from;
    const pair = (joined ? of(left + right) : of(left, right)) / 2;
    before.weight += pair;
    unit.weight += pair;
  });
  const found = all.map(({ from, to, weight }) => [from, to, weight]);
  const strongest = strongestOf(found);
  return found.filter((span) => Math.abs(span[2]) > FAINT * strongest);
}

function strongestOf(spans) {
  return spans.reduce((most, span) => Math.max(most, Math.abs(span[2])), 1e-9);
}

/// Whether a cut there would part what is one sign: halves of a letter, accents, pictures made of several.
function isWithin(text, at) {
  const [before, after] = [text.codePointAt(at - 1), String.fromCodePoint(text.codePointAt(at))];
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 || before === 0x200d || /^[\p{M}\p{Emoji_Modifier}\u200d]/u.test(after);
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
      else while (end < text.length && isWithin(text, end)) end += 1;
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
