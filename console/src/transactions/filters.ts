// What narrows the list of transactions.
import type { Filter, Search, Sorts } from '../ui/list/filters';
import { dayOf, dayRange, wordsOf } from '../ui/list/filters';
import type { TransactionFilter, TransactionMethod, TransactionSort, TransactionStatus } from './transactions.generated';

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

export const filters = [
  { kind: 'search', name: 'q', label: 'transactions.search', hint: 'transactions.searchHint' },
  { kind: 'choice', name: 'status', label: 'transactions.status', of: 'TransactionStatus', values: Object.keys(isStatus) },
  { kind: 'choice', name: 'method', label: 'transactions.method', of: 'TransactionMethod', values: Object.keys(isMethod) },
  { kind: 'days', names: ['from', 'until'], label: 'transactions.created' },
  { kind: 'amount', names: ['min', 'max'], label: 'transactions.amount' },
  { kind: 'days', names: ['finishedFrom', 'finishedUntil'], label: 'transactions.finished' },
] as const satisfies readonly Filter[];

export const sorts: Sorts = { of: 'TransactionSort', values: Object.keys(isSort), first: 'CREATED_DESC' };

/** asFilter is what the API is asked for. */
export function asFilter(s: Search, zone: string): TransactionFilter {
  const filter: TransactionFilter = {};
  const created = dayRange(s['from'], s['until'], zone);
  const finished = dayRange(s['finishedFrom'], s['finishedUntil'], zone);
  if (s['q']) filter.text = s['q'];
  if (s['status']) filter.status = wordsOf(s['status']) as TransactionStatus[];
  if (s['method']) filter.method = wordsOf(s['method']) as TransactionMethod[];
  if (created.from) filter.createdFrom = created.from;
  if (created.until) filter.createdUntil = created.until;
  if (finished.from) filter.finishedFrom = finished.from;
  if (finished.until) filter.finishedUntil = finished.until;
  if (s['min']) filter.minAmount = s['min'];
  if (s['max']) filter.maxAmount = s['max'];
  if (s['provider']) filter.providerId = s['provider'];
  for (const name of ['providerId', 'siteId', 'dealerId', 'gatewayId'] as const) if (s[name]) filter[name] = s[name];
  return filter;
}

/** searchOf is what narrows the list as a saved filter does. */
export function searchOf(f: TransactionFilter, zone: string): Search {
  const read: Search = {
    q: f.text ?? undefined, status: f.status?.join(), method: f.method?.join(), min: f.minAmount ?? undefined, max: f.maxAmount ?? undefined,
    provider: f.providerId ?? undefined, siteId: f.siteId ?? undefined, dealerId: f.dealerId ?? undefined, gatewayId: f.gatewayId ?? undefined,
  };
  if (f.createdFrom) read['from'] = dayOf(f.createdFrom, zone);
  if (f.createdUntil) read['until'] = dayOf(f.createdUntil, zone, -1);
  if (f.finishedFrom) read['finishedFrom'] = dayOf(f.finishedFrom, zone);
  if (f.finishedUntil) read['finishedUntil'] = dayOf(f.finishedUntil, zone, -1);
  return read;
}
