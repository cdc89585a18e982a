// What the checker must say, of the vectors and of the mistakes that integrators make. Node.js and a browser run the same.

const api = 'vzp_example', secret = 'vzs_example', credential = 'vzc_example', time = '1772442000', nonce = '0J9m2yQfW8vXk4Lr';
const path = '/api/provider/start-manual-deposit', webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const text = '{"fullname":"Ayşe Yılmaz","username":"a/b","user_id":"u-1001","amount":250.00}';
const notice = '{"tracking_code":"MAN-0123456789ABCDEF","status":"completed","amount":250.00,"username":"ayse","fullname":"Ayşe / Yılmaz","user_id":"u-1","site_id":1,"timestamp":1772442000,"hash":"HASH","sequence":1}';

const lines = (of = {}) => {
  const l = {
    label: 'vezne-request-v2', method: 'POST', target: path, api: `x-api-key:${api}`, site: 'x-site-token:', credential: `x-credential-key:${credential}`,
    key: 'x-key:', once: 'idempotency-key:order-1', time: `x-timestamp:${time}`, nonce: `x-nonce:${nonce}`, body: '', ...of,
  };
  return Object.values(l).filter((line) => line !== undefined);
};

/** Mistakes: what was sent, and which codes the checker has to find. */
function mistakes({ sha256, hmac, hex, base64, utf8, unbase64 }) {
  const sum = (t) => hex(sha256(utf8(t)));
  const mac = (t, key = secret) => `v2=${hex(hmac(utf8(key), utf8(t)))}`;
  const own = (extra, hash, more = {}) => ({
    kind: 'hash', line: `POST ${path}`, headers: [['x-api-key', api], ['x-credential-key', credential], ['x-timestamp', time], ['x-hash', hash]], body: utf8(text), secrets: [secret], want: extra, ...more,
  });
  const signed = (extra, signature, more = {}) => ({
    kind: 'v2', line: `POST ${path}`, body: utf8(text), secrets: [secret], want: extra,
    headers: [['x-api-key', api], ['x-credential-key', credential], ['idempotency-key', 'order-1'], ['x-timestamp', time], ['x-nonce', nonce], ['x-signature', signature]], ...more,
  });
  const withBody = (b, of = {}) => lines({ body: `sha256:${sum(b)}`, ...of }).join('\n');
  const at = (target, more) => ({ line: `POST ${target}`, ...more });
  const hook = (extra, signature, more = {}) => ({
    kind: 'webhook', body: utf8(notice), secrets: [webhookSecret], want: extra,
    headers: [['webhook-id', '01A'], ['webhook-timestamp', time], ['webhook-signature', signature]], ...more,
  });
  const hooked = (body, key = unbase64(webhookSecret.slice(6)), before = `01A.${time}.`) => `v1,${base64(hmac(key, utf8(before + body)))}`;
  const called = (extra, hash, more = {}) => ({
    kind: 'callback', body: utf8(notice.replace('HASH', hash)), secrets: [secret], want: extra,
    headers: [['x-api-key', api], ['x-timestamp', time], ['x-hash', hash]], ...more,
  });
  const code = 'MAN-0123456789ABCDEFcompleted';
  return {
    'right': own(['right'], sum(api + secret + credential + time)),
    'right in capitals': own(['right'], sum(api + secret + credential + time).toUpperCase()),
    'keys in the wrong order': own(['order'], sum(secret + api + credential + time)),
    'the timestamp before the key': own(['order'], sum(api + secret + time + credential)),
    'the credential key before the secret key': own(['order'], sum(api + credential + secret + time)),
    'no credential key': own(['left_out'], sum(api + secret + time)),
    'no timestamp': own(['left_out'], sum(api + secret + credential)),
    'no secret key': own(['left_out'], sum(api + credential + time)),
    'milliseconds': own(['millis'], sum(`${api}${secret}${credential}${time}000`)),
    'colons': own(['separator'], sum([api, secret, credential, time].join(':'))),
    'spaces and the wrong order': own(['order', 'separator'], sum([secret, api, credential, time].join(' '))),
    'a line break': own(['line_break'], sum(`${api + secret + credential + time}\n`)),
    'HMAC': own(['hmac'], hex(hmac(utf8(secret), utf8(api + secret + credential + time)))),
    'HMAC without the secret key in the text': own(['hmac'], hex(hmac(utf8(secret), utf8(api + credential + time)))),
    'base64': own(['form', 'base64'], base64(sha256(utf8(api + secret + credential + time)))),
    'the body hashed too': own(['extra'], sum(api + secret + credential + time + text)),
    'another moment': own(['other_time'], sum(`${api}${secret}${credential}1772442007`)),
    'the time of Istanbul': own(['other_time'], sum(`${api}${secret}${credential}1772452800`)),
    'a secret key with a line break': own(['secret_around'], sum(`${api}${secret}\n${credential}${time}`)),
    'a secret key in quotes': own(['secret_around'], sum(`${api}"${secret}"${credential}${time}`)),
    'another secret key': own(['unknown'], sum(`${api}vzs_other${credential}${time}`)),
    'the webhook secret': own(['secret_is_webhook'], sum(api + secret + credential + time), { secrets: [webhookSecret] }),
    'milliseconds in the header': own(['header_millis'], sum(api + secret + credential + time), { headers: [['x-api-key', api], ['x-credential-key', credential], ['x-timestamp', `${time}000`], ['x-hash', sum(`${api}${secret}${credential}${time}000`)]] }),
    'MD5': own(['algorithm'], 'd41d8cd98f00b204e9800998ecf8427e'),
    'a key where none belongs': own(['extra'], sum(api + secret + credential + time), at('/api/provider/welcome')),
    'the site key on sites': own(['extra', 'missing'], sum(api + secret + credential + time), at('/api/provider/sites')),
    'a wrong clock': own(['stale'], sum(api + secret + credential + time), { now: 1772442000 + 3600 }),
    'a clock ahead': own(['future'], sum(api + secret + credential + time), { now: 1772442000 - 3600 }),
    "a dealer's key": own(['dealers_key'], sum(`vzd_example${secret}${credential}${time}`), { headers: [['x-api-key', 'vzd_example'], ['x-credential-key', credential], ['x-timestamp', time], ['x-hash', sum(`vzd_example${secret}${credential}${time}`)]] }),
    'what was signed is known': own(['differs', 'unknown'], sum(`${api}${secret}${credential} ${time}!`), { own: `${api}${secret}${credential} ${time}!` }),

    'v2 right': signed(['right'], mac(withBody(text))),
    'v2 with the hash': signed(['right', 'both'], mac(withBody(text)), { headers: [...signed([], mac(withBody(text))).headers, ['x-hash', '00']] }),
    'v2 line feed behind the body': signed(['body_changed'], mac(withBody(`${text}\n`))),
    'v2 no body': signed(['body_empty'], mac(withBody(''))),
    'v2 JSON written twice': signed(['body_changed'], mac(withBody(JSON.stringify(JSON.parse(text))))),
    'v2 json_encode': signed(['body_changed'], mac(withBody('{"fullname":"Ay\\u015fe Y\\u0131lmaz","username":"a\\/b","user_id":"u-1001","amount":250.00}'))),
    'v2 json.dumps': signed(['body_changed'], mac(withBody('{"fullname": "Ay\\u015fe Y\\u0131lmaz", "username": "a/b", "user_id": "u-1001", "amount": 250.0}'))),
    'v2 line feed at the end': signed(['ends'], mac(`${withBody(text)}\n`)),
    'v2 CRLF': signed(['crlf_lines'], mac(withBody(text).replaceAll('\n', '\r\n'))),
    'v2 method in small letters': signed(['method'], mac(withBody(text, { method: 'post' }))),
    'v2 without the query': signed(['query'], mac(withBody(text)), at(`${path}?a=b`)),
    'v2 target decoded': signed(['decoded'], mac(withBody(text, { target: `${path}?a=ş` })), at(`${path}?a=%C5%9F`)),
    'v2 whole address': signed(['host'], mac(withBody(text, { target: `https://pay.example.com${path}` })), { headers: [...signed([], mac(withBody(text, { target: `https://pay.example.com${path}` }))).headers, ['host', 'pay.example.com']] }),
    'v2 a key left out': signed(['line_empty'], mac(withBody(text, { once: 'idempotency-key:' }))),
    'v2 empty lines left out': signed(['lines_gone'], mac(withBody(text, { site: undefined, key: undefined }))),
    'v2 spaces behind colons': signed(['spaces'], mac(lines({ body: `sha256:${sum(text)}` }).map((l) => l.replace(':', ': ')).join('\n'))),
    'v2 no label': signed(['label'], mac(withBody(text, { label: undefined }))),
    'v2 milliseconds': signed(['stamp_millis'], mac(withBody(text, { time: `x-timestamp:${time}000` }))),
    'v2 base64': signed(['mac_base64'], `v2=${base64(hmac(utf8(secret), utf8(withBody(text))))}`),
    'v2 no prefix': signed(['v2_prefix'], mac(withBody(text)).slice(3)),
    'v2 no HMAC': signed(['no_hmac'], `v2=${sum(withBody(text) + secret)}`),
    'v2 secret without its prefix': signed(['key_bare'], mac(withBody(text), 'example')),
    'v2 body in place of its hash': signed(['body_plain'], mac(withBody('', { body: text }))),
    'v2 short nonce': signed(['nonce'], mac(withBody(text, { nonce: 'x-nonce:short' })), { headers: signed([], mac(withBody(text, { nonce: 'x-nonce:short' }))).headers.map(([n, v]) => (n === 'x-nonce' ? [n, 'short'] : [n, v])) }),
    'v2 a header twice': signed(['twice'], mac(withBody(text)), { headers: [...signed([], mac(withBody(text))).headers, ['x-nonce', nonce]] }),
    'v2 what was signed is known': signed(['differs'], mac(withBody(text).replace('order-1', 'order-2')), { own: withBody(text).replace('order-1', 'order-2') }),

    'webhook right': hook(['right'], hooked(notice)),
    'webhook secret not decoded': hook(['webhook_undecoded'], hooked(notice, utf8(webhookSecret))),
    'webhook body read and written': hook(['restored'], hooked(notice), { body: utf8(JSON.stringify(JSON.parse(notice))) }),
    'webhook body by PHP': hook(['restored'], hooked(notice), { body: utf8(notice.replace('Ayşe / Yılmaz', 'Ay\\u015fe \\/ Y\\u0131lmaz').replace('250.00', '250.0')) }),
    'webhook body with a line feed': hook(['restored'], hooked(notice), { body: utf8(`${notice}\n`) }),
    'webhook with the secret key': hook(['secret_not_webhook', 'wrong_secret'], hooked(notice), { secrets: [secret] }),
    'webhook milliseconds': hook(['header_millis'], hooked(notice), { headers: [['webhook-id', '01A'], ['webhook-timestamp', `${time}000`], ['webhook-signature', hooked(notice)]] }),

    'callback right': called(['right'], sum(api + secret + code + time)),
    'callback without the status': called(['left_out'], sum(`${api}${secret}MAN-0123456789ABCDEF${time}`)),
    'callback in another order': called(['order'], sum(`${api}${secret}${time}${code}`)),
    'callback with another secret': called(['wrong_secret'], sum(`${api}vzs_other${code}${time}`)),
    'callback with another hash in the body': called(['hash_differs'], sum(api + secret + time), { headers: [['x-api-key', api], ['x-timestamp', time], ['x-hash', 'ab'.repeat(32)]] }),
  };
}

/** What the checker says wrongly: a line each. */
export function faults({ judge: judgeOf, readHeaders, readLine }, digest, languages, requests, callbacks) {
  const list = [], judge = (input) => {
    const got = judgeOf(input);
    for (const f of got.findings) {
      for (const { sentences, ways, parts } of languages) {
        const sentence = sentences[f.code] ?? '{none}', names = [...sentence.matchAll(/\{(\w+)\}/g)].map((m) => m[1]);
        const isSaid = names.every((n) => f[n] !== undefined && (n !== 'how' || ways[f.how]) && (n !== 'part' || parts[f.part]));
        if (!isSaid || (f.parts ?? []).some((p) => !parts[p])) list.push(`${JSON.stringify(f)} can not be said`);
      }
    }
    return got;
  }, pairs = (headers) => Object.entries(headers).map(([n, v]) => [n.toLowerCase(), v]);
  const { utf8, unbase64 } = digest;
  for (const v of requests) {
    const key = v.api === 'dealer' ? 'vzds_example' : secret, line = `${v.method} ${v.target}`, headers = pairs(v.headers);
    for (const [kind, header, value] of [['hash', 'x-hash', v.x_hash], ['v2', 'x-signature', v.x_signature]]) {
      const of = (changed) => judge({ kind, line, headers: [...headers, [header, changed]], body: utf8(v.body), secrets: [key] });
      if (!of(value).isRight) list.push(`${v.clause} ${kind}: ${JSON.stringify(of(value))}`);
      if (v.clause === 'E3' && of(value.replace(/.$/, (c) => (c === '0' ? '1' : '0'))).isRight) list.push(`${v.clause} ${kind}: a wrong one is right`);
    }
    const shown = judge({ kind: 'v2', line, headers: [...headers, ['x-signature', v.x_signature]], body: utf8(v.body), secrets: [key] }).shown;
    if (shown[0].value !== v.string_to_sign) list.push(`${v.clause}: the string to sign is ${shown[0].value}`);
  }
  for (const v of callbacks) {
    const got = judge({
      kind: v.check === 'hash' ? 'callback' : 'webhook', headers: pairs(v.headers), body: v.body_base64 ? unbase64(v.body_base64) : utf8(v.body), secrets: v.secrets, apiKey: v.api_key,
      now: v.now, tolerance: v.tolerance,
    });
    if (got.reason !== v.reason || got.isRight !== (v.reason === '')) list.push(`${v.name}: ${JSON.stringify(got)}, want ${v.reason}`);
    if (!got.isRight && got.findings.length === 0) list.push(`${v.name}: nothing is said`);
  }
  for (const [name, { want, ...input }] of Object.entries(mistakes(digest))) {
    const got = judge(input), codes = got.findings.map((f) => f.code);
    if (want.some((c) => !codes.includes(c)) || got.isRight !== want.includes('right') || codes.length > want.length + 1) list.push(`${name}: ${codes}, want ${want}`);
  }
  const read = readHeaders("curl -X POST 'https://x/y' \\\n  -H 'X-Api-Key: vzp_1' \\\r\n  -H \"X-Hash: ab\" \\\nX-Timestamp:  17 \n  \n{}");
  if (JSON.stringify(read) !== '[["x-api-key","vzp_1"],["x-hash","ab"],["x-timestamp","17"]]') list.push(`headers: ${JSON.stringify(read)}`);
  for (const [text, want] of [["curl -sS -X POST 'https://x/y?a=b' \\\n -H 'A: b'", 'POST https://x/y?a=b'], ['GET /y?a HTTP/1.1\nHost: x', 'GET /y?a'], ['X-Hash: 1', '']]) {
    if (readLine(text) !== want) list.push(`${text} is read as ${readLine(text)}`);
  }
  const shape = (words) => Object.entries(words).map(([name, table]) => `${name}: ${Object.entries(table).map(([code, text]) => code + (text.match(/\{\w+\}/g) ?? []).sort()).sort()}`).join();
  if (languages.some((words) => shape(words) !== shape(languages[0]))) list.push('the languages have not the same sentences');
  return list;
}
