// What narrows disputes, as the address has it.
import { ask } from '../api/client';
import type { Tone } from '../ui/facts';
import { wordsOf, type Filter, type Search, type Sorts } from '../ui/list/filters';
import { DisputeGatewaysDocument, type DisputeFilter, type DisputeReason, type DisputeSort, type DisputeState, type EvidenceOutcome } from './disputes.generated';

export const tones: Record<DisputeState, Tone> = {
  INQUIRY: 'waiting', NEEDS_RESPONSE: 'waiting', UNDER_REVIEW: 'waiting', WON: 'good', LOST: 'bad', CLOSED: 'idle', UNKNOWN: 'idle',
};

export const outcomeTones: Record<EvidenceOutcome, Tone> = { PENDING: 'waiting', SUBMITTED: 'good', REFUSED: 'bad', MISSED: 'bad' };

// Records, so that a reason or an order that the API gets or loses fails the type check.
const isReason: Record<DisputeReason, true> = {
  FRAUD: true, UNRECOGNIZED: true, AUTHORIZATION: true, PROCESSING_ERROR: true, DUPLICATE: true, NOT_RECEIVED: true, NOT_AS_DESCRIBED: true,
  CANCELED: true, CREDIT_NOT_ISSUED: true, OTHER: true,
};
const isSort: Record<DisputeSort, true> = { CREATED_DESC: true, EVIDENCE_DUE_ASC: true };

export const sorts: Sorts = { of: 'DisputeSort', values: Object.keys(isSort), first: 'CREATED_DESC' };

export const filters = [
  { kind: 'choice', name: 'state', label: 'disputes.state', of: 'DisputeState', values: Object.keys(tones) },
  { kind: 'choice', name: 'reason', label: 'disputes.reason', of: 'DisputeReason', values: Object.keys(isReason) },
] as const satisfies readonly Filter[];

/** byGateway is for those who may see gateways. */
export const byGateway: Filter = {
  kind: 'pick', name: 'gateway', label: 'disputes.gateway',
  options: async (signal) => (await ask(DisputeGatewaysDocument, {}, signal)).gatewayAccounts ?? [],
};

/** asDisputes is what the API is asked for. */
export const asDisputes = (s: Search): DisputeFilter => ({
  ...(s['state'] && { state: wordsOf(s['state']) as DisputeState[] }), ...(s['reason'] && { reason: wordsOf(s['reason']) as DisputeReason[] }),
  ...(s['gateway'] && { gatewayId: s['gateway'] }),
});

/** disputesOf is what narrows the list as a saved filter does. */
export const disputesOf = (f: DisputeFilter): Search => ({
  ...(f.state?.length && { state: f.state.join() }), ...(f.reason?.length && { reason: f.reason.join() }), ...(f.gatewayId && { gateway: f.gatewayId }),
});
