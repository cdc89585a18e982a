// What a person may mean by what they type into the search box: amounts, days, codes, names, screens.
import { CalendarDate, today } from '@internationalized/date';
import { readAmount } from '../ui/amount';
import type { Search } from '../ui/list/filters';
import type { Language } from '../words/words';

export interface Meaning {
  /** What is said of it: a word of the console, and its value. */
  as: 'amount' | 'day' | 'text';
  value: string;
  search: Search;
}

const named: Record<string, number> = { today: 0, bugün: 0, bugun: 0, yesterday: -1, dün: -1, dun: -1 };

/** readDay is the day that was meant: yesterday, dün, 24.11, 24.11.2026, 2026-11-24. A day without its year is the last such day. */
export function readDay(written: string, zone: string, language: Language): CalendarDate | undefined {
  const now = today(zone);
  const text = written.trim().toLocaleLowerCase(language);
  const by = named[text];
  if (by !== undefined) return now.add({ days: by });
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return exact(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const short = /^(\d{1,2})[./](\d{1,2})(?:[./](\d{4}))?\.?$/.exec(text);
  if (!short) return undefined;
  const [day, month] = [Number(short[1]), Number(short[2])];
  if (short[3] !== undefined) return exact(Number(short[3]), month, day);
  const thisYear = exact(now.year, month, day);
  return thisYear && thisYear.compare(now) > 0 ? exact(now.year - 1, month, day) : thisYear;
}

function exact(year: number, month: number, day: number): CalendarDate | undefined {
  if (month < 1 || month > 12 || day < 1) return undefined;
  const date = new CalendarDate(year, month, day); // it puts the 31st of a short month on its last day
  return date.day === day && date.month === month ? date : undefined;
}

/** meaningsOf are what a text may mean for the list of transactions, the likeliest first. */
export function meaningsOf(written: string, zone: string, language: Language): Meaning[] {
  const text = written.trim();
  if (text === '') return [];
  const meanings: Meaning[] = [];
  const day = readDay(text, zone, language);
  if (day) meanings.push({ as: 'day', value: day.toString(), search: { from: day.toString(), until: day.toString() } });
  const amount = readAmount(text, language);
  if (amount !== undefined) meanings.push({ as: 'amount', value: amount, search: { min: amount, max: amount } });
  meanings.push({ as: 'text', value: text, search: { q: text } });
  return meanings;
}
