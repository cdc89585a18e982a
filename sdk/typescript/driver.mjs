// Does what JSON lines on standard input say, and answers each with a line: the tests and `vezne sdk-check` drive the library so.

import { createInterface } from 'node:readline';
import { Dealer, Provider, VezneError, signHash, signV2, verifyCallback, verifyHash } from './vezne.mjs';

const base64 = (text) => Buffer.from(text).toString('base64');

function client(c, now) {
  const options = { signing: c.signing, language: c.language, ...(now ? { clock: () => now } : {}) };
  const shared = { baseUrl: c.base_url, apiKey: c.api_key, secretKey: c.secret_key, ...options };
  return c.kind === 'dealer'
    ? new Dealer({ ...shared, siteToken: c.site_token })
    : new Provider({ ...shared, credentialKey: c.credential_key, verificationKey: c.verification_key });
}

async function call(step) {
  const name = step.name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  try {
    const a = await client(step.client, step.now)[name](...(step.fields ? [step.fields] : []), ...(step.idempotency_key ? [step.idempotency_key] : []));
    return {
      fields: a.fields, status: a.status, request_id: a.requestId, raw: base64(a.raw), idempotency_key: a.idempotencyKey, is_replayed: a.isReplayed,
    };
  } catch (e) {
    if (!(e instanceof VezneError)) return { refused: e.message };
    return {
      is_error: true, message: e.message, status: e.status, error: e.error, code: e.code, errors: e.errors, request_id: e.requestId,
      raw: base64(e.raw), idempotency_key: e.idempotencyKey, retry_after: e.retryAfter ?? 0, may_repeat: e.mayRepeat,
    };
  }
}

function verify(step) {
  const body = Buffer.from(step.body, 'base64');
  const check = { tolerance: step.tolerance, now: step.now };
  return step.do === 'verify'
    ? verifyCallback(step.headers, body, step.secrets, check)
    : verifyHash(step.headers, body, step.api_key, step.secrets, check);
}

function sign(step) {
  return {
    hash: signHash(step.api_key, step.secret_key, step.middle, step.headers['X-Timestamp']),
    signature: signV2(step.secret_key, step.method, step.target, step.headers, Buffer.from(step.body, 'base64')),
  };
}

const does = { call, verify, 'verify-hash': verify, sign };

for await (const line of createInterface({ input: process.stdin })) {
  const step = JSON.parse(line);
  process.stdout.write(JSON.stringify(await does[step.do](step)) + '\n');
}
