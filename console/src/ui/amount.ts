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
