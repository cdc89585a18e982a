// Every word of the console, in Turkish and English, and how numbers and times are written in each. Only the language that is
// shown is loaded.
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { IntlMessageFormat } from 'intl-messageformat';
import { store } from '../api/store';

type Catalogue = typeof import('./en')['default'];
export type Key = keyof Catalogue;
export type Language = 'tr' | 'en';

const catalogues: Record<Language, () => Promise<{ default: Record<Key, string> }>> = {
  tr: () => import('./tr'), en: () => import('./en'),
};
const locales: Record<Language, string> = { tr: 'tr-TR', en: 'en-US' };
const STORED = 'vezne.language';

/** The zone in which times are shown and days begin: the installation's, once it has said so. */
export const zone = store('UTC');

export interface Words {
  language: Language;
  locale: string;
  say(key: Key, values?: Record<string, string | number>): string;
  /** money writes an exact decimal without passing it through a binary fraction. */
  money(amount: string, currency: string): string;
  /** moment leaves the year out where it is this one. */
  moment(at: string): string;
  /** time is whole, to the second. */
  time(at: string): string;
  /** age is how long ago, in its greatest unit: 3 minutes ago. */
  age(at: string, now?: number): string;
  /** span is how long, in its greatest unit: 3 hours. */
  span(seconds: number): string;
  zone: string;
  turn(to: Language): Promise<void>;
}

const Context = createContext<Words | null>(null);

export function useWords(): Words {
  const words = useContext(Context);
  if (!words) throw new Error('useWords outside of WordsProvider');
  return words;
}

/** chosenLanguage is the one that a person chose on this device. */
export function chosenLanguage(): Language | undefined {
  const stored = localStorage.getItem(STORED);
  return stored === 'tr' || stored === 'en' ? stored : undefined;
}

function firstLanguage(): Language {
  return chosenLanguage() ?? (navigator.languages.find((l) => /^(tr|en)\b/.test(l))?.startsWith('en') ? 'en' : 'tr');
}

const units = [['day', 86_400], ['hour', 3600], ['minute', 60], ['second', 1]] as const;

function greatest(seconds: number): [count: number, unit: typeof units[number][0]] {
  const [unit, length] = units.find(([, u]) => Math.abs(seconds) >= u) ?? units[3];
  return [Math.trunc(seconds / length), unit];
}

function makeWords(
  language: Language, catalogue: Record<Key, string>, timeZone: string, turn: Words['turn'],
): Words {
  const locale = locales[language];
  const said = new Map<Key, IntlMessageFormat>();
  const style: Intl.DateTimeFormatOptions = {
    year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone,
  };
  const moments = new Intl.DateTimeFormat(locale, style);
  const { year: _, ...dayAndTime } = style;
  const thisYear = new Intl.DateTimeFormat(locale, dayAndTime);
  const exact = new Intl.DateTimeFormat(locale, { ...style, second: '2-digit' });
  const years = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone });
  const ages = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  return {
    language,
    locale,
    turn,
    zone: timeZone,
    say(key, values) {
      let message = said.get(key);
      if (!message) said.set(key, message = new IntlMessageFormat(catalogue[key], locale));
      return String(message.format(values));
    },
    money: (amount, currency) => `${writeDecimal(amount, locale)} ${currency}`,
    moment(at) {
      const date = new Date(at);
      return (years.format(date) === years.format(new Date()) ? thisYear : moments).format(date);
    },
    time: (at) => exact.format(new Date(at)),
    age(at, now = Date.now()) {
      const [count, unit] = greatest((Date.parse(at) - now) / 1000);
      return ages.format(count, unit);
    },
    span(seconds) {
      const [count, unit] = greatest(seconds);
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
    },
  };
}

/** writeDecimal groups the digits of an exact decimal, and keeps all of them. */
export function writeDecimal(amount: string, locale: string): string {
  const decimals = amount.includes('.') ? amount.length - amount.indexOf('.') - 1 : 0;
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return format.format(amount as unknown as number); // a decimal string is formatted exactly, as ECMA-402 says
}

interface Loaded { language: Language; catalogue: Record<Key, string> }

/** loadWords fetches a language. */
export async function loadWords(language = firstLanguage()): Promise<Loaded> {
  return { language, catalogue: (await catalogues[language]()).default };
}

export function WordsProvider({ first, children }: { first: Loaded; children: ReactNode }) {
  const [{ language, catalogue }, setLoaded] = useState(first);
  const timeZone = zone.use();
  const words = useMemo(() => makeWords(language, catalogue, timeZone, async (to) => {
    setLoaded(await loadWords(to));
    localStorage.setItem(STORED, to);
  }), [language, catalogue, timeZone]);
  document.documentElement.lang = language;
  useEffect(() => { document.documentElement.lang = language; }, [language]);
  return (
    <Context value={words}>
      <I18nProvider locale={words.locale}>{children}</I18nProvider>
    </Context>
  );
}
