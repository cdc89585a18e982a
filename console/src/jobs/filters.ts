import { wordsOf, type Filter, type Search } from '../ui/list/filters';
import type { JobFilter, JobKind, JobStatus } from './jobs.generated';

const isKind: Record<JobKind, true> = { RESEND: true, EXPORT: true, EXPORT_STATEMENT: true, EXPORT_LEDGER: true, EXPORT_BANK_LINES: true, EXPORT_STATISTICS: true,
  EXPORT_AUDIT: true };
const isStatus: Record<JobStatus, true> = { QUEUED: true, RUNNING: true, DONE: true, FAILED: true, CANCELED: true };

export const filters = [
  { kind: 'choice', name: 'kind', label: 'jobs.kind', of: 'JobKind', values: Object.keys(isKind) },
  { kind: 'choice', name: 'status', label: 'jobs.status', of: 'JobStatus', values: Object.keys(isStatus) },
] as const satisfies readonly Filter[];

/** asJobs is what the API is asked for, and jobsOf what narrows the list as a saved filter does. */
export const asJobs = (s: Search): JobFilter => ({
  ...(s['kind'] !== undefined && { kind: wordsOf(s['kind']) as JobKind[] }), ...(s['status'] !== undefined && { status: wordsOf(s['status']) as JobStatus[] }),
});
export const jobsOf = (f: JobFilter): Search => ({ ...(f.kind && { kind: f.kind.join() }), ...(f.status && { status: f.status.join() }) });
