// Discrepancies: money that does not fit, and what accepting, giving back or writing off does with it, before it is done.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ask } from '../api/client';
import {
  DiscrepanciesDocument, DiscrepancyDocument, RefundDiscrepancyDocument, ResolveDiscrepancyDocument, type DiscrepanciesQuery, type DiscrepancyKind,
  type DiscrepancyQuery, type DiscrepancyStatus,
  DiscrepanciesChangedDocument,
} from './banking.generated';
import { useKeys } from '../shell/keys';
import { useAct } from '../ui/act';
import { Dialog } from '../ui/Dialog';
import { useHouse } from '../shell/house';
import { useTitle } from '../shell/title';
import { Refused, State, Waiting } from '../ui/State';
import { useWords } from '../words/words';
import { discrepancyTones, isMoney, readDiscrepancyFilters, type DiscrepancyFilters } from './filters';
import { Badge, CodeLink, Fact, pageOf, Pages, Pick, ReasonField, rowKeys, textOf, Trouble, useFresh, useMoneyOf } from './kit';

type Row = NonNullable<DiscrepanciesQuery['discrepancies']>['nodes'][number];
type Found = NonNullable<DiscrepancyQuery['discrepancy']>;
type Way = 'ACCEPT' | 'REFUND' | 'WRITE_OFF';

const route = getRouteApi('/discrepancies');

export function Discrepancies() {
  const { say, moment } = useWords();
  const filters = route.useSearch();
  const navigate = useNavigate();
  const { label: labels } = useHouse();
  const amount = useMoneyOf();
  const list = useRef<HTMLUListElement>(null);
  const go = (change: { [Name in keyof DiscrepancyFilters]?: string | undefined }) => void navigate({
    replace: change.id !== undefined, // what is looked at is no step to come back to
    to: '/discrepancies', search: readDiscrepancyFilters({ ...filters, after: undefined, before: undefined, id: undefined, ...change }),
  });
  const filter = {
    ...(filters.status !== 'ANY' && { status: [(filters.status ?? 'OPEN') as DiscrepancyStatus] }),
    ...(filters.kind && { kind: [filters.kind as DiscrepancyKind] }),
  };
  const page = useQuery({
    queryKey: ['discrepancies', { ...filters, id: undefined }],
    queryFn: ({ signal }) => ask(DiscrepanciesDocument, { filter, ...pageOf(filters) }, signal),
    select: (data) => data.discrepancies,
    placeholderData: keepPreviousData,
  });
  useFresh(DiscrepanciesChangedDocument, ['discrepancies', 'discrepancy']);
  useKeys(rowKeys(list.current));
  useTitle(say('banking.discrepancies'));
  const rows = page.data?.nodes ?? [];
  const shown = filters.id ?? rows[0]?.id;
  return (
    <>
      <h1>{say('banking.discrepancies')}</h1>
      <div className="filters">
        <Pick
          label={say('transactions.status')} value={filters.status ?? 'OPEN'} choose={(status) => go({ status })}
          options={[['ANY', say('banking.any')], ...Object.keys(discrepancyTones).map((s) => [s, labels('DiscrepancyStatus', s)] as const)]}
        />
        <Pick
          label={say('banking.kind')} value={filters.kind ?? ''} choose={(kind) => go({ kind })}
          options={[['', say('banking.any')], ...Object.keys(isMoney).map((k) => [k, labels('DiscrepancyKind', k)] as const)]}
        />
      </div>
      {page.isPending && <Waiting />}
      {page.error && <Refused error={page.error} retry={() => void page.refetch()} />}
      {page.data && rows.length === 0 && !filters.id && <State icon="check" title={say('banking.noDiscrepancies')} />}
      {page.data && (rows.length > 0 || filters.id) && (
        <div className="beside">
          <div>
            <ul className="plain-list" ref={list} aria-label={say('banking.discrepancies')}>
              {rows.map((row: Row) => (
                <li key={row.id}>
                  <button
                    type="button" className="row-link row" aria-current={row.id === shown} onClick={() => go({ ...filters, id: row.id })}
                    onFocus={() => { if (row.id !== shown) go({ ...filters, id: row.id }); }}
                  >
                    <b>{labels('DiscrepancyKind', row.kind)}</b><b className="end">{amount(row.seen ?? row.expected)}</b>
                    <span className="muted">{row.transaction?.customer.fullname} · {row.trackingCode}</span><span className="end muted">{moment(row.createdAt)}</span>
                    <Badge tone={discrepancyTones[row.status]}>{labels('DiscrepancyStatus', row.status)}</Badge>
                  </button>
                </li>
              ))}
            </ul>
            <div className="foot"><Pages info={page.data.pageInfo} isTurned={Boolean(filters.after ?? filters.before)} turn={(to) => go(to)} /></div>
          </div>
          {shown && <Shown id={shown} key={shown} />}
        </div>
      )}
    </>
  );
}

function Shown({ id }: { id: string }) {
  const found = useQuery({
    queryKey: ['discrepancy', id], queryFn: ({ signal }) => ask(DiscrepancyDocument, { id }, signal), select: (data) => data.discrepancy,
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Refused error={found.error} retry={() => void found.refetch()} />;
  return found.data ? <Facts of={found.data} /> : null;
}

function Facts({ of: d }: { of: Found }) {
  const { say, time, money } = useWords();
  const { label: labels } = useHouse();
  const amount = useMoneyOf();
  const { member } = useHouse();
  const [way, setWay] = useState<Way>();
  const mayResolve = d.status === 'OPEN' && member.permissions.includes('DISCREPANCIES_RESOLVE');
  const isOfLine = d.lineId !== null;
  const ways: Way[] = isOfLine || !isMoney[d.kind] ? ['WRITE_OFF'] : ['ACCEPT', 'REFUND', 'WRITE_OFF'];
  return (
    <section className="panel" aria-label={say('banking.discrepancy')}>
      <p className="headline">
        <span className="sum">{labels('DiscrepancyKind', d.kind)}</span>
        <Badge tone={discrepancyTones[d.status]}>{labels('DiscrepancyStatus', d.status)}</Badge>
      </p>
      <dl className="facts">
        <Fact name={say('banking.expected')}>{amount(d.expected)}</Fact>
        <Fact name={say('banking.seen')}>{amount(d.seen)}</Fact>
        <Fact name={say('banking.detail')}>{d.detail}</Fact>
        <Fact name={say('banking.belongsTo')}><CodeLink code={d.trackingCode} /></Fact>
        {d.transaction && (
          <Fact name={say('transactions.customer')}>
            {d.transaction.customer.fullname} · {money(d.transaction.amount, d.transaction.currency)} · {labels('TransactionStatus', d.transaction.status)}
          </Fact>
        )}
        {d.gateway && <Fact name={say('banking.gateway')}>{d.gateway.name}</Fact>}
        {d.lineId && <Fact name={say('banking.line')}>{d.lineId}</Fact>}
        <Fact name={say('banking.found')}>{time(d.createdAt)}</Fact>
        {d.resolvedBy && <Fact name={say('banking.decided')}>{time(d.updatedAt)} {d.resolvedBy.name} {d.reason}</Fact>}
      </dl>
      {mayResolve && (
        <>
          <h2>{say('banking.whatToDo')}</h2>
          <div className="buttons">
            {ways.map((w) => <button key={w} type="button" className="button" onClick={() => setWay(w)}>{say(`banking.way.${w}`)}</button>)}
          </div>
        </>
      )}
      {way && <Decision of={d} way={way} close={() => setWay(undefined)} />}
    </section>
  );
}

function Decision({ of: d, way, close }: { of: Found; way: Way; close: () => void }) {
  const { say, money } = useWords();
  const amount = useMoneyOf();
  const resolve = useAct(ResolveDiscrepancyDocument, { done: close });
  const refund = useAct(RefundDiscrepancyDocument, { done: close });
  const t = d.transaction;
  const act = way === 'REFUND' ? refund : resolve;
  return (
    <Dialog isOpen title={say(`banking.way.${way}`)} close={close}>
      <div className="does" aria-label={say('banking.willDo')}>
        <p><b>{say('banking.willDo')}</b></p>
        <ul>
          {way === 'ACCEPT' && d.seen && <li>{say('banking.accept.credits', { amount: amount(d.seen), code: d.trackingCode })}</li>}
          {way === 'ACCEPT' && t && <li>{say('banking.accept.of', { amount: money(t.amount, t.currency) })}</li>}
          {way === 'ACCEPT' && <li>{say('banking.accept.told')}</li>}
          {way === 'REFUND' && <li>{say('banking.refund.leaves', { amount: amount(d.seen), name: d.gateway?.name ?? '–' })}</li>}
          {way === 'REFUND' && <li>{say('banking.refund.stays')}</li>}
          {way === 'WRITE_OFF' && <li>{say('banking.writeOff.nothing')}</li>}
          {way === 'WRITE_OFF' && d.seen && <li>{say('banking.writeOff.stays', { amount: amount(d.seen) })}</li>}
        </ul>
      </div>
      <form className="form" onSubmit={(e) => {
        e.preventDefault();
        const reason = textOf(e, 'reason') || null;
        if (way === 'REFUND') void refund.act({ input: { id: d.id, reason } });
        else void resolve.act({ input: { id: d.id, resolution: way, reason } });
      }}>
        <Trouble text={act.problem} />
        <ReasonField label={say('banking.reason')} isRequired={way === 'WRITE_OFF'} />
        <div className="buttons">
          <button type="submit" className="button primary" disabled={act.isBusy}>{say(`banking.way.${way}`)}</button>
          <button type="button" className="button" onClick={close}>{say('banking.leave')}</button>
        </div>
      </form>
    </Dialog>
  );
}
