import type { Filter } from '../ui/list/filters';
import type { TransactionMethod } from './gateways.generated';

/** The methods whose payments are routed. */
export const routed: readonly TransactionMethod[] = [
  'CREDIT_CARD', 'THIRD_PARTY_BANK_DEPOSIT', 'THIRD_PARTY_CRYPTO_DEPOSIT', 'THIRD_PARTY_WALLET_DEPOSIT',
];

/** What a payment is supposed to be, as the address has it. */
export const supposed = [
  { kind: 'choice', name: 'method', label: 'transactions.method', of: 'TransactionMethod', values: routed, isOne: true },
  { kind: 'choice', name: 'way', label: 'who.way', of: 'GatewayKind', values: ['BANK', 'CRYPTO', 'WALLET'], isOne: true },
  { kind: 'text', name: 'amount', label: 'transactions.amount', form: /^\d{1,15}(\.\d{1,2})?$/ },
  { kind: 'text', name: 'site', label: 'transaction.site', form: /^\d{1,18}$/ },
  { kind: 'text', name: 'code', label: 'who.code', form: /^[\w-]{1,64}$/ },
] as const satisfies readonly Filter[];
