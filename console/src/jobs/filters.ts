import type { Filter } from '../ui/list/filters';
import type { JobKind, JobStatus } from './jobs.generated';

const isKind: Record<JobKind, true> = { RESEND: true, EXPORT: true, EXPORT_STATEMENT: true, EXPORT_LEDGER: true, EXPORT_BANK_LINES: true, EXPORT_STATISTICS: true,
  EXPORT_AUDIT: true };
const isStatus: Record<JobStatus, true> = { QUEUED: true, RUNNING: true, DONE: true, FAILED: true, CANCELED: true };

export const filters = [
  { kind: 'choice', name: 'kind', label: 'jobs.kind', of: 'JobKind', values: Object.keys(isKind) },
  { kind: 'choice', name: 'status', label: 'jobs.status', of: 'JobStatus', values: Object.keys(isStatus) },
] as const satisfies readonly Filter[];
