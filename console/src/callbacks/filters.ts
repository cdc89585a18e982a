import { ask } from '../api/client';
import type { Filter } from '../ui/list/filters';
import { ProvidersToPickDocument } from './callbacks.generated';

export const filters = [
  { kind: 'choice', name: 'status', label: 'callbacks.status', of: 'CallbackStatus', values: ['FAILED', 'SKIPPED'] },
] as const satisfies readonly Filter[];

/** byProvider is for those who may see providers. */
export const byProvider: Filter = {
  kind: 'pick', name: 'provider', label: 'callbacks.provider',
  options: async (signal) => (await ask(ProvidersToPickDocument, {}, signal)).providers?.nodes ?? [],
};
