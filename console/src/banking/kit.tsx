// What the banking screens share beside what all screens do: a list beside what is chosen of it, pages, files to download.
import { useQuery, useQueryClient,  } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { ask } from '../api/client';
import { useLive } from '../api/live';
import type { Operation } from '../api/operation';
import { useThrottled } from '../home/work';
import { useAct } from '../ui/act';
import { Icon } from '../ui/Icon';
import { useWords } from '../words/words';
import type { Place, Tone } from './filters';
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

export const PAGE = 50;
export const pageOf = (f: Place) => (f.before ? { last: PAGE, before: f.before } : { first: PAGE, after: f.after ?? null });

interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

export function Pages({ info, turn, isTurned }: { info: PageInfo; turn: (to: Place) => void; isTurned: boolean }) {
  const { say } = useWords();
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = info;
  return (
    <nav className="pages" aria-label={say('list.pages')}>
      {isTurned && <button type="button" className="button quiet" onClick={() => turn({})}>{say('list.first')}</button>}
      <button
        type="button" className="button" disabled={!hasPreviousPage || startCursor === null}
        onClick={() => { if (startCursor !== null) turn({ before: startCursor }); }}
      >
        <Icon name="left" />{say('list.previous')}
      </button>
      <button
        type="button" className="button" disabled={!hasNextPage || endCursor === null}
        onClick={() => { if (endCursor !== null) turn({ after: endCursor }); }}
      >
        {say('list.next')}<Icon name="right" />
      </button>
    </nav>
  );
}

/** CodeLink leads to a transaction. */
export function CodeLink({ code }: { code: string }) {
  return <Link to="/transactions/$code" params={{ code }} search={{}} className="code">{code}</Link>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>;
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

/** useRows moves over the rows of a list by j and k. */
export function rowKeys(list: HTMLElement | null) {
  const move = (by: number) => {
    const all = [...list?.querySelectorAll<HTMLElement>('a.row, button.row') ?? []];
    const at = all.findIndex((one) => one === document.activeElement);
    const to = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
    to?.focus();
    to?.scrollIntoView({ block: 'nearest' });
  };
  return { j: () => move(1), k: () => move(-1) };
}

/** Search is the one box of a list. */
export function SearchBox({ text, label, search }: { text: string; label: string; search: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => { if (input.current) input.current.value = text; }, [text]);
  return (
    <form className="search" role="search" onSubmit={(e) => { e.preventDefault(); search(input.current?.value.trim() ?? ''); }}>
      <Icon name="search" />
      <input
        ref={input} type="search" name="q" defaultValue={text} aria-label={label} placeholder={label} maxLength={200} autoComplete="off"
        spellCheck={false} enterKeyHint="search" onInput={(e) => { if (e.currentTarget.value === '' && text !== '') search(''); }}
      />
    </form>
  );
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
