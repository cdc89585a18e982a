// Work on many transactions: how far it is, what it left out, and its file.
import { getRouteApi } from '@tanstack/react-router';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { Moment, Tag, type Tone } from '../ui/facts';
import { Problem } from '../ui/Form';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { useWords } from '../words/words';
import { asJobs, filters, jobsOf } from './filters';
import {
  CancelJobDocument, ExportDownloadDocument, JobsChangedDocument, JobsDocument, type JobFilter, type JobsQuery, type JobStatus,
} from './jobs.generated';

type Job = NonNullable<JobsQuery['jobs']>['nodes'][number];

const tones: Record<JobStatus, Tone> = { QUEUED: 'waiting', RUNNING: 'waiting', DONE: 'good', FAILED: 'bad', CANCELED: 'idle' };

const jobs = defineList({
  title: 'jobs.title',
  path: '/jobs',
  filters,
  operation: JobsDocument,
  variables: (s, page) => ({ filter: asJobs(s), ...page }),
  page: (result) => result.jobs,
  keyOf: (row) => row.id,
  live: { operation: JobsChangedDocument },
  none: 'jobs.none',
  views: { list: 'JOBS', filterOf: asJobs, searchOf: (filter) => jobsOf(filter as JobFilter) },
  columns: [
    { name: 'jobs.kind', cell: (row) => <Kind of={row} /> },
    { name: 'jobs.status', cell: (row) => <Status of={row} /> },
    { name: 'jobs.progress', cell: (row) => <Progress of={row} /> },
    { name: 'jobs.by', cell: (row) => <>{row.startedBy.name}</> },
    { name: 'jobs.created', cell: (row) => <Moment at={row.createdAt} /> },
    { name: 'jobs.actions', cell: (row) => <Actions of={row} /> },
  ],
});

export function Jobs() {
  return <ListScreen list={jobs} search={getRouteApi('/jobs').useSearch()} />;
}

function Kind({ of }: { of: Job }) {
  const { label } = useHouse();
  return <RowLink>{label('JobKind', of.kind)}{of.format !== null && ` · ${of.format}`}</RowLink>;
}

function Status({ of }: { of: Job }) {
  const { label } = useHouse();
  return <Tag tone={tones[of.status]}>{label('JobStatus', of.status)}</Tag>;
}

function Progress({ of }: { of: Job }) {
  const { say } = useWords();
  const { label } = useHouse();
  return (
    <div className="progress">
      {(of.status === 'RUNNING' || of.status === 'QUEUED') && (
        <progress max={100} value={of.percent} aria-label={say('jobs.progress')}>{of.percent} %</progress>
      )}
      <span>
        {say('jobs.done', { done: of.done, total: of.total })}
        {of.failed > 0 && ` · ${say('jobs.failed', { count: of.failed })}`}
      </span>
      {of.skips.map((s) => <span key={s.reason} className="muted">{label('SkipReason', s.reason)}: {s.count}</span>)}
      {of.failures.slice(0, 3).map((f) => <span key={f.trackingCode} className="muted">{f.trackingCode}: {f.code}</span>)}
    </div>
  );
}

function Actions({ of }: { of: Job }) {
  const { say } = useWords();
  const cancel = useAct(CancelJobDocument, { said: say('jobs.canceled') });
  const download = useAct(ExportDownloadDocument, {
    done: ({ exportDownload: file }) => { if (file) location.assign(file.path); },
  });
  return (
    <>
      {of.hasFile && (
        <button type="button" className="button" aria-disabled={download.isBusy} onClick={() => void download.act({ input: { jobId: of.id } })}>
          {say('jobs.download')}
        </button>
      )}
      {(of.status === 'QUEUED' || of.status === 'RUNNING') && (
        <button type="button" className="button" aria-disabled={cancel.isBusy} onClick={() => void cancel.act({ input: { id: of.id } })}>
          {say('jobs.cancel')}
        </button>
      )}
      <Problem of={download} />
      <Problem of={cancel} />
    </>
  );
}
