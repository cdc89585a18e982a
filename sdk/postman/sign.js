// Signs every request of the collection. The variable "signing" is v2, which covers all of a request, or hash, which is the contract's.
const get = (name) => pm.variables.replaceIn(pm.variables.get(name) || '');
const header = (name) => pm.variables.replaceIn(pm.request.headers.get(name) || '');
const set = (name, value) => pm.request.headers.upsert({ key: name, value });

// What is signed is what is sent: with the variables filled in, and without the host.
const target = pm.variables.replaceIn(pm.request.url.toString()).replace(/^https?:\/\/[^/?#]*/, '');
const body = pm.request.body && pm.request.body.raw ? pm.variables.replaceIn(pm.request.body.raw) : '';
const isDealer = target.startsWith('/api/dealer/');
const secret = get(isDealer ? 'dealer_secret_key' : 'secret_key');
const timestamp = String(Math.floor(Date.now() / 1000));

set('X-Api-Key', get(isDealer ? 'dealer_api_key' : 'api_key'));
set('X-Timestamp', timestamp);
// An empty key is a new one, and so a new payment. Type one to send the same again.
if (pm.request.headers.has('Idempotency-Key') && !header('Idempotency-Key')) set('Idempotency-Key', pm.variables.replaceIn('{{$guid}}'));

if (get('signing') === 'hash') {
  const parts = [header('X-Api-Key'), secret, header('X-Credential-Key'), header('X-Key'), timestamp];
  set('X-Hash', CryptoJS.SHA256(parts.join('')).toString());
} else {
  const nonce = pm.variables.replaceIn('{{$guid}}');
  set('X-Nonce', nonce);
  const lines = [
    'vezne-request-v2', pm.request.method, target, `x-api-key:${header('X-Api-Key')}`, 'x-site-token:', `x-credential-key:${header('X-Credential-Key')}`,
    `x-key:${header('X-Key')}`, `idempotency-key:${header('Idempotency-Key')}`, `x-timestamp:${timestamp}`, `x-nonce:${nonce}`,
    `sha256:${CryptoJS.SHA256(body).toString()}`,
  ];
  set('X-Signature', `v2=${CryptoJS.HmacSHA256(lines.join('\n'), secret).toString()}`);
}
