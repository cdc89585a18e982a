// What may have been hashed in place of the right parts.
import { hmac, isEqual, sha256, unbase64, unhex, utf8 } from './digest.mjs';

/** The ways of putting some of the parts into some order. */
export function orders(names) {
  const list = [];
  const go = (chosen, left) => {
    if (chosen.length > 1) list.push(chosen);
    left.forEach((n, i) => go([...chosen, n], left.filter((_, other) => other !== i)));
  };
  go([], names);
  return list;
}

const separators = ['', ':', '|', '+', '.', ',', ' ', '-', '_', '&', ';', '/', '\n'];

/** How many mistakes are looked for at once: with more of them, anything is explained by anything. */
const maxMistakes = 2;

/** Tries what may have been hashed in place of the right parts. */
export function explainHash(r, { secret, value, right, stamp, got, body, target, sent }) {
  const wanted = unhex(got), wantedBase64 = wanted ? undefined : unbase64(got);
  const digests = wanted ? ['', 'hmac'] : ['base64'];
  const isIt = (digest, s, text) => isEqual(digest === 'hmac' ? hmac(utf8(s), utf8(text)) : sha256(utf8(text)), digest === 'base64' ? wantedBase64 : wanted);
  const parts = { ...value, secret }, fields = fieldsOf(body), query = new URLSearchParams(target.split('?')[1] ?? '');
  const extras = {
    credential: sent['x-credential-key'] ?? fields.credential_key, key: sent['x-key'], code: fields.tracking_code ?? query.get('tracking_code'),
    transfer: query.get('transfer_id'), wallet: fields.wallet_id ?? query.get('wallet_id'), amount: fields.amount, body: new TextDecoder().decode(body),
  };
  const tries = orders(right).map((o) => [o, {}]);
  for (const [name, extra] of Object.entries(extras)) {
    if (typeof extra !== 'string' && typeof extra !== 'number' || extra === '' || (right.includes('middle') && extra === value.middle)) continue;
    for (let at = 0; at <= right.length; at++) tries.push([[...right.slice(0, at), 'extra', ...right.slice(at)], { extra: String(extra), extraName: name }]);
    if (right.includes('middle')) tries.push([right.map((n) => (n === 'middle' ? 'extra' : n)), { extra: String(extra), extraName: name, instead: true }]);
  }
  for (const [order, { extra, extraName, instead }] of tries) {
    for (const time of ['', '000']) {
      const texts = order.map((n) => (n === 'extra' ? extra : n === 'time' ? stamp + time : parts[n]));
      for (const separator of separators) {
        for (const end of ['', '\n', '\r\n']) {
          for (const digest of digests) {
            const count = [order.join() !== right.join(), time, separator, end, digest].filter(Boolean).length;
            if (count > maxMistakes || !isIt(digest, secret, texts.join(separator) + end)) continue;
            tell(r, { order, right, extraName, instead, separator, end, digest, isMillis: time !== '', sent });
            return true;
          }
        }
      }
    }
  }
  return otherSecret(r, right, parts, isIt) || otherTime(r, right, parts, stamp, isIt);
}

export function tell(r, { order, right, extraName, instead, separator, end, digest, isMillis }) {
  const kept = order.filter((n) => n !== 'extra');
  if (extraName) r.say(instead ? 'instead' : 'extra', { part: extraName });
  const lost = right.filter((n) => !kept.includes(n) && !(instead && n === 'middle') && !(digest === 'hmac' && n === 'secret'));
  for (const part of lost) r.say('left_out', { part });
  const rest = right.filter((n) => kept.includes(n));
  if (kept.some((n, i) => n !== rest[i])) r.say('order', { parts: kept });
  if (separator) r.say('separator', { value: separator });
  if (end) r.say('line_break');
  if (isMillis) r.say('millis');
  if (digest) r.say(digest);
}

/** Spaces, quotes and a line break around the secret key, as files and configurations have them. */
function otherSecret(r, right, parts, isIt) {
  for (const s of [`${parts.secret}\n`, `${parts.secret}\r\n`, ` ${parts.secret}`, `${parts.secret} `, `"${parts.secret}"`, `'${parts.secret}'`, parts.secret.trim()]) {
    if (s !== parts.secret && isIt('', s, right.map((n) => (n === 'secret' ? s : parts[n])).join(''))) {
      r.say('secret_around');
      return true;
    }
  }
  return false;
}

/** A clock that was read twice. */
function otherTime(r, right, parts, stamp, isIt) {
  if (!/^[0-9]{10,13}$/.test(stamp)) return false;
  const seconds = stamp.length > 10 ? Math.floor(Number(stamp) / 1000) : Number(stamp);
  for (let by = 0; by <= 900; by++) {
    for (const t of [seconds - by, seconds + by, seconds - by + 10800, seconds + by - 10800]) {
      if (isIt('', parts.secret, right.map((n) => (n === 'time' ? String(t) : parts[n])).join(''))) {
        r.say('other_time', { value: t, seconds: t - seconds });
        return true;
      }
    }
  }
  return false;
}

export function fieldsOf(body) {
  try {
    const fields = JSON.parse(new TextDecoder().decode(body));
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? fields : {};
  } catch {
    return {};
  }
}
