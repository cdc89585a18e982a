import { around, find, fold, read } from '../assets/find.mjs';

const index = read([
  ['/1', 'İmzalar', 'Bir isteği imzalayın', 'IBAN ve şifre; ILIK'],
  ['/2', 'Errors', 'The payment', 'Idempotency key reused (409), see idempotency'],
  ['/3', 'Idempotency', 'Repeat a request', 'the key'],
  ['/4', 'Payments', 'Values', 'a+b (c) [d] \\ $ ^ <i>'],
]);
const check = (name, got, want) => {
  if (JSON.stringify(got) !== JSON.stringify(want)) console.log(`${name}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
};
const found = (query) => find(index, query).map((s) => s.address);
check('fold', [fold('IİıiŞşĞğÜüÖöÇç')], ['iiiissgguuoocc']);
for (const q of ['imza', 'İMZA', 'IMZA', 'ımza', 'sifre', 'ŞİFRE', 'iban', 'ılık', 'ilik']) check(q, found(q), ['/1']);
check('the title counts most', found('idempotency'), ['/3', '/2']);
check('all words', found('key 409'), ['/2']);
check('nothing', found('absent'), []);
check('no words', found('   '), []);
for (const q of ['a+b', '(c)', '[d]', '\\', '$', '^', '<i>']) check(q, found(q), ['/4']);
check('around', around('Bir isteği imzalayın', 'İSTEĞİ', 100), [['Bir ', false], ['isteği', true], [' imzalayın', false]]);
check('around of what is long', around(`${'x'.repeat(300)} ılık`, 'ilik', 42).map(([t]) => t).join(''), `${'x'.repeat(9)} ılık`);
check('around of a title', around('İstek imzası', 'imza', 12), [['İstek ', false], ['imza', true], ['sı', false]]);
check('around of what lacks the word', around('İstek', 'imza', 3), [['İst', false]]);
