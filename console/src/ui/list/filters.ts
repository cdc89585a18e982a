// What narrows a list, as the address has it: ?q=ayse&status=PENDING,PROCESSING&from=2026-03-02. A screen says which filters its
// list has; the address, the chips and the controls follow from that.
import { parseAbsolute, parseDate } from '@internationalized/date';
import type { Key } from '../../words/words';

/** A row that a list can be narrowed to, such as a provider. */
export interface Option { id: string; name: string }

export type Filter =
  /** The search box of the list: one of them at most. */
  | { kind: 'search'; name: string; label: Key; hint: Key }
  /** Words of an enum of the API, several of them or one. */
  | { kind: 'choice'; name: string; label: Key; of: string; values: readonly string[]; isOne?: boolean }
  /** One of the rows of another list. */
  | { kind: 'pick'; name: string; label: Key; options: (signal: AbortSignal) => Promise<readonly Option[]> }
  /** Yes, or not narrowed. */
  | { kind: 'flag'; name: string; label: Key }
  /** Days of the installation's zone, the first and the last of them. */
  | { kind: 'days'; names: readonly [from: string, until: string]; label: Key }
  | { kind: 'amount'; names: readonly [min: string, max: string]; label: Key }
  /** A word that is typed whole. */
  | { kind: 'text'; name: string; label: Key; form?: RegExp };

/** Search is what an address says of a list: filters, `sort`, the page by `after` or `before`, and the row that is `shown` beside it. */
export type Search = Record<string, string | undefined>;

export interface Sorts { of: string; values: readonly string[]; first: string }

const MAX_TEXT = 200;
const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const decimal = /^\d{1,15}(\.\d{1,8})?$/;
const cursor = /^[\w-]{1,200}$/;
const id = /^[\w-]{1,64}$/;

export const namesOf = (f: Filter): readonly string[] => ('names' in f ? f.names : [f.name]);

/** wordsOf are the words of a filter with several. */
export const wordsOf = (value: string | undefined): string[] => (value ? value.split(',') : []);

function isDay(text: string): boolean {
  try {
    return day.test(text) && parseDate(text).toString() === text;
  } catch {
    return false;
  }
}

function readOne(f: Filter, text: string): string {
  switch (f.kind) {
    case 'search': return text;
    case 'text': return (f.form ?? /./).test(text) ? text : '';
    case 'choice': {
      const words = [...new Set(text.split(','))].filter((w) => f.values.includes(w));
      return f.isOne ? words[0] ?? '' : words.join(',');
    }
    case 'pick': return id.test(text) ? text : '';
    case 'flag': return text === 'true' ? text : '';
    case 'days': return isDay(text) ? text : '';
    case 'amount': return decimal.test(text) ? text : '';
  }
}

/** readSearch makes what takes the well-formed part of an address; what is not well formed is left out rather than refused. */
export const readSearch = (filters: readonly Filter[], sorts?: Sorts) => (search: Record<string, unknown>): Search => {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === 'string' ? value.trim().slice(0, MAX_TEXT) : '';
  };
  const read: Search = {};
  const put = (name: string, value: string) => { if (value !== '') read[name] = value; };
  for (const f of filters) for (const name of namesOf(f)) put(name, readOne(f, text(name)));
  const sort = text('sort');
  if (sorts?.values.includes(sort) && sort !== sorts.first) put('sort', sort);
  put('after', cursor.test(text('after')) ? text('after') : '');
  put('shown', text('shown'));
  if (read['after'] === undefined) put('before', cursor.test(text('before')) ? text('before') : '');
  return read;
};

/** withoutPage is a search from its first page on, with nothing shown beside it. */
export function withoutPage({ after: _, before: __, shown: ___, ...rest }: Search): Search {
  return rest;
}

/** isNarrowed reports whether any filter is set. */
export const isNarrowed = (filters: readonly Filter[], search: Search) => (
  filters.some((f) => namesOf(f).some((name) => search[name] !== undefined)));

/** startOf is the first moment of a day of a zone, so many days on. */
export const startOf = (text: string, zone: string, more = 0) => parseDate(text).add({ days: more }).toDate(zone).toISOString();

/** dayOf is the day of a zone that a moment is in, so many days on. */
export const dayOf = (at: string, zone: string, more = 0) => parseAbsolute(at, zone).add({ days: more }).toString().slice(0, 10);

/** dayRange are the moments of a filter of days, for an API that takes from this one and until before that one. */
export const dayRange = (from: string | undefined, until: string | undefined, zone: string) => ({
  from: from === undefined ? null : startOf(from, zone),
  until: until === undefined ? null : startOf(until, zone, 1),
});
