// What frameworks make of a JSON body that they have read and written again, and back.
import { joined, utf8 } from './digest.mjs';

const token = /"(?:[^"\\]|\\[^])*"|-?[0-9][0-9.eE+-]*|[{}[\]:,]|true|false|null/g;

/** The tokens of a JSON text without its spaces; undefined where it is none. */
function tokens(text) {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return text.match(token);
}

const escapes = {
  kept: (s) => s,
  escaped: (s) => s.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  slashes: (s) => s.replace(/\//g, '\\/'),
  php: (s) => escapes.slashes(escapes.escaped(s)),
  html: (s) => s.replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
};

const numbers = {
  kept: (n) => n,
  stringify: (n) => (n.includes('.') ? String(Number(n)) : n),
  float: (n) => (n.includes('.') ? String(Number(n)).replace(/^(-?[0-9]+)$/, '$1.0') : n),
  text: (n) => (n.includes('.') ? `"${n}"` : n),
};

const spacings = { compact: ['', ''], python: [' ', ' '], colon: ['', ' '], indent2: '  ', indent4: '    ' };

function write(list, spacing, string, number) {
  const [afterComma, afterColon] = typeof spacing === 'string' ? ['', ' '] : spacing;
  let depth = 0;
  const line = () => (typeof spacing === 'string' ? `\n${spacing.repeat(depth)}` : '');
  return list.map((t, i) => {
    if (t === '{' || t === '[') {
      depth++;
      return /[}\]]/.test(list[i + 1]) ? t : t + line();
    }
    if (t === '}' || t === ']') {
      depth--;
      return /[{[]/.test(list[i - 1]) ? t : line() + t;
    }
    if (t === ',') return t + afterComma + line();
    if (t === ':') return t + afterColon;
    return t[0] === '"' ? string(t) : /[0-9]/.test(t) ? number(t) : t;
  }).join('');
}

/** The fields of a flat object in alphabetical order. */
function sorted(list) {
  const fields = [];
  let depth = 0;
  for (const t of list.slice(1, -1)) {
    if (depth === 0 && t === ',') {
      fields.push([]);
      continue;
    }
    if (fields.length === 0) fields.push([]);
    if (/[{[]/.test(t)) depth++;
    if (/[}\]]/.test(t)) depth--;
    fields.at(-1).push(t);
  }
  fields.sort((a, b) => (a[0] < b[0] ? -1 : 1));
  return ['{', ...fields.flatMap((f, i) => (i ? [',', ...f] : f)), '}'];
}

/** The ways in which a body may have been changed: [name, bytes], the body as it is first. */
export function rewritten(bytes) {
  const text = new TextDecoder().decode(bytes), list = [['same', bytes]];
  const add = (name, changed) => list.push([name, typeof changed === 'string' ? utf8(changed) : changed]);
  add('line_feed', joined(bytes, utf8('\n')));
  add('line_feed', joined(bytes, utf8('\r\n')));
  add('line_feed_cut', text.replace(/[\r\n]+$/, ''));
  add('crlf', text.replace(/\r?\n/g, '\r\n'));
  add('bom', joined(Uint8Array.of(0xef, 0xbb, 0xbf), bytes));
  add('empty', '');
  const parsed = tokens(text);
  if (!parsed) return list;
  for (const [order, fields] of [['', parsed], ['sorted', parsed[0] === '{' ? sorted(parsed) : parsed]]) {
    for (const [spacing, s] of Object.entries(spacings)) {
      for (const [escape, e] of Object.entries(escapes)) {
        for (const [number, n] of Object.entries(numbers)) add(order || (number !== 'kept' ? 'numbers' : escape !== 'kept' ? 'escapes' : `spaces_${spacing}`), write(fields, s, e, n));
      }
    }
  }
  return list;
}

/** A body as Vezne writes it, of one that was read and written again; undefined where it is no JSON. */
export function asVezneWrites(bytes) {
  const parsed = tokens(new TextDecoder().decode(bytes)); // a byte order mark is left out by the decoder
  if (!parsed) return undefined;
  const plain = (s) => s.replace(/\\(?:u([0-9a-fA-F]{4})|\/)/g, (all, code) => {
    const c = code ? String.fromCharCode(parseInt(code, 16)) : '/';
    return code && (c < ' ' || /["\\\u2028\u2029]/.test(c)) ? all.toLowerCase() : c;
  });
  const amounts = parsed.map((t, i) => {
    const isAmount = parsed[i - 1] === ':' && /amount"$/.test(parsed[i - 2] ?? '');
    return isAmount && /^"?-?[0-9.]+"?$/.test(t) ? Number(t.replaceAll('"', '')).toFixed(2) : t;
  });
  return utf8(write(amounts, ['', ''], plain, (n) => n));
}
