import { ask } from '../api/client';
import type { Permission } from '../api/session.generated';
import { byDealer } from '../deciding/pick';
import { dayOf, dayRange, wordsOf, type Filter, type Search } from '../ui/list/filters';
import { CallbackSitesDocument, ProvidersToPickDocument, type CallbackAnswer, type CallbackFilter, type CallbackStatus } from './callbacks.generated';

// Records, so that a status or an answer that the API gets or loses fails the type check.
const isStatus: Record<CallbackStatus, true> = { WAITING: true, FAILED: true, SKIPPED: true, DELIVERED: true, SUPERSEDED: true };
const isAnswer: Record<CallbackAnswer, true> = {
  SUCCESS: true, REDIRECT: true, CLIENT_ERROR: true, SERVER_ERROR: true, NO_ANSWER: true, NO_ATTEMPT: true,
};

export const filters = [
  { kind: 'choice', name: 'status', label: 'callbacks.status', of: 'CallbackStatus', values: Object.keys(isStatus) },
  { kind: 'choice', name: 'answer', label: 'callbacks.answer', of: 'CallbackAnswer', values: Object.keys(isAnswer) },
  { kind: 'days', names: ['from', 'until'], label: 'callbacks.created' },
  { kind: 'flag', name: 'held', label: 'callbacks.held' },
] as const satisfies readonly Filter[];

/** byProvider is for those who may see providers. */
export const byProvider: Filter = {
  kind: 'pick', name: 'provider', label: 'callbacks.provider',
  options: async (signal) => (await ask(ProvidersToPickDocument, {}, signal)).providers?.nodes ?? [],
};

const bySite: Filter = {
  kind: 'pick', name: 'site', label: 'callbacks.site',
  options: async (signal) => ((await ask(CallbackSitesDocument, {}, signal)).providers?.nodes ?? []).flatMap((p) => p.sites ?? []),
};

/** byOwner are the filters for those who may see providers, and dealers. */
export const byOwner = { PROVIDERS_READ: [byProvider, bySite], DEALERS_READ: [byDealer] } as const satisfies Partial<Record<Permission, readonly Filter[]>>;

/** failed are the callbacks that their receivers lack, as the address has them. */
export const failed: Search = { status: 'FAILED,SKIPPED', held: 'true' };

/** asCallbacks is what the API is asked for. */
export function asCallbacks(s: Search, zone: string): CallbackFilter {
  const { from, until } = dayRange(s['from'], s['until'], zone);
  return {
    ...(s['status'] !== undefined && { status: wordsOf(s['status']) as CallbackStatus[] }),
    ...(s['answer'] !== undefined && { answer: wordsOf(s['answer']) as CallbackAnswer[] }),
    ...(s['provider'] !== undefined && { providerId: s['provider'] }),
    ...(s['site'] !== undefined && { siteId: s['site'] }), ...(s['dealer'] !== undefined && { dealerId: s['dealer'] }),
    ...(s['held'] === 'true' && { isReplaced: false }),
    ...(from !== null && { createdFrom: from }), ...(until !== null && { createdUntil: until }),
  };
}

/** callbacksOf is what narrows the list as a saved filter does. */
export function callbacksOf(f: CallbackFilter, zone: string): Search {
  return {
    ...(f.status && { status: f.status.join() }), ...(f.answer && { answer: f.answer.join() }),
    ...(f.providerId && { provider: f.providerId }), ...(f.siteId && { site: f.siteId }), ...(f.dealerId && { dealer: f.dealerId }),
    ...(f.isReplaced === false && { held: 'true' }),
    ...(f.createdFrom && { from: dayOf(f.createdFrom, zone) }), ...(f.createdUntil && { until: dayOf(f.createdUntil, zone, -1) }),
  };
}

const resendable: readonly CallbackStatus[] = ['FAILED', 'SKIPPED', 'DELIVERED'];

/** toResend is what of a filter can be sent again: unless it says otherwise what failed, and never what waits. Undefined: nothing can. */
export function toResend(filter: CallbackFilter): { callbacks: CallbackFilter; status: CallbackStatus[] } | undefined {
  const status = (filter.status ?? ['FAILED', 'SKIPPED']).filter((s) => resendable.includes(s));
  return status.length > 0 ? { callbacks: filter, status } : undefined;
}
