// Runs the collection's script with a stand-in for what Postman gives it, on lines of JSON {script, method, target, headers, body, variables,
// time, nonce}; answers each with the headers that the request has then.
import { createHash, createHmac } from 'node:crypto';
import { createInterface } from 'node:readline';

const digest = (hash) => ({ toString: () => hash.digest('hex') });
const CryptoJS = {
  SHA256: (text) => digest(createHash('sha256').update(text, 'utf8')),
  HmacSHA256: (text, key) => digest(createHmac('sha256', key).update(text, 'utf8')),
};

for await (const line of createInterface({ input: process.stdin })) {
  const r = JSON.parse(line), headers = new Map(Object.entries(r.headers));
  const find = (name) => [...headers.keys()].find((k) => k.toLowerCase() === name.toLowerCase());
  const replaceIn = (text) => text.replace(/\{\{(\$?\w+)\}\}/g, (all, name) => (name === '$guid' ? r.nonce : (r.variables[name] ?? all)));
  const pm = {
    variables: { get: (name) => r.variables[name], replaceIn },
    request: {
      method: r.method, url: { toString: () => `{{base_url}}${r.target}` }, body: r.body ? { mode: 'raw', raw: r.body } : undefined,
      headers: { get: (name) => headers.get(find(name)), has: (name) => find(name) !== undefined, upsert: ({ key, value }) => headers.set(find(key) ?? key, value) },
    },
  };
  new Function('pm', 'CryptoJS', 'Date', r.script)(pm, CryptoJS, { now: () => r.time * 1000 + 999 });
  console.log(JSON.stringify(Object.fromEntries(headers)));
}
