// Every word of the console, in Turkish and English, and how numbers and times are written in each.
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { IntlMessageFormat } from 'intl-messageformat';
import en from './en.json';
import tr from './tr.json';

export type Key = keyof typeof en;
export type Language = 'tr' | 'en';

// What en.json has and tr.json lacks fails the type check; a test compares them the other way round.
const catalogues: Record<Language, Record<Key, string>> = { tr, en };
const locales: Record<Language, string> = { tr: 'tr-TR', en: 'en-US' };
const STORED = 'vezne.language';

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
  zone: string;
  turn(to: Language): void;
}

const Context = createContext<Words | null>(null);

export function useWords(): Words {
  const words = useContext(Context);
  if (!words) throw new Error('useWords outside of WordsProvider');
  return words;
}

function firstLanguage(): Language {
  const stored = localStorage.getItem(STORED);
  if (stored === 'tr' || stored === 'en') return stored;
  return navigator.languages.find((l) => /^(tr|en)\b/.test(l))?.startsWith('en') ? 'en' : 'tr';
}

function makeWords(language: Language, turn: (to: Language) => void): Words {
  const locale = locales[language];
  const said = new Map<Key, IntlMessageFormat>();
  const style: Intl.DateTimeFormatOptions = {
    year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23',
  };
  const moments = new Intl.DateTimeFormat(locale, style);
  const { year: _, ...dayAndTime } = style;
  const thisYear = new Intl.DateTimeFormat(locale, dayAndTime);
  const exact = new Intl.DateTimeFormat(locale, { ...style, second: '2-digit' });
  return {
    language,
    locale,
    turn,
    zone: moments.resolvedOptions().timeZone,
    say(key, values) {
      let message = said.get(key);
      if (!message) said.set(key, message = new IntlMessageFormat(catalogues[language][key], locale));
      return String(message.format(values));
    },
    money: (amount, currency) => `${writeDecimal(amount, locale)} ${currency}`,
    moment(at) {
      const date = new Date(at);
      return (date.getFullYear() === new Date().getFullYear() ? thisYear : moments).format(date);
    },
    time: (at) => exact.format(new Date(at)),
  };
}

/** writeDecimal groups the digits of an exact decimal, and keeps all of them. */
export function writeDecimal(amount: string, locale: string): string {
  const decimals = amount.includes('.') ? amount.length - amount.indexOf('.') - 1 : 0;
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return format.format(amount as unknown as number); // a decimal string is formatted exactly, as ECMA-402 says
}

export function WordsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage);
  const words = useMemo(() => makeWords(language, (to) => {
    localStorage.setItem(STORED, to);
    setLanguage(to);
  }), [language]);
  document.documentElement.lang = language;
  useEffect(() => { document.documentElement.lang = language; }, [language]);
  return (
    <Context value={words}>
      <I18nProvider locale={words.locale}>{children}</I18nProvider>
    </Context>
  );
}
