// What the banking screens share beside what all screens do: reasons, days, files to download.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { ask } from '../api/client';
import { useLive } from '../api/live';
import type { Operation } from '../api/operation';
import { useThrottled } from '../home/work';
import { useAct } from '../ui/act';
import type { Tone } from '../ui/facts';
import { Icon } from '../ui/Icon';
import { useWords } from '../words/words';
import { ExportDownloadDocument, ExportJobDocument } from './banking.generated';

/** Reason is why something is done. */
export function ReasonField({ label, isRequired = false, name = 'reason' }: { label: string; isRequired?: boolean; name?: string }) {
  return <label>{label}<textarea name={name} rows={2} maxLength={500} required={isRequired} /></label>;
}

export const textOf = (e: FormEvent<HTMLFormElement>, name: string) => String(new FormData(e.currentTarget).get(name) ?? '').trim();

/** useFresh asks again for what has changed, wherever it was changed; many changes are one question. */
export function useFresh(operation: Operation<unknown, never>, keys: readonly string[]) {
  const queries = useQueryClient();
  const refresh = useThrottled(() => { for (const key of keys) void queries.invalidateQueries({ queryKey: [key] }); }, 1000);
  useLive(operation, {} as never, refresh);
}

/** CodeLink leads to a transaction. */
export function CodeLink({ code }: { code: string }) {
  return <Link to="/transactions/$code" params={{ code }} search={{}} className="code">{code}</Link>;
}

/** moneyOf writes an amount of a currency or coin. */
export function useMoneyOf() {
  const { money } = useWords();
  return (m: { amount: string; asset: string } | null | undefined) => (m ? money(m.amount, m.asset) : '–');
}

/** Trouble says why something was not done. */
export function Trouble({ text }: { text: string }) {
  return <div role="alert">{text !== '' && <p className="problem boxed"><Icon name="warning" /><span>{text}</span></p>}</div>;
}

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  const icon = tone === 'good' ? 'check' : tone === 'waiting' ? 'clock' : tone === 'bad' ? 'warning' : 'eye';
  return <span className="statuses"><span className={`status ${tone}`}><Icon name={icon} />{children}</span></span>;
}

/** Pick is one of a few words. */
export function Pick({ label, value, options, choose }: {
  label: string; value: string; options: readonly (readonly [value: string, name: string])[]; choose: (value: string) => void;
}) {
  const id = useId();
  return (
    <span className="pick">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(e) => choose(e.target.value)}>
        {options.map(([v, name]) => <option key={v} value={v}>{name}</option>)}
      </select>
    </span>
  );
}

/** DayField is a day of the shown zone. */
export function DayField({ label, value, choose }: { label: string; value: string; choose: (day: string) => void }) {
  const id = useId();
  return (
    <span className="pick">
      <label htmlFor={id}>{label}</label>
      <input id={id} type="date" value={value} onChange={(e) => choose(e.target.value)} />
    </span>
  );
}

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
          <Icon name="file" />{say(format === 'CSV' ? 'banking.exportCsv' : 'banking.exportExcel')}
        </button>
      ))}
      <span role="status" className="muted">{isUnderWay && say('banking.exporting', { count: found?.done ?? 0 })}</span>
      {job !== undefined && found?.hasFile && (
        <button type="button" className="button primary" disabled={fetched.isBusy} onClick={() => void fetched.act({ input: { jobId: job } })}>
          {say('banking.download')}
        </button>
      )}
      {job !== undefined && found?.status === 'FAILED' && <Trouble text={say('banking.exportFailed')} />}
      <Trouble text={start.problem || fetched.problem} />
    </div>
  );
}
