import { readFileSync } from 'node:fs';
import * as digest from '../assets/digest.mjs';
import * as judge from '../assets/judge.mjs';
import * as english from '../assets/words-en.mjs';
import * as turkish from '../assets/words-tr.mjs';
import { faults } from './cases.mjs';

const vectors = (name) => JSON.parse(readFileSync(new URL(`../../../../sdk/vectors/${name}.json`, import.meta.url)))[name];
for (const name of ['judge', 'hashes', 'signatures']) {
  const code = readFileSync(new URL(`../assets/${name}.mjs`, import.meta.url), 'utf8');
  for (const [, said] of code.matchAll(/say\('(\w+)'/g)) if (!english.sentences[said]) console.log(`${said} has no sentence`);
}
for (const fault of faults(judge, digest, [english, turkish], vectors('requests'), vectors('callbacks'))) console.log(fault);
