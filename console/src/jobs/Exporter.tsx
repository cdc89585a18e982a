// A list as a file: the job that writes it, and the file.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api/client';
import type { Operation } from '../api/operation';
import { useAct } from '../ui/act';
import { Trouble } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { useWords } from '../words/words';
import { ExportDownloadDocument, ExportJobDocument } from './jobs.generated';

/** Exporter writes a list into a file and hands it over: it waits for the job, and then offers the file. */
export function Exporter<Variables extends object>({ order, operation }: {
  order: (format: 'CSV' | 'XLSX') => Variables; operation: Operation<Record<string, { job: { id: string } } | null>, Variables>;
}) {
  const { say } = useWords();
  const [job, setJob] = useState<string>();
  const start = useAct(operation, { done: (result) => setJob(Object.values(result)[0]?.job.id) });
  const fetched = useAct(ExportDownloadDocument, {
    done: ({ exportDownload: file }) => {
      setJob(undefined);
      if (file) location.assign(file.path);
    },
  });
  const state = useQuery({
    queryKey: ['export', job],
    enabled: job !== undefined,
    queryFn: ({ signal }) => ask(ExportJobDocument, { id: job ?? '' }, signal),
    refetchInterval: (q) => (q.state.data?.job?.status === 'QUEUED' || q.state.data?.job?.status === 'RUNNING' ? 500 : false),
  });
  const found = state.data?.job;
  const isUnderWay = job !== undefined && (!found || found.status === 'QUEUED' || found.status === 'RUNNING');
  return (
    <div className="export">
      {(['XLSX', 'CSV'] as const).map((format) => (
        <button
          key={format} type="button" className="button" disabled={start.isBusy || isUnderWay}
          onClick={() => { fetched.clear(); setJob(undefined); void start.act(order(format)); }}
        >
          <Icon name="file" />{say(format === 'CSV' ? 'jobs.exportCsv' : 'jobs.exportExcel')}
        </button>
      ))}
      <span role="status" className="muted">{isUnderWay && say('jobs.exporting', { count: found?.done ?? 0 })}</span>
      {job !== undefined && found?.hasFile && (
        <button type="button" className="button primary" disabled={fetched.isBusy} onClick={() => void fetched.act({ input: { jobId: job } })}>
          {say('jobs.download')}
        </button>
      )}
      {job !== undefined && found?.status === 'FAILED' && <Trouble text={say('jobs.exportFailed')} />}
      <Trouble text={start.problem || fetched.problem} />
    </div>
  );
}
