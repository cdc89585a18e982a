// What narrows these screens, as their addresses have it.
import type { ApprovalStatus, BankLineStatus, DiscrepancyKind, DiscrepancyStatus, StatisticsDimension, TransactionMethod } from './banking.generated';

export type Tone = 'good' | 'waiting' | 'bad' | 'idle';

/** Where a page is, as the address has it. */
export interface Place {
  after?: string;
  before?: string;
}

export const dayForm = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
export const wordOf = (search: Record<string, unknown>, name: string) => {
  const value = search[name];
  return typeof value === 'string' ? value.trim().slice(0, 200) : '';
};

export const lineTones: Record<BankLineStatus, Tone> = {
  UNMATCHED: 'waiting', DOUBTFUL: 'waiting', MATCHED: 'good', SET_ASIDE: 'idle', UNBOOKED: 'bad', REVERSED: 'bad',
};
export const waiting: BankLineStatus[] = ['UNMATCHED', 'DOUBTFUL'];

export interface LineFilters extends Place {
  q?: string;
  /** A status, or ANY; those that wait where there is none. */
  status?: string;
  wallet?: string;
  amount?: string;
  from?: string;
  until?: string;
  /** The line that is shown: its wallet and its id. */
  line?: string;
}

export function readLineFilters(search: Record<string, unknown>): LineFilters {
  const filters: LineFilters = {};
  const put = (name: keyof LineFilters, form?: RegExp) => {
    const text = wordOf(search, name);
    if (text !== '' && (!form || form.test(text))) filters[name] = text;
  };
  put('q');
  put('status', new RegExp(`^(ANY|${Object.keys(lineTones).join('|')})$`));
  put('wallet', /^[\w-]{1,64}$/);
  put('amount', /^\d{1,15}(\.\d{1,2})?$/);
  put('from', dayForm);
  put('until', dayForm);
  put('line');
  put('after', /^[\w-]{1,200}$/);
  if (!filters.after) put('before', /^[\w-]{1,200}$/);
  return filters;
}

export const approvalTones: Record<ApprovalStatus, Tone> = {
  WAITING: 'waiting', APPROVED: 'good', REFUSED: 'bad', WITHDRAWN: 'idle', LAPSED: 'idle', OBSOLETE: 'idle',
};

export interface ApprovalFilters extends Place {
  status?: string;
  whose?: string;
  id?: string;
}

export function readApprovalFilters(search: Record<string, unknown>): ApprovalFilters {
  const filters: ApprovalFilters = {};
  const put = (name: keyof ApprovalFilters, form: RegExp) => {
    const text = wordOf(search, name);
    if (form.test(text)) filters[name] = text;
  };
  put('status', new RegExp(`^(ANY|${Object.keys(approvalTones).join('|')})$`));
  put('whose', /^(own|others)$/);
  put('id', /^\w{20,32}$/);
  put('after', /^[\w-]{1,200}$/);
  if (!filters.after) put('before', /^[\w-]{1,200}$/);
  return filters;
}

export const discrepancyTones: Record<DiscrepancyStatus, Tone> = {
  OPEN: 'waiting', ACCEPTED: 'good', REFUNDING: 'waiting', REFUNDED: 'idle', WRITTEN_OFF: 'idle', SETTLED: 'good',
};
// Kinds that only tell something: resolving closes them. A record, so that a new kind fails the type check.
export const isMoney: Record<DiscrepancyKind, boolean> = {
  LATE: true, SURPLUS: true, SHORT: true, OVER: true, OTHER_CURRENCY: true, REVIEW: true, REVERSED: true, REFUND: true, DISPUTE: true,
  RETURNED: true, LATE_PAYOUT: true, MISSING_PAYOUT: true, UNKNOWN: true, CODE_WANTED: true, CREDIT_DIFFERS: true, STUCK: false, UNCONFIRMED: false,
};

export interface DiscrepancyFilters extends Place {
  status?: string;
  kind?: string;
  id?: string;
}

export function readDiscrepancyFilters(search: Record<string, unknown>): DiscrepancyFilters {
  const filters: DiscrepancyFilters = {};
  const put = (name: keyof DiscrepancyFilters, form: RegExp) => {
    const text = wordOf(search, name);
    if (form.test(text)) filters[name] = text;
  };
  put('status', new RegExp(`^(ANY|${Object.keys(discrepancyTones).join('|')})$`));
  put('kind', new RegExp(`^(${Object.keys(isMoney).join('|')})$`));
  put('id', /^\w{20,32}$/);
  put('after', /^[\w-]{1,200}$/);
  if (!filters.after) put('before', /^[\w-]{1,200}$/);
  return filters;
}

export interface WalletFilters {
  day?: string;
  from?: string;
  until?: string;
}

export function readWalletFilters(search: Record<string, unknown>): WalletFilters {
  const filters: WalletFilters = {};
  for (const name of ['day', 'from', 'until'] as const) {
    const text = wordOf(search, name);
    if (dayForm.test(text)) filters[name] = text;
  }
  return filters;
}

export interface CustomerFilters {
  q?: string;
}

export function readCustomerFilters(search: Record<string, unknown>): CustomerFilters {
  const q = wordOf(search, 'q');
  return q === '' ? {} : { q };
}

// A record, so that a method that the API gets or loses fails the type check.
const isMethod: Record<TransactionMethod, true> = {
  MANUAL_DEPOSIT: true, MANUAL_WITHDRAWAL: true, EIBAN_DEPOSIT: true, EIBAN_WITHDRAWAL: true, CREDIT_CARD: true,
  THIRD_PARTY_BANK_DEPOSIT: true, THIRD_PARTY_BANK_WITHDRAWAL: true, THIRD_PARTY_CRYPTO_DEPOSIT: true,
  THIRD_PARTY_CRYPTO_WITHDRAWAL: true, THIRD_PARTY_WALLET_DEPOSIT: true, THIRD_PARTY_WALLET_WITHDRAWAL: true, EIBAN_TRANSFER: true,
};
export const methods = Object.keys(isMethod) as TransactionMethod[];

/** dayText is the day of a moment in a zone. */
export const dayText = (at: string, zone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date(at));

export const dimensions = ['METHOD', 'PROVIDER', 'DEALER', 'GATEWAY'] as const satisfies StatisticsDimension[];
export type Dimension = (typeof dimensions)[number];

/** A gateway is judged from so many payments that have ended: a share of three says nothing. */
export const FLOOR = 20;
/** A share below this is failing. */
export const FAILING = 0.7;

export interface Figures {
  from?: string;
  until?: string;
  by?: string;
  method?: string;
  provider?: string;
  dealer?: string;
  gateway?: string;
}

export function readFigures(search: Record<string, unknown>): Figures {
  const f: Figures = {};
  const put = (name: keyof Figures, form: RegExp) => {
    const text = wordOf(search, name);
    if (form.test(text)) f[name] = text;
  };
  put('from', dayForm);
  put('until', dayForm);
  put('by', new RegExp(`^(${dimensions.join('|')})$`));
  put('method', new RegExp(`^(${methods.join('|')})(,(${methods.join('|')}))*$`));
  for (const name of ['provider', 'dealer', 'gateway'] as const) put(name, /^\d{1,18}$/);
  return f;
}
