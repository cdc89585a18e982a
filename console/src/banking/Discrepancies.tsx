// Discrepancies: money that does not fit, and what accepting, giving back or writing off does with it, before it is done.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api/client';
import {
  DiscrepanciesChangedDocument, DiscrepanciesDocument, DiscrepancyDocument, RefundDiscrepancyDocument,
  ResolveDiscrepancyDocument, type DiscrepanciesQuery, type DiscrepancyFilter, type DiscrepancyQuery, type DiscrepancyStatus,
} from './banking.generated';
import { Preview, usePreview } from '../deciding/Preview';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { Dialog } from '../ui/Dialog';
import { Fact, Moment } from '../ui/facts';
import { Icon } from '../ui/Icon';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { Refused, Waiting } from '../ui/State';
import { Trouble } from '../ui/Form';
import { useWords } from '../words/words';
import { asDiscrepancies, discrepanciesOf, discrepancyFilters, discrepancyTones, isMoney } from './filters';
import { Badge, CodeLink, ReasonField, textOf, useMoneyOf } from './kit';

type Row = NonNullable<DiscrepanciesQuery['discrepancies']>['nodes'][number];
type Found = NonNullable<DiscrepancyQuery['discrepancy']>;
type Way = 'ACCEPT' | 'REFUND' | 'WRITE_OFF';

const PATH = '/discrepancies';

const discrepancies = defineList({
  title: 'banking.discrepancies',
  path: PATH,
  filters: discrepancyFilters,
  operation: DiscrepanciesDocument,
  variables: (s, page) => ({ filter: asDiscrepancies(s), ...page }),
  page: (result) => result.discrepancies,
  keyOf: (row) => row.id,
  live: { operation: DiscrepanciesChangedDocument },
  none: 'banking.noDiscrepancies',
  views: { list: 'DISCREPANCIES', filterOf: asDiscrepancies, searchOf: (filter) => discrepanciesOf(filter as DiscrepancyFilter) },
  className: 'pair',
  columns: [
    { name: 'banking.kind', className: 'cell-what', cell: (row) => <What of={row} /> },
    {
      name: 'banking.seen', className: 'cell-sum',
      cell: (row) => <><b><Sum of={row} /></b><span className="second muted"><Moment at={row.createdAt} /></span></>,
    },
  ],
});

export function Discrepancies() {
  return <ListScreen list={discrepancies} search={getRouteApi(PATH).useSearch()} beside={(id) => <Shown id={id} />} />;
}

function What({ of: row }: { of: Row }) {
  const { label } = useHouse();
  return (
    <>
      <RowLink>{label('DiscrepancyKind', row.kind)}</RowLink>
      <span className="second muted">{row.transaction?.customer.fullname}</span>
      <span className="second muted">{row.trackingCode}</span>
      <DiscrepancyTag of={row.status} />
    </>
  );
}

function Sum({ of: row }: { of: Row }) {
  const amount = useMoneyOf();
  return <>{amount(row.seen ?? row.expected)}</>;
}

function DiscrepancyTag({ of }: { of: DiscrepancyStatus }) {
  const { label } = useHouse();
  return <Badge tone={discrepancyTones[of]}>{label('DiscrepancyStatus', of)}</Badge>;
}

function Shown({ id }: { id: string }) {
  const found = useQuery({
    queryKey: [PATH, 'one', id], queryFn: ({ signal }) => ask(DiscrepancyDocument, { id }, signal), select: (data) => data.discrepancy,
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

/** Decision says what a way out does, as the API reckons it from what is stored now, and then does it. */
function Decision({ of: d, way, close }: { of: Found; way: Way; close: () => void }) {
  const { say } = useWords();
  const resolve = useAct(ResolveDiscrepancyDocument, { done: close });
  const refund = useAct(RefundDiscrepancyDocument, { done: close });
  const act = way === 'REFUND' ? refund : resolve;
  const { label } = useHouse();
  const amount = useMoneyOf();
  const preview = usePreview(
    way === 'REFUND' ? { refundDiscrepancy: { id: d.id } } : { resolveDiscrepancy: { id: d.id, resolution: way } },
  );
  return (
    <Dialog isOpen title={say(`banking.way.${way}`)} close={close}>
      <Preview {...preview} receiver={d.transaction?.provider?.name ?? label('ActorKind', 'DEALER')}>
        {way === 'WRITE_OFF' && d.seen && <li><Icon name="wallet" />{say('banking.writeOff.stays', { amount: amount(d.seen) })}</li>}
      </Preview>
      <form className="form" onSubmit={(e) => {
        e.preventDefault();
        const reason = textOf(e, 'reason') || null;
        if (way === 'REFUND') void refund.act({ input: { id: d.id, reason } });
        else void resolve.act({ input: { id: d.id, resolution: way, reason } });
      }}>
        <Trouble text={act.problem} />
        <ReasonField label={say('banking.reason')} isRequired={way === 'WRITE_OFF'} />
        <div className="buttons">
          <button type="submit" className="button primary" disabled={act.isBusy || !preview.outlook}>{say(`banking.way.${way}`)}</button>
          <button type="button" className="button" onClick={close}>{say('banking.leave')}</button>
        </div>
      </form>
    </Dialog>
  );
}
