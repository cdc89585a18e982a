import { ask } from '../api/client';
import type { Filter } from '../ui/list/filters';
import { DealersToPickDocument } from './deciding.generated';

/** byDealer is for those who see more than one dealer's desk. */
export const byDealer: Filter = {
  kind: 'pick', name: 'dealer', label: 'transactions.dealer',
  options: async (signal) => (await ask(DealersToPickDocument, {}, signal)).dealers?.nodes ?? [],
};
