import type { Language } from '../words/words';

// How a person groups the digits of an amount: 1.250,50 in Turkish, 1,250.50 in English.
const grouped: Record<Language, RegExp> = { tr: /^\d{1,3}(\.\d{3})+(,\d+)?$/, en: /^\d{1,3}(,\d{3})+(\.\d+)?$/ };

/** readAmount is the exact decimal that a person wrote; undefined where it is none. */
export function readAmount(written: string, language: Language): string | undefined {
  let text = written.replace(/\s/g, '');
  if (grouped[language].test(text)) text = text.replaceAll(language === 'tr' ? '.' : ',', '');
  text = text.replace(',', '.');
  return /^\d{1,15}(\.\d{1,8})?$/.test(text) ? text : undefined;
}

/** isSame compares exact decimals: 250 is 250.00. */
export function isSame(a: string, b: string): boolean {
  const bare = (text: string) => text.replace(/^0+(?=\d)/, '').replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  return bare(a) === bare(b);
}

/** sumsOf adds exact decimals up, by currency. */
export function sumsOf(rows: readonly { amount: string; currency: string }[]): Map<string, string> {
  const sums = new Map<string, string>();
  for (const { amount, currency } of rows) sums.set(currency, add(sums.get(currency) ?? '0', amount));
  return sums;
}

function add(a: string, b: string): string {
  const decimals = Math.max(a.split('.')[1]?.length ?? 0, b.split('.')[1]?.length ?? 0);
  const minor = (text: string) => {
    const [whole = '0', part = ''] = text.split('.');
    return BigInt(whole + part.padEnd(decimals, '0'));
  };
  const sum = (minor(a) + minor(b)).toString().padStart(decimals + 1, '0');
  return decimals === 0 ? sum : `${sum.slice(0, -decimals)}.${sum.slice(-decimals)}`;
}
