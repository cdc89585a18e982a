// Finds sections of the guide. Letters are compared without their marks, and the four i of Turkish as one.

export const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').replace(/ı/g, 'i').toLowerCase();

/** How well a section answers the words; 0: not at all. */
function score(section, words) {
  let sum = 0;
  for (const word of words) {
    const isStart = (text) => {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1])) return true;
      return false;
    };
    const of = (text, start, within) => (isStart(text) ? start : text.includes(word) ? within : 0);
    const found = of(section.title, 12, 5) + of(section.page, 4, 2) + of(section.text, 3, 1);
    if (found === 0) return 0;
    sum += found;
  }
  return sum;
}

/** Reads the index that the server has made. */
export const read = (list) => list.map(([address, page, title, text]) => ({ address, shown: { page, title, text }, page: fold(page), title: fold(title), text: fold(text) }));

/** The sections that have all words of a query, best first: at most limit. */
export function find(index, query, limit = 20) {
  const words = fold(query).split(/\s+/).filter(Boolean).slice(0, 8);
  if (words.length === 0) return [];
  return index.map((s) => [score(s, words), s]).filter(([n]) => n > 0).sort(([a], [b]) => b - a).slice(0, limit).map(([, s]) => s);
}

/** Some of a text around the first word that is found: [text, is it a word of the query]. */
export function around(text, query, length = 160) {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const letters = Array.from(text), folded = letters.map(fold), starts = []; // a letter may be folded into none or two
  let flat = '';
  folded.forEach((f, i) => {
    for (let n = 0; n < f.length; n++) starts.push(i);
    flat += f;
  });
  const marks = new Set();
  let first = -1;
  for (const word of words) {
    for (let at = flat.indexOf(word); at >= 0; at = flat.indexOf(word, at + word.length)) {
      if (first < 0 || starts[at] < first) first = starts[at];
      for (let i = at; i < at + word.length; i++) marks.add(starts[i]);
    }
  }
  const from = letters.length <= length ? 0 : Math.max(0, first - Math.floor(length / 4)), list = [];
  for (let i = from; i < Math.min(letters.length, from + length); i++) {
    if (list.length > 0 && list.at(-1)[1] === marks.has(i)) list.at(-1)[0] += letters[i];
    else list.push([letters[i], marks.has(i)]);
  }
  return list;
}
