// What may have been signed in place of the right lines.
import { hex, hmac, isEqual, joined, sha256, unbase64, unhex, utf8 } from './digest.mjs';
import { rewritten } from './rewritten.mjs';

const signed = ['x-api-key', 'x-site-token', 'x-credential-key', 'x-key', 'idempotency-key', 'x-timestamp', 'x-nonce'];

/** The lines that are signed, by their names. */
export function linesOf({ method, target, sent, body }) {
  return [['label', 'vezne-request-v2'], ['method', method], ['target', target],
    ...signed.map((n) => [n, `${n}:${sent[n] ?? ''}`]), ['body', `sha256:${hex(sha256(body))}`]];
}

const decoded = (target) => {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
};

/** The ways in which a line may have been written: [mistake, changed lines]. */
function linesTried(request) {
  const { method, target, sent } = request, lines = linesOf(request);
  const change = (name, line) => lines.map(([n, l]) => (n === name ? [n, line] : [n, l]));
  const list = [['same', lines], ['method', change('method', method.toLowerCase())]];
  for (const other of ['GET', 'POST']) list.push(['method', change('method', other)]);
  for (const [code, t] of [['query', target.split('?')[0]], ['decoded', decoded(target)], ['encoded', encodeURI(target)], ['slash', `${target}/`], ['slash', target.replace(/\/$/, '')],
    ['prefix', target.replace(/^\/api/, '')], ['prefix', target.replace(/^\/api\/(provider|dealer)/, '')], ['prefix', target.replace(/^\//, '')]]) list.push([code, change('target', t)]);
  if (sent.host) for (const scheme of ['https', 'http']) list.push(['host', change('target', `${scheme}://${sent.host}${target}`)]);
  for (const n of signed) {
    if (sent[n]) list.push(['line_empty', change(n, `${n}:`), n], ['line_gone', lines.filter(([m]) => m !== n), n]);
  }
  list.push(['lines_gone', lines.filter(([n]) => !signed.includes(n) || sent[n])]);
  list.push(['spaces', lines.map(([n, l]) => [n, signed.includes(n) || n === 'body' ? l.replace(':', ': ') : l])]);
  list.push(['names', lines.map(([n, l]) => [n, signed.includes(n) ? l.replace(/^[a-z-]+/, (w) => w.replace(/(^|-)[a-z]/g, (c) => c.toUpperCase())) : l])]);
  list.push(['label', lines.slice(1)], ['token', change('x-api-key', `x-api-key:${sent['x-site-token'] ?? ''}`).map(([n, l]) => [n, n === 'x-site-token' ? 'x-site-token:' : l])]);
  list.push(['stamp_millis', change('x-timestamp', `x-timestamp:${sent['x-timestamp']}000`)]);
  list.push(['body_upper', change('body', lines.at(-1)[1].replace(/[a-f0-9]{64}/, (h) => h.toUpperCase()))], ['body_label', change('body', lines.at(-1)[1].slice(7))]);
  list.push(['body_plain', change('body', new TextDecoder().decode(request.body))]);
  return list;
}

export function explainSignature(r, request, secret, got) {
  const raw = got.replace(/^v2=/i, ''), wanted = unhex(raw), wantedBase64 = wanted ? undefined : unbase64(raw), unhexed = unhex(secret);
  const keys = [['', utf8(secret)], ['key_bare', utf8(secret.replace(/^vzd?s_/, ''))], ['secret_around', utf8(`${secret}\n`)], ['secret_around', utf8(secret.trim())],
    ...(unhexed ? [['key_decoded', unhexed]] : []), ...[secret, secret.replace(/^vzd?s_/, '')].map((s) => ['key_decoded', unbase64(s)]).filter(([, k]) => k)];
  const isIt = (key, text) => {
    const mac = hmac(key, text);
    return isEqual(mac, wanted) ? '' : isEqual(mac, wantedBase64) ? 'mac_base64' : undefined;
  };
  const bodies = rewritten(request.body), seen = new Set();
  for (const [changed, body] of bodies) {
    const key = hex(sha256(body));
    if (seen.has(key)) continue;
    seen.add(key);
    for (const [mistake, lines, name] of linesTried({ ...request, method: request.method.toUpperCase(), body })) {
      for (const [end, text] of [['', lines.map(([, l]) => l).join('\n')], ['ends', `${lines.map(([, l]) => l).join('\n')}\n`], ['crlf_lines', lines.map(([, l]) => l).join('\r\n')], ['no_lines', lines.map(([, l]) => l).join('')]]) {
        if (seen.size > 8 && (end || mistake !== 'same')) continue; // one mistake with the body is enough
        const bytes = utf8(text);
        const found = keys.map(([k, b]) => [k, isIt(b, bytes)]).find(([, f]) => f !== undefined);
        const isPlain = !found && [bytes, joined(utf8(secret), bytes), joined(bytes, utf8(secret))].some((b) => isEqual(sha256(b), wanted));
        if (!found && !isPlain) continue;
        if (changed !== 'same') r.say(changed === 'empty' ? 'body_empty' : 'body_changed', { how: changed });
        if (mistake !== 'same') r.say(mistake, { name });
        if (end) r.say(end);
        if (found?.[0]) r.say(found[0]);
        if (found?.[1]) r.say(found[1]);
        if (isPlain) r.say('no_hmac');
        return true;
      }
    }
  }
  return false;
}
