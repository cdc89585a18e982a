// The form of the checker. What is typed stays in the page: nothing is sent, kept or put into the address.
import { utf8 } from './digest.mjs';
import { judge, readHeaders, readLine } from './judge.mjs';

const isTurkish = document.documentElement.lang === 'tr';
const { labels, parts, sentences, ways } = await import(isTurkish ? './words-tr.mjs' : './words-en.mjs');
const field = (name) => document.getElementById(`checker-${name}`);
const maxBytes = 64 << 10; // of a body, which the API takes at most

function say(table, code, args = {}) {
  const values = { ...args, how: ways[args.how], part: parts[args.part], parts: args.parts?.map((p) => parts[p]).join(' + ') };
  if (args.value === ' ') values.value = isTurkish ? 'boşluk' : 'a space';
  if (args.value === '\n') values.value = isTurkish ? 'satır sonu' : 'a line break';
  return table[code].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

const element = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

async function bodyBytes() {
  const [file] = field('file').files;
  return file ? new Uint8Array(await file.slice(0, maxBytes + 1).arrayBuffer()) : utf8(field('body').value);
}

async function check() {
  const kind = field('kind').value, secret = field('secret').value, head = field('head').value, clock = field('clock').value.trim();
  const out = field('result'), headers = readHeaders(head);
  out.replaceChildren();
  if (!secret) {
    out.append(element('p', say(labels, 'no_secret')));
    field('secret').focus();
    return;
  }
  const body = await bodyBytes();
  if (body.length > maxBytes) {
    out.append(element('p', say(labels, 'too_large')));
    return;
  }
  const verdict = judge({
    kind, line: readLine(head), headers, body, secrets: [secret], own: field('own').value.replaceAll('\r\n', '\n'),
    now: /^[0-9]{1,12}$/.test(clock) ? Number(clock) : undefined,
  });
  const title = element('h2', say(labels, verdict.isRight ? 'good' : 'bad')), list = document.createElement('ul');
  title.className = verdict.isRight ? 'good' : 'bad';
  for (const { code, ...args } of verdict.findings) {
    const item = element('li', say(sentences, code, args));
    item.dataset.code = code;
    list.append(item);
  }
  const stamp = headers.find(([n]) => n === (kind === 'webhook' ? 'webhook-timestamp' : 'x-timestamp'))?.[1] ?? '';
  const off = Math.round(Math.abs(Date.now() / 1000 - Number(stamp)));
  if (!clock && /^[0-9]{9,11}$/.test(stamp) && off > 300) list.append(element('li', say(labels, 'age', { seconds: off })));
  out.append(title, list);
  for (const { name, value } of verdict.shown) {
    const shown = element('pre', value);
    shown.className = 'scroll';
    shown.tabIndex = 0;
    shown.setAttribute('role', 'group');
    shown.setAttribute('aria-label', say(labels, name));
    out.append(element('h3', say(labels, name)), shown);
  }
  out.focus();
}

function example() {
  field('kind').value = 'hash';
  field('head').value = 'POST /api/provider/start-manual-deposit\nX-Api-Key: vzp_example\nX-Credential-Key: vzc_example\nX-Timestamp: 1772442000\nX-Hash: 698efecf20c736ed715436e44de2b76efe1d1399ec204d8714a64d646f7e7920';
  field('secret').value = 'vzs_example';
  field('body').value = '';
  field('own').value = 'vzp_example:vzs_example:vzc_example:1772442000';
}

document.getElementById('checker').addEventListener('submit', (event) => {
  event.preventDefault();
  check();
});
field('example').addEventListener('click', example);
field('clear').addEventListener('click', () => {
  document.getElementById('checker').reset();
  field('result').replaceChildren();
});
addEventListener('pagehide', () => { field('secret').value = ''; });
