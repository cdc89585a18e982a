// What narrows the lists of what waits for a decision.
import { dayRange, wordsOf, type Filter, type Search, type Sorts } from '../ui/list/filters';
import type { DeskFilter, TransactionFilter, TransactionMethod, TransactionSort } from './deciding.generated';

const methods = ['MANUAL_DEPOSIT', 'EIBAN_DEPOSIT'] as const satisfies readonly TransactionMethod[];

export const depositFilters = [
  { kind: 'search', name: 'q', label: 'transactions.search', hint: 'transactions.searchHint' },
  { kind: 'choice', name: 'method', label: 'transactions.method', of: 'TransactionMethod', values: methods },
  { kind: 'amount', names: ['min', 'max'], label: 'transactions.amount' },
  { kind: 'days', names: ['from', 'until'], label: 'transactions.created' },
] as const satisfies readonly Filter[];

export const depositSorts: Sorts = {
  of: 'TransactionSort', first: 'CREATED_ASC',
  values: ['CREATED_ASC', 'CREATED_DESC', 'AMOUNT_DESC', 'AMOUNT_ASC'] satisfies TransactionSort[],
};

/** asDeposits asks for the deposits of which the customer says that they are paid. */
export function asDeposits(s: Search, zone: string): TransactionFilter {
  const { from, until } = dayRange(s['from'], s['until'], zone);
  return {
    status: ['PROCESSING'],
    method: s['method'] ? wordsOf(s['method']) as TransactionMethod[] : [...methods],
    ...(s['q'] && { text: s['q'] }), ...(s['min'] && { minAmount: s['min'] }), ...(s['max'] && { maxAmount: s['max'] }),
    ...(from && { createdFrom: from }), ...(until && { createdUntil: until }), ...(s['provider'] && { providerId: s['provider'] }),
  };
}

export const deskFilters = [
  { kind: 'flag', name: 'mine', label: 'desk.onlyMine' },
  { kind: 'flag', name: 'free', label: 'desk.onlyFree' },
  { kind: 'flag', name: 'second', label: 'desk.onlySecond' },
] as const satisfies readonly Filter[];

export function asDesk(s: Search): DeskFilter {
  return {
    ...(s['mine'] && { isMine: true }), ...(s['free'] && { isFree: true }), ...(s['second'] && { awaitsApproval: true }),
    ...(s['dealer'] && { dealerId: s['dealer'] }),
  };
}
