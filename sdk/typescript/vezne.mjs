// Vezne for JavaScript and TypeScript: the provider's API (E1 to E17), the dealer's (D1 to D8) and callbacks. Node.js 18 and later,
// nothing else; vezne.d.mts has the types.
//
// Calls have the names that `vezne sign` has, and take an object with the fields of the contract. Amounts are decimal text in both
// directions, such as '250.00'; a number with decimals is refused before anything is sent.

import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

const VERSION = '1.0.0';

/**
 * A call that did not succeed. With status 0 there was no answer, and what became of the call is unknown: repeat it with idempotencyKey.
 */
export class VezneError extends Error {
  constructor(message, details = {}) {
    super(message);
    this.name = 'VezneError';
    Object.assign(this, { status: 0, error: '', code: '', errors: [], requestId: '', raw: '', idempotencyKey: '', retryAfter: undefined }, details);
  }

  /** Whether the same call with the same idempotency key may succeed later. */
  get mayRepeat() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Returns X-Hash: the SHA-256 of the parts without separators. */
export function signHash(apiKey, secretKey, middle, timestamp) {
  return createHash('sha256').update(apiKey + secretKey + middle + timestamp).digest('hex');
}

/** Returns X-Signature, which covers all of a request. body: text or bytes. */
export function signV2(secretKey, method, target, headers, body) {
  const lines = ['vezne-request-v2', method, target];
  for (const name of ['X-Api-Key', 'X-Site-Token', 'X-Credential-Key', 'X-Key', 'Idempotency-Key', 'X-Timestamp', 'X-Nonce']) {
    lines.push(`${name.toLowerCase()}:${headers[name] ?? ''}`);
  }
  lines.push('sha256:' + createHash('sha256').update(body).digest('hex'));
  return 'v2=' + createHmac('sha256', secretKey).update(lines.join('\n')).digest('hex');
}

/** The fields of a JSON object, numbers with decimals as the text that they are; none where there is no object. */
function decode(json) {
  const number = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?[0-9]+(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)|-?[0-9]{16,}/g;
  try {
    const fields = JSON.parse(json.replace(number, (m) => (m[0] === '"' ? m : `"${m}"`)));
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? fields : {};
  } catch {
    return {};
  }
}

function checkAmounts(value) {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new TypeError("an amount is decimal text such as '250.00', never a number with decimals");
  }
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(checkAmounts);
}

class Client {
  #base; #secret; #headers; #options;

  constructor(baseUrl, secretKey, headers, options) {
    const o = { signing: 'v2', language: '', timeoutMs: 30_000, clock: () => Date.now() / 1000, fetch: globalThis.fetch, ...options };
    if (o.signing !== 'v2' && o.signing !== 'hash') throw new TypeError("signing is 'v2' or 'hash'");
    // As an environment variable is that nobody has set.
    for (const [name, value] of Object.entries({ baseUrl, secretKey, ...headers })) if (!value) throw new TypeError(`${name} is missing`);
    this.#base = baseUrl.replace(/\/+$/, '');
    this.#secret = secretKey;
    this.#headers = headers;
    this.#options = o;
  }

  /** idempotencyKey: undefined of a call that creates nothing, empty where one is to be made. */
  async _call(method, target, { fields, keyHeader, key = '', idempotencyKey } = {}) {
    checkAmounts(fields);
    const o = this.#options;
    const body = fields === undefined ? '' : JSON.stringify(fields);
    const headers = { ...this.#headers };
    if (key) headers[keyHeader] = key;
    if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey ||= randomUUID();
    headers['X-Timestamp'] = String(Math.floor(o.clock()));
    if (o.signing === 'v2') {
      headers['X-Nonce'] = randomBytes(16).toString('hex');
      headers['X-Signature'] = signV2(this.#secret, method, target, headers, body);
    } else {
      headers['X-Hash'] = signHash(headers['X-Api-Key'] ?? headers['X-Site-Token'], this.#secret, key, headers['X-Timestamp']);
    }
    headers['Content-Type'] = 'application/json';
    headers['User-Agent'] = 'vezne-js/' + VERSION;
    if (o.language) headers['Accept-Language'] = o.language;
    let got, raw;
    try {
      const request = { method, headers, redirect: 'manual', signal: AbortSignal.timeout(o.timeoutMs) }; // a signature is for one address
      if (method === 'POST') request.body = body;
      got = await o.fetch(this.#base + target, request);
      raw = await got.text();
    } catch (cause) {
      throw new VezneError(`no answer: ${cause?.cause?.message ?? cause?.message ?? cause}`, { idempotencyKey: idempotencyKey ?? '', cause });
    }
    const parsed = decode(raw);
    const beside = { status: got.status, requestId: got.headers.get('X-Request-Id') ?? '', raw, idempotencyKey: idempotencyKey ?? '' };
    if (got.ok) return { ...beside, fields: parsed, isReplayed: got.headers.get('Idempotent-Replayed') === 'true' };
    const sentences = Array.isArray(parsed.messages) ? parsed.messages.join('; ') : '';
    const wait = got.headers.get('Retry-After') ?? '';
    throw new VezneError(String(parsed.message || sentences || `HTTP ${got.status}`), {
      ...beside, error: parsed.error ?? '', code: parsed.error_code ?? '', errors: Array.isArray(parsed.errors) ? parsed.errors : [],
      retryAfter: /^[0-9]{1,9}$/.test(wait) ? Number(wait) : undefined,
    });
  }

  _get(path, query) {
    return this._call('GET', path + (query ? '?' + new URLSearchParams(query) : ''));
  }
}

/** The provider's API. The credential key says which site a payment is for. */
export class Provider extends Client {
  #credential; #verification;

  constructor({ baseUrl, apiKey, secretKey, credentialKey = '', verificationKey = '', ...options }) {
    super(baseUrl, secretKey, { 'X-Api-Key': apiKey }, options);
    this.#credential = credentialKey;
    this.#verification = verificationKey;
  }

  #create(path, fields, idempotencyKey = '') {
    return this._call('POST', '/api/provider/' + path, { fields, keyHeader: 'X-Credential-Key', key: this.#credential, idempotencyKey });
  }

  welcome() { return this._call('POST', '/api/provider/welcome'); }
  sites() { return this._call('POST', '/api/provider/sites', { keyHeader: 'X-Key', key: this.#verification }); }
  startManualDeposit(fields, idempotencyKey) { return this.#create('start-manual-deposit', fields, idempotencyKey); }
  startManualWithdraw(fields, idempotencyKey) { return this.#create('start-manual-withdraw', fields, idempotencyKey); }
  startEibanDeposit(fields, idempotencyKey) { return this.#create('start-eiban-deposit', fields, idempotencyKey); }
  startEibanWithdraw(fields, idempotencyKey) { return this.#create('start-eiban-withdraw', fields, idempotencyKey); }
  creditCardPayment(fields, idempotencyKey = '') {
    return this._call('POST', '/api/provider/credit-card/payment', { fields: { credential_key: this.#credential, ...fields }, idempotencyKey });
  }
  creditCardStatus(fields) { return this._call('POST', '/api/provider/credit-card/status', { fields }); }
  bankStartDeposit(fields, idempotencyKey) { return this.#create('third-party/bank/start-deposit', fields, idempotencyKey); }
  bankGateways() { return this._get('/api/provider/third-party/bank/gateways'); }
  bankStartWithdrawal(fields, idempotencyKey) { return this.#create('third-party/bank/start-withdrawal', fields, idempotencyKey); }
  cryptoStartDeposit(fields, idempotencyKey) { return this.#create('third-party/crypto/start-deposit', fields, idempotencyKey); }
  cryptoGateways() { return this._get('/api/provider/third-party/crypto/gateways'); }
  cryptoStartWithdrawal(fields, idempotencyKey) { return this.#create('third-party/crypto/start-withdrawal', fields, idempotencyKey); }
  walletStartDeposit(fields, idempotencyKey) { return this.#create('third-party/wallet/start-deposit', fields, idempotencyKey); }
  walletGateways() { return this._get('/api/provider/third-party/wallet/gateways'); }
  walletStartWithdrawal(fields, idempotencyKey) { return this.#create('third-party/wallet/start-withdrawal', fields, idempotencyKey); }
  /** fields: a tracking_code or a reference. */
  transactionStatus(fields) { return this._call('POST', '/api/provider/transaction-status', { fields }); }
  /** Moves the clock of a payment that was created with the field test; test installations alone have the call. fields: which payment, and seconds. */
  testClock(fields) { return this._call('POST', '/api/provider/test-clock', { fields }); }
}

/** The dealer's API. With a siteToken in place of the apiKey it is that of one of the dealer's websites. */
export class Dealer extends Client {
  constructor({ baseUrl, secretKey, apiKey = '', siteToken = '', ...options }) {
    super(baseUrl, secretKey, apiKey ? { 'X-Api-Key': apiKey } : { 'X-Site-Token': siteToken }, options);
  }

  #create(path, fields, idempotencyKey = '') { return this._call('POST', '/api/dealer/' + path, { fields, idempotencyKey }); }

  settings() { return this._get('/api/dealer/settings'); }
  manualIbanDeposit(fields, idempotencyKey) { return this.#create('manual-iban/deposit', fields, idempotencyKey); }
  manualIbanWithdraw(fields, idempotencyKey) { return this.#create('manual-iban/withdraw', fields, idempotencyKey); }
  eibans() { return this._get('/api/dealer/eibans'); }
  /** fields: wallet_id, start_date, end_date, and page where it is not the first. */
  transactions(fields) { return this._get('/api/dealer/transactions', fields); }
  sendMoney(fields, idempotencyKey) { return this.#create('send-money', fields, idempotencyKey); }
  /** fields: a transfer_id. */
  transferStatus(fields) { return this._get('/api/dealer/transfer-status', fields); }
  creditCardPayment(fields, idempotencyKey) { return this.#create('credit-card/payment', fields, idempotencyKey); }
  /** fields: a tracking_code or a reference. */
  transactionStatus(fields) { return this._get('/api/dealer/transaction-status', fields); }
  /** Moves the clock of a payment that was created with the field test; test installations alone have the call. fields: which payment, and seconds. */
  testClock(fields) { return this._call('POST', '/api/dealer/test-clock', { fields }); }
}

const refused = (reason) => ({ ok: false, reason });
const verified = (event) => ({ ok: true, reason: '', event });

function sentHeaders(headers) {
  const sent = {};
  const pairs = typeof headers.entries === 'function' ? headers.entries() : Object.entries(headers);
  for (const [name, value] of pairs) sent[name.toLowerCase()] = String((Array.isArray(value) ? value[0] : value) ?? '');
  return sent;
}

/** A body that is neither text nor bytes was decoded by a framework already. */
function bytesOf(body) {
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof ArrayBuffer ? Buffer.from(body) : Buffer.alloc(0);
}

function tooOld(stamp, tolerance, now) {
  const age = Math.floor(now ?? Date.now() / 1000) - Number(stamp);
  return age > tolerance ? 'stale' : -age > tolerance ? 'future' : '';
}

function isEqual(a, b) {
  const x = Buffer.from(a), y = Buffer.from(b);
  return x.length === y.length && timingSafeEqual(x, y);
}

function webhookKey(secret) {
  const text = secret.replace(/^whsec_/, '');
  const key = Buffer.from(text, 'base64');
  return key.toString('base64') === text ? key : Buffer.from(secret); // the decoder takes anything
}

/** Whether a body is written as Vezne writes it. If not, something on the way has decoded it and encoded it again. */
function isAsSent(bytes) {
  const text = bytes.toString('latin1');
  const bare = text.replace(/"[^"\\]*(?:\\(?:["\\bfnrt]|u(?:00[01][0-9a-f]|2028|2029|fffd))[^"\\]*)*"/g, '""');
  return /^\{"(?:tracking_code|success)":/.test(text) && /"amount":-?[0-9]+\.[0-9]{2}[,}]/.test(text) && /^[{}:,"0-9.a-z-]*$/.test(bare);
}

/**
 * Checks the Standard Webhooks signature of a callback, which covers all of it. body: the bytes as they came, before any JSON parser;
 * secrets: one "whsec_…" or several. Where it is not ok, reason is no_signature, stale, future, wrong_secret or body_changed.
 */
export function verifyCallback(headers, body, secrets, { tolerance = 300, now } = {}) {
  const sent = sentHeaders(headers), bytes = bytesOf(body);
  const id = sent['webhook-id'] ?? '', stamp = sent['webhook-timestamp'] ?? '';
  const signatures = (sent['webhook-signature'] ?? '').split(' ').filter((s) => s.startsWith('v1,')).map((s) => s.slice(3));
  if (!id || !/^[0-9]{1,12}$/.test(stamp) || signatures.length === 0) return refused('no_signature');
  const age = tooOld(stamp, tolerance, now);
  if (age) return refused(age);
  for (const key of [secrets].flat().map(webhookKey)) {
    const want = createHmac('sha256', key).update(`${id}.${stamp}.`).update(bytes).digest('base64');
    const isRight = key.length > 0 && signatures.some((got) => isEqual(want, got)); // with an empty one anybody signs
    if (isRight) return verified(decode(bytes.toString('utf8')));
  }
  return refused(isAsSent(bytes) ? 'wrong_secret' : 'body_changed');
}

/** Checks X-Hash, which covers the tracking_code and the status alone: prefer verifyCallback where there is a webhook-signature. */
export function verifyHash(headers, body, apiKey, secrets, { tolerance = 300, now } = {}) {
  const sent = sentHeaders(headers);
  const stamp = sent['x-timestamp'] ?? '', got = sent['x-hash'] ?? '';
  if (!got || !/^[0-9]{1,12}$/.test(stamp)) return refused('no_signature');
  const age = tooOld(stamp, tolerance, now);
  if (age) return refused(age);
  const event = decode(bytesOf(body).toString('utf8'));
  if (typeof event.tracking_code !== 'string' || typeof event.status !== 'string') return refused('body_changed');
  for (const secret of [secrets].flat()) {
    if (secret && isEqual(signHash(apiKey, secret, event.tracking_code + event.status, stamp), got.toLowerCase())) return verified(event);
  }
  return refused(event.hash === got ? 'wrong_secret' : 'body_changed');
}
