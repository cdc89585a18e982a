// What narrows these screens, as their addresses have it.
import { ask } from '../api/client';
import type { Tone } from '../ui/facts';
import { dayRange, wordsOf, type Filter, type Search } from '../ui/list/filters';
import {
  BankWalletsDocument, type ApprovalFilter, type ApprovalStatus, type BankLineFilter, type BankLineStatus, type CustomerFilter, type DiscrepancyFilter, type DiscrepancyKind,
  type DiscrepancyStatus, type StatisticsDimension, type TransactionMethod, type WalletFilter,
} from './banking.generated';

export const dayForm = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
export const wordOf = (search: Record<string, unknown>, name: string) => {
  const value = search[name];
  return typeof value === 'string' ? value.trim().slice(0, 200) : '';
};

export const lineTones: Record<BankLineStatus, Tone> = {
  UNMATCHED: 'waiting', DOUBTFUL: 'waiting', MATCHED: 'good', SET_ASIDE: 'idle', UNBOOKED: 'bad', REVERSED: 'bad',
};
export const waiting: BankLineStatus[] = ['UNMATCHED', 'DOUBTFUL'];

/** ALL has a list show what is decided, too. */
const ALL = { kind: 'flag', name: 'all', label: 'banking.decidedToo' } as const satisfies Filter;

const byWallet: Filter = {
  kind: 'pick', name: 'wallet', label: 'banking.wallet',
  options: async (signal) => ((await ask(BankWalletsDocument, {}, signal)).wallets ?? []).map((w) => ({ id: w.id, name: `${w.bankName} ${w.iban.slice(-4)}` })),
};

export const lineFilters: readonly Filter[] = [
  { kind: 'search', name: 'q', label: 'banking.lineSearch', hint: 'banking.lineSearch' },
  { kind: 'choice', name: 'status', label: 'transactions.status', of: 'BankLineStatus', values: Object.keys(lineTones) },
  ALL, byWallet,
  { kind: 'amount', names: ['min', 'max'], label: 'transactions.amount' },
  { kind: 'days', names: ['from', 'until'], label: 'banking.booked' },
];

/** asLines asks for the lines that wait, unless it is said which. */
export function asLines(s: Search, zone: string): BankLineFilter {
  const { from, until } = dayRange(s['from'], s['until'], zone);
  return {
    ...(s['status'] ? { status: wordsOf(s['status']) as BankLineStatus[] } : s['all'] ? {} : { status: waiting }),
    ...(s['q'] && { text: s['q'] }), ...(s['wallet'] && { walletId: s['wallet'] }), ...(s['min'] && { minAmount: s['min'] }),
    ...(s['max'] && { maxAmount: s['max'] }), ...(from && { bookedFrom: from }), ...(until && { bookedUntil: until }),
  };
}

/** linesOf is what the address says of a saved filter of lines. */
export function linesOf(f: BankLineFilter, zone: string): Search {
  const isWaiting = f.status?.length === waiting.length && f.status.every((one) => waiting.includes(one));
  return {
    ...(f.status?.length && !isWaiting ? { status: f.status.join() } : !isWaiting && { all: 'true' }), ...(f.text && { q: f.text }),
    ...(f.walletId && { wallet: f.walletId }), ...(f.minAmount && { min: f.minAmount }), ...(f.maxAmount && { max: f.maxAmount }),
    ...(f.bookedFrom && { from: dayText(f.bookedFrom, zone) }),
    ...(f.bookedUntil && { until: dayText(new Date(Date.parse(f.bookedUntil) - 1).toISOString(), zone) }),
  };
}

export const approvalTones: Record<ApprovalStatus, Tone> = {
  WAITING: 'waiting', APPROVED: 'good', REFUSED: 'bad', WITHDRAWN: 'idle', LAPSED: 'idle', OBSOLETE: 'idle',
};

export const approvalFilters: readonly Filter[] = [
  { kind: 'choice', name: 'status', label: 'transactions.status', of: 'ApprovalStatus', values: Object.keys(approvalTones) },
  ALL,
  { kind: 'flag', name: 'own', label: 'banking.own' },
  { kind: 'flag', name: 'others', label: 'banking.others' },
];

/** asApprovals asks for the requests that wait, unless it is said which. */
export const asApprovals = (s: Search): ApprovalFilter => ({
  ...(s['status'] ? { status: wordsOf(s['status']) as ApprovalStatus[] } : s['all'] ? {} : { status: ['WAITING'] }),
  ...(s['own'] ? { isOwn: true } : s['others'] && { isOwn: false }),
});

export const approvalsOf = (f: ApprovalFilter): Search => ({
  ...(f.status?.length ? f.status.join() !== 'WAITING' && { status: f.status.join() } : { all: 'true' }),
  ...(f.isOwn === true && { own: 'true' }), ...(f.isOwn === false && { others: 'true' }),
});

export const discrepancyTones: Record<DiscrepancyStatus, Tone> = {
  OPEN: 'waiting', ACCEPTED: 'good', REFUNDING: 'waiting', REFUNDED: 'idle', WRITTEN_OFF: 'idle', SETTLED: 'good',
};
// Kinds that only tell something: resolving closes them. A record, so that a new kind fails the type check.
export const isMoney: Record<DiscrepancyKind, boolean> = {
  LATE: true, SURPLUS: true, SHORT: true, OVER: true, OTHER_CURRENCY: true, REVIEW: true, REVERSED: true, REFUND: true, DISPUTE: true,
  RETURNED: true, LATE_PAYOUT: true, MISSING_PAYOUT: true, UNKNOWN: true, CODE_WANTED: true, CREDIT_DIFFERS: true, STUCK: false, UNCONFIRMED: false,
};

export const discrepancyFilters: readonly Filter[] = [
  { kind: 'choice', name: 'status', label: 'transactions.status', of: 'DiscrepancyStatus', values: Object.keys(discrepancyTones) },
  ALL,
  { kind: 'choice', name: 'kind', label: 'banking.kind', of: 'DiscrepancyKind', values: Object.keys(isMoney) },
];

/** asDiscrepancies asks for those that are open, unless it is said which. */
export const asDiscrepancies = (s: Search): DiscrepancyFilter => ({
  ...(s['status'] ? { status: wordsOf(s['status']) as DiscrepancyStatus[] } : s['all'] ? {} : { status: ['OPEN'] }),
  ...(s['kind'] && { kind: wordsOf(s['kind']) as DiscrepancyKind[] }),
});

export const discrepanciesOf = (f: DiscrepancyFilter): Search => ({
  ...(f.status?.length ? f.status.join() !== 'OPEN' && { status: f.status.join() } : { all: 'true' }), ...(f.kind?.length && { kind: f.kind.join() }),
});

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

export const customerFilters: readonly Filter[] = [
  { kind: 'search', name: 'q', label: 'banking.customerSearch', hint: 'banking.customerSearch' },
];

/** asCustomers is what the API is asked for, and customersOf what narrows the list as a saved filter does. */
export const asCustomers = (s: Search): CustomerFilter => ({
  ...(s['q'] !== undefined && { text: s['q'] }), ...(s['provider'] !== undefined && { providerId: s['provider'] }),
});
export const customersOf = (f: CustomerFilter): Search => ({ ...(f.text && { q: f.text }), ...(f.providerId && { provider: f.providerId }) });

export const walletFilters: readonly Filter[] = [
  { kind: 'search', name: 'q', label: 'banking.walletSearch', hint: 'banking.walletSearch' },
  { kind: 'flag', name: 'active', label: 'banking.onlyActive' },
];

/** asWallets is what the API is asked for, and walletsOf what narrows the list as a saved filter does. */
export const asWallets = (s: Search): WalletFilter => ({
  ...(s['q'] !== undefined && { text: s['q'] }), ...(s['active'] === 'true' && { isActive: true }),
});
export const walletsOf = (f: WalletFilter): Search => ({ ...(f.text && { q: f.text }), ...(f.isActive && { active: 'true' }) });

// A record, so that a method that the API gets or loses fails the type check.
const isMethod: Record<TransactionMethod, true> = {
  MANUAL_DEPOSIT: true, MANUAL_WITHDRAWAL: true, EIBAN_DEPOSIT: true, EIBAN_WITHDRAWAL: true, CREDIT_CARD: true,
  THIRD_PARTY_BANK_DEPOSIT: true, THIRD_PARTY_BANK_WITHDRAWAL: true, THIRD_PARTY_CRYPTO_DEPOSIT: true,
  THIRD_PARTY_CRYPTO_WITHDRAWAL: true, THIRD_PARTY_WALLET_DEPOSIT: true, THIRD_PARTY_WALLET_WITHDRAWAL: true, EIBAN_TRANSFER: true,
};
export const methods = Object.keys(isMethod) as TransactionMethod[];

/** dayText is the day of a moment in a zone. */
export const dayText = (at: string, zone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date(at));

export const dimensions = ['METHOD', 'PROVIDER', 'SITE', 'DEALER', 'GATEWAY'] as const satisfies StatisticsDimension[];
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
  site?: string;
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
  for (const name of ['provider', 'site', 'dealer', 'gateway'] as const) put(name, /^\d{1,18}$/);
  return f;
}
