// What narrows the list of transactions, as the address has it: ?q=ayse&status=PENDING,PROCESSING&from=2026-03-02.
import type { TransactionFilter, TransactionMethod, TransactionSort, TransactionStatus } from '../api/operations.generated';

// Records, so that a status or a method that the API gets or loses fails the type check.
const isStatus: Record<TransactionStatus, true> = {
  SHOWING: true, PENDING: true, PROCESSING: true, COMPLETED: true, CANCELED: true, EXPIRED: true, REJECTED: true, FAILED: true,
  REFUNDED: true,
};
const isMethod: Record<TransactionMethod, true> = {
  MANUAL_DEPOSIT: true, MANUAL_WITHDRAWAL: true, EIBAN_DEPOSIT: true, EIBAN_WITHDRAWAL: true, CREDIT_CARD: true,
  THIRD_PARTY_BANK_DEPOSIT: true, THIRD_PARTY_BANK_WITHDRAWAL: true, THIRD_PARTY_CRYPTO_DEPOSIT: true,
  THIRD_PARTY_CRYPTO_WITHDRAWAL: true, THIRD_PARTY_WALLET_DEPOSIT: true, THIRD_PARTY_WALLET_WITHDRAWAL: true,
  EIBAN_TRANSFER: true,
};
const isSort: Record<TransactionSort, true> = {
  CREATED_DESC: true, CREATED_ASC: true, UPDATED_DESC: true, UPDATED_ASC: true, AMOUNT_DESC: true, AMOUNT_ASC: true,
};

const keys = <Word extends string>(of: Record<Word, true>) => Object.keys(of) as Word[];
export const statuses = keys(isStatus);
export const methods = keys(isMethod);
export const sorts = keys(isSort);
export const firstSort: TransactionSort = 'CREATED_DESC';

/** Filters are the words of the address, each of them well formed. */
export interface Filters {
  q?: string;
  /** Words with commas between them: the address is read by people. */
  status?: string;
  method?: string;
  /** Days of the shown time zone, both of them within. */
  from?: string;
  until?: string;
  min?: string;
  max?: string;
  sort?: TransactionSort;
  /** The page: behind this row, or ahead of that one. */
  after?: string;
  before?: string;
}

const MAX_TEXT = 200;
const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const decimal = /^\d{1,15}(\.\d{1,8})?$/;
const cursor = /^[\w-]{1,200}$/;

const known = <Word extends string>(of: Record<Word, true>, text: string): Word[] =>
  [...new Set(text.split(','))].filter((word): word is Word => Object.hasOwn(of, word));

/** readFilters takes what is well formed of an address; what is not is left out rather than refused. */
export function readFilters(search: Record<string, unknown>): Filters {
  const text = (name: keyof Filters) => {
    const value = search[name];
    return typeof value === 'string' ? value.trim().slice(0, MAX_TEXT) : '';
  };
  const matching = (name: keyof Filters, form: RegExp) => (form.test(text(name)) ? text(name) : '');
  const filters: Filters = {};
  const put = <Name extends keyof Filters>(name: Name, value: Filters[Name] | '') => {
    if (value !== '' && value !== undefined) filters[name] = value;
  };
  put('q', text('q'));
  put('status', known(isStatus, text('status')).join(','));
  put('method', known(isMethod, text('method')).join(','));
  put('from', matching('from', day));
  put('until', matching('until', day));
  put('min', matching('min', decimal));
  put('max', matching('max', decimal));
  put('sort', known(isSort, text('sort'))[0] ?? '');
  put('after', matching('after', cursor));
  put('before', filters.after ? '' : matching('before', cursor));
  if (filters.sort === firstSort) delete filters.sort;
  return filters;
}

export const statusesOf = (f: Filters) => known(isStatus, f.status ?? '');
export const methodsOf = (f: Filters) => known(isMethod, f.method ?? '');

/** narrowed is another filter, from its first page on. */
export function narrowed(filters: Filters, change: { [Name in keyof Filters]?: Filters[Name] | undefined }): Filters {
  return readFilters({ ...filters, after: undefined, before: undefined, ...change });
}

/** hasFilter reports whether anything narrows the list. */
export const hasFilter = (f: Filters) => Boolean(f.q ?? f.status ?? f.method ?? f.from ?? f.until ?? f.min ?? f.max);

/** startOf is the first moment of a day of the shown zone, so many days on. */
function startOf(text: string, more = 0): string {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
  return new Date(year, month - 1, date + more).toISOString();
}

/** asFilter is what the API is asked for. */
export function asFilter(f: Filters): TransactionFilter {
  const filter: TransactionFilter = {};
  if (f.q) filter.text = f.q;
  if (f.status) filter.status = statusesOf(f);
  if (f.method) filter.method = methodsOf(f);
  if (f.from) filter.createdFrom = startOf(f.from);
  if (f.until) filter.createdUntil = startOf(f.until, 1);
  if (f.min) filter.minAmount = f.min;
  if (f.max) filter.maxAmount = f.max;
  return filter;
}
