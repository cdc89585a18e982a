// Judges the signature of a request or a callback: whether it is right, and what was done wrong otherwise. It knows no page and asks nobody.
import { base64, hex, hmac, joined, sha256, unbase64, utf8 } from './digest.mjs';
import { explainHash, fieldsOf, orders, tell } from './hashes.mjs';
import { asVezneWrites, rewritten } from './rewritten.mjs';
import { explainSignature, linesOf } from './signatures.mjs';

/** The headers of a text: lines as HTTP has them, or as curl takes them. Returns pairs with names in lower case. */
export function readHeaders(text) {
  return text.split(/\r?\n/).flatMap((line) => {
    const m = /^\s*(?:-H\s+)?["']?([A-Za-z0-9-]+)\s*:\s?(.*?)["']?\s*\\?\s*$/.exec(line);
    return m ? [[m[1].toLowerCase(), m[2].trim()]] : [];
  });
}

/** Method and target of a text: the first line of a request, or those of a curl command. */
export function readLine(text) {
  const m = /^\s*([A-Za-z]{3,7})\s+((?:\/|https?:\/\/)\S*)/m.exec(text) ?? /-X\s+([A-Z]+)\s+["']?(https?:\/\/[^"'\s]+)/.exec(text);
  return m ? `${m[1]} ${m[2]}` : '';
}

/** What is between secret key and timestamp in the hash of a path. */
function middleOf(path) {
  if (/\/provider\/sites$/.test(path)) return 'x-key';
  if (/\/dealer\/|\/(welcome|gateways|transaction-status|test-clock)$|\/credit-card\/(payment|status)$/.test(path)) return '';
  return 'x-credential-key';
}

const tooOld = (stamp, now, tolerance) => {
  const age = Math.floor(now) - Number(stamp);
  return age > tolerance ? 'stale' : -age > tolerance ? 'future' : '';
};

class Report {
  findings = [];
  shown = [];
  isRight = false;
  reason = '';

  say(code, args = {}) {
    if (!this.findings.some((f) => f.code === code)) this.findings.push({ code, ...args });
    return this;
  }

  right() {
    this.isRight = true;
    this.findings.unshift({ code: 'right' });
    return this;
  }

  refuse(reason) {
    this.reason = reason;
    return this;
  }
}

/**
 * Judges: kind is hash, v2, webhook or callback; line the method and target of a request; headers pairs; body bytes; secrets those to try;
 * own what one's code has signed, where it is known; now Unix seconds, left out to judge no age.
 */
export function judge({ kind, line = '', headers, body, secrets, apiKey, own = '', now, tolerance = 300 }) {
  const r = new Report(), sent = {};
  for (const [name, value] of headers) {
    if (name in sent && /^(x-|webhook-|idempotency-)/.test(name)) r.say('twice', { name });
    sent[name] ??= value;
  }
  const known = secrets.filter((s) => s !== '' && s !== 'whsec_');
  for (const s of known) {
    if (s !== s.trim()) r.say('secret_spaces');
    const isWebhook = s.startsWith('whsec_');
    if (kind === 'webhook' ? /^vz/.test(s) : isWebhook) r.say(kind === 'webhook' ? 'secret_not_webhook' : 'secret_is_webhook');
    if (/^vz[pdctv]_/.test(s)) r.say('secret_is_key');
  }
  if (kind === 'webhook') return webhook(r, sent, body, known, now, tolerance);
  if (kind === 'callback') return callback(r, sent, body, known, apiKey ?? sent['x-api-key'] ?? '', now, tolerance);
  const m = /^\s*([A-Za-z]+)\s+(\S+)/.exec(line);
  if (!m) return r.say('line');
  const request = { method: m[1], target: m[2], sent, body, secrets: known, own, now, tolerance };
  if (/^https?:/.test(request.target)) request.target = request.target.replace(/^https?:\/\/[^/?#]*/, '') || '/';
  return kind === 'v2' ? signature(r, request) : hash(r, request);
}

/** Whether X-Timestamp can be one, and how old it is. */
function stampOf(r, sent, now, tolerance) {
  const stamp = sent['x-timestamp'] ?? '';
  if (!stamp) r.say('missing', { name: 'X-Timestamp' });
  else if (/^[0-9]{13}$/.test(stamp)) r.say('header_millis');
  else if (!/^[0-9]{1,12}$/.test(stamp)) r.say('header_stamp', { value: stamp });
  else if (now !== undefined) {
    const age = tooOld(stamp, now, tolerance);
    if (age) r.say(age, { seconds: Math.abs(Math.floor(now) - Number(stamp)) });
  }
  return stamp;
}

function hash(r, { target, sent, body, secrets, now, tolerance, own }) {
  const id = sent['x-api-key'] ?? sent['x-site-token'] ?? '', stamp = stampOf(r, sent, now, tolerance);
  const path = target.split('?')[0], middle = middleOf(path), got = sent['x-hash'] ?? '';
  for (const [name, value] of [['X-Api-Key', id], ['X-Hash', got], ...(middle ? [[middle, sent[middle]]] : [])]) {
    if (!value) r.say('missing', { name });
  }
  keyOf(r, id, path);
  if (sent['x-signature']) r.say('both');
  const right = ['api', 'secret', ...(middle ? ['middle'] : []), 'time'];
  const value = { api: id, middle: sent[middle] ?? '', time: stamp };
  for (const secret of secrets) {
    const of = (names, time = stamp) => names.map((n) => (n === 'secret' ? secret : n === 'time' ? time : value[n])).join('');
    const want = hex(sha256(utf8(of(right))));
    r.shown = [{ name: 'input', value: of(right).replace(secret, '•••') }, { name: 'hash', value: want }];
    if (got.toLowerCase() === want) return r.findings.some((f) => !['both'].includes(f.code)) ? r.say('hash_right') : r.right();
    if (own && own !== of(right)) difference(r, of(right), own, secret);
  }
  if (own && !secrets.some((s) => hex(sha256(utf8(own))) === got.toLowerCase())) r.say('own_hash');
  form(r, got, /^[0-9a-f]{64}$/i);
  if (!secrets.some((s) => explainHash(r, { secret: s, value, right, stamp, got, body, target, sent }))) r.say('unknown');
  return r;
}

function keyOf(r, id, path) {
  if (/^vzd_/.test(id) && path.startsWith('/api/provider/')) r.say('dealers_key');
  if (/^vzp_/.test(id) && path.startsWith('/api/dealer/')) r.say('providers_key');
  if (/^vz[d]?s_|^whsec_/.test(id)) r.say('secret_sent');
}

function form(r, got, wanted) {
  if (wanted.test(got) || !got) return;
  const lengths = { 32: 'MD5', 40: 'SHA-1', 96: 'SHA-384', 128: 'SHA-512' };
  if (/^[0-9a-f]+$/i.test(got) && lengths[got.length]) r.say('algorithm', { name: lengths[got.length] });
  else r.say('form', { length: got.length });
}

function signature(r, request) {
  const { sent, secrets, own, now, tolerance, method, target } = request;
  const got = sent['x-signature'] ?? '';
  stampOf(r, sent, now, tolerance);
  for (const name of ['X-Api-Key', 'X-Nonce', 'X-Signature']) {
    const isToken = name === 'X-Api-Key' && sent['x-site-token'];
    if (!sent[name.toLowerCase()] && !isToken) r.say('missing', { name });
  }
  if (sent['x-nonce'] && !/^[A-Za-z0-9_-]{16,64}$/.test(sent['x-nonce'])) r.say('nonce');
  if (middleOf(target.split('?')[0]) && !sent[middleOf(target.split('?')[0])]) r.say('missing', { name: middleOf(target.split('?')[0]) });
  keyOf(r, sent['x-api-key'] ?? '', target);
  if (sent['x-hash']) r.say('both');
  const text = linesOf({ ...request, method: method.toUpperCase() }).map(([, l]) => l).join('\n');
  r.shown = [{ name: 'text', value: text }];
  for (const secret of secrets) {
    const want = `v2=${hex(hmac(utf8(secret), utf8(text)))}`;
    r.shown[1] = { name: 'signature', value: want };
    if (got.toLowerCase() === want && got.startsWith('v2=')) return r.findings.some((f) => f.code !== 'both') ? r.say('signature_right') : r.right();
  }
  if (own && own !== text) difference(r, text, own, '');
  if (own && !secrets.some((s) => `v2=${hex(hmac(utf8(s), utf8(own)))}` === got.toLowerCase())) r.say('own_signature');
  if (!/^v2=/.test(got) && got) r.say('v2_prefix');
  else form(r, got.slice(3), /^[0-9a-f]{64}$/i);
  if (!secrets.some((s) => explainSignature(r, request, s, got))) r.say('unknown');
  return r;
}

/** Where two texts part. */
function difference(r, want, own, secret) {
  let at = 0;
  while (at < want.length && want[at] === own[at]) at++;
  const before = want.slice(0, at), line = before.split('\n').length;
  const hide = (text) => (secret ? text.replace(secret, '•••') : text);
  r.say('differs', { line, column: at - before.lastIndexOf('\n'), want: hide(want).split('\n')[line - 1] ?? '', own: hide(own).split('\n')[line - 1] ?? '' });
}

/** The key of a webhook secret: base64 behind its prefix, or the text as it is. */
const webhookKey = (secret) => unbase64(secret.replace(/^whsec_/, '')) ?? utf8(secret);

/** Whether a body is written as Vezne writes it. If not, something on the way has decoded it and encoded it again. */
function isAsSent(bytes) {
  const text = Array.from(bytes, (b) => String.fromCharCode(b)).join('');
  const bare = text.replace(/"[^"\\]*(?:\\(?:["\\bfnrt]|u(?:00[01][0-9a-f]|2028|2029|fffd))[^"\\]*)*"/g, '""');
  return /^\{"(?:tracking_code|success)":/.test(text) && /"amount":-?[0-9]+\.[0-9]{2}[,}]/.test(text) && /^[{}:,"0-9.a-z-]*$/.test(bare);
}

function webhook(r, sent, body, secrets, now, tolerance) {
  const id = sent['webhook-id'] ?? '', stamp = sent['webhook-timestamp'] ?? '', all = sent['webhook-signature'] ?? '';
  const signatures = all.split(' ').filter((s) => s.startsWith('v1,')).map((s) => s.slice(3));
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) if (!sent[name]) r.say('missing', { name });
  if (stamp && /^[0-9]{13}$/.test(stamp)) r.say('header_millis');
  else if (stamp && !/^[0-9]{1,12}$/.test(stamp)) r.say('header_stamp', { value: stamp });
  if (all && signatures.length === 0) r.say('v1');
  if (!id || !/^[0-9]{1,12}$/.test(stamp) || signatures.length === 0) return r.refuse('no_signature');
  const age = now === undefined ? '' : tooOld(stamp, now, tolerance);
  if (age) r.say(age, { seconds: Math.abs(Math.floor(now) - Number(stamp)) });
  const of = (key, bytes, before = `${id}.${stamp}.`) => base64(hmac(key, joined(utf8(before), bytes)));
  for (const secret of secrets) {
    r.shown = [{ name: 'input', value: `${id}.${stamp}.…` }, { name: 'signature', value: `v1,${of(webhookKey(secret), body)}` }];
    if (signatures.includes(of(webhookKey(secret), body))) return age ? r.refuse(age) : r.right();
  }
  const isSent = isAsSent(body);
  for (const secret of secrets) {
    const restored = asVezneWrites(body);
    if (restored && signatures.includes(of(webhookKey(secret), restored))) {
      r.say('restored', { value: new TextDecoder().decode(restored) });
    } else if ([utf8(secret), utf8(secret.replace(/^whsec_/, ''))].some((key) => signatures.includes(of(key, body)))) r.say('webhook_undecoded');
    else if (rewritten(body).some(([, b]) => signatures.includes(of(webhookKey(secret), b)))) r.say('body_differs');
  }
  if (!r.findings.some((f) => ['restored', 'webhook_undecoded', 'body_differs'].includes(f.code))) r.say(isSent ? 'wrong_secret' : 'body_not_as_sent');
  return r.refuse(age || (isSent ? 'wrong_secret' : 'body_changed'));
}

function callback(r, sent, body, secrets, apiKey, now, tolerance) {
  const got = sent['x-hash'] ?? '', stamp = stampOf(r, sent, now, tolerance), fields = fieldsOf(body);
  if (!got) r.say('missing', { name: 'X-Hash' });
  if (!got || !/^[0-9]{1,12}$/.test(stamp)) return r.refuse('no_signature');
  const age = now === undefined ? '' : tooOld(stamp, now, tolerance);
  const { tracking_code: code, status } = fields;
  if (typeof code !== 'string' || typeof status !== 'string') return r.say('no_code').refuse(age || 'body_changed');
  for (const secret of secrets) {
    const want = hex(sha256(utf8(apiKey + secret + code + status + stamp)));
    r.shown = [{ name: 'input', value: `${apiKey}•••${code}${status}${stamp}` }, { name: 'hash', value: want }];
    if (want === got.toLowerCase()) return age ? r.refuse(age) : r.right();
  }
  if (fields.hash !== got) r.say('hash_differs');
  const isWrong = !secrets.some((s) => explainCallback(r, { api: apiKey, secret: s, code, status, time: stamp, amount: String(fields.amount ?? ''), own: String(fields.timestamp ?? '') }, got));
  if (isWrong) r.say('wrong_secret');
  return r.refuse(age || (fields.hash === got ? 'wrong_secret' : 'body_changed'));
}

/** What somebody's own code may have compared X-Hash with, where that is pasted as X-Hash. */
function explainCallback(r, parts, got) {
  const right = ['api', 'secret', 'code', 'status', 'time'], wanted = got.toLowerCase();
  const tries = [...orders(right), ['api', 'secret', 'code', 'status', 'amount', 'time'], ['api', 'secret', 'code', 'status', 'time', 'amount'], ['api', 'secret', 'code', 'status', 'own']];
  for (const order of tries) {
    for (const separator of ['', ':', '|', '.', '\n']) {
      for (const end of ['', '\n']) {
        const text = utf8(order.map((n) => parts[n]).join(separator) + end);
        const digest = hex(sha256(text)) === wanted ? '' : hex(hmac(utf8(parts.secret), text)) === wanted ? 'hmac' : undefined;
        if (digest === undefined) continue;
        tell(r, { order: order.filter((n) => n !== 'amount' && n !== 'own'), right: order.includes('own') ? right.slice(0, 4) : right, separator, end, digest });
        if (order.includes('amount')) r.say('extra', { part: 'amount' });
        if (order.includes('own')) r.say('own_stamp');
        return true;
      }
    }
  }
  return false;
}
