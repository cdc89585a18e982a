// Disputes (chargebacks): where each stands, what has been submitted against it, and what can be done now.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ask } from '../api/client';
import { useMoneyOf } from '../banking/kit';
import { useHouse } from '../shell/house';
import { Shown as FileShown } from '../transactions/Notes';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { Dialog } from '../ui/Dialog';
import { Fact, Facts as List, Moment, Tag } from '../ui/facts';
import { TextArea } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { Loaded } from '../ui/Screen';
import { useWords } from '../words/words';
import { AcceptDisputeDocument, DisputeDocument, DisputesDocument, type DisputeFilter, type DisputeQuery, type DisputesQuery, type DisputeState } from './disputes.generated';
import { Evidence } from './Evidence';
import { asDisputes, byGateway, disputesOf, filters, outcomeTones, sorts, tones } from './filters';

type Row = NonNullable<DisputesQuery['disputes']>['nodes'][number];
export type Dispute = NonNullable<DisputeQuery['dispute']>;

const PATH = '/disputes';

const disputes = defineList({
  title: 'disputes.title',
  path: PATH,
  filters,
  sorts,
  operation: DisputesDocument,
  variables: (s, page) => ({ filter: asDisputes(s), sort: (s['sort'] ?? sorts.first) as 'CREATED_DESC', ...page }),
  page: (result) => result.disputes,
  keyOf: (row) => row.id,
  none: 'disputes.none',
  views: { list: 'DISPUTES', filterOf: asDisputes, searchOf: (filter) => disputesOf(filter as DisputeFilter) },
  className: 'pair',
  columns: [
    { name: 'disputes.state', className: 'cell-what', cell: (row) => <What of={row} /> },
    { name: 'disputes.amount', className: 'cell-sum', cell: (row) => <Sum of={row} /> },
  ],
});

export function Disputes() {
  const { may } = useHouse();
  const list = useMemo(() => ({ ...disputes, filters: may({ needs: ['GATEWAYS_READ'] }) ? [...filters, byGateway] : filters }), [may]);
  return <ListScreen list={list} search={getRouteApi(PATH).useSearch()} beside={(id) => <One id={id} />} />;
}

export function StateTag({ of }: { of: DisputeState }) {
  const { label } = useHouse();
  return <Tag tone={tones[of]}>{label('DisputeState', of)}</Tag>;
}

function What({ of: row }: { of: Row }) {
  const { label } = useHouse();
  return (
    <>
      <RowLink>{row.reason === null ? row.externalId : label('DisputeReason', row.reason)}</RowLink>
      <span className="second muted">{row.transaction?.customer.fullname}</span>
      <span className="second muted">{row.trackingCode}</span>
      <StateTag of={row.state} />
    </>
  );
}

function Sum({ of: row }: { of: Row }) {
  const { say } = useWords();
  const amount = useMoneyOf();
  return (
    <>
      <b>{amount(row.amount)}</b>
      <span className="second muted">
        {row.evidenceDue !== null ? <>{say('disputes.due')} <Moment at={row.evidenceDue} /></> : <Moment at={row.createdAt} />}
      </span>
    </>
  );
}

function One({ id }: { id: string }) {
  const found = useQuery({ queryKey: [PATH, 'one', id], queryFn: ({ signal }) => ask(DisputeDocument, { id }, signal), select: (data) => data.dispute, refetchInterval: 10_000 });
  return <Loaded of={found}>{(d) => <Whole of={d} />}</Loaded>;
}

function Whole({ of: d }: { of: Dispute }) {
  const { say, time, money } = useWords();
  const { label, may } = useHouse();
  const amount = useMoneyOf();
  const [doing, setDoing] = useState<'evidence' | 'accept'>();
  const mayDo = may({ needs: ['DISCREPANCIES_RESOLVE'] });
  const currency = d.transaction?.currency ?? 'TRY';
  const close = () => setDoing(undefined);
  return (
    <div className="stack">
      <section className="panel" aria-label={say('disputes.one')}>
        <p className="headline">
          <span className="sum">{amount(d.amount)}</span>
          <StateTag of={d.state} />
          {d.acceptedAt !== null && d.endedAt === null && <Tag tone="waiting" icon="people">{say('disputes.conceding')}</Tag>}
        </p>
        {mayDo && (d.takesEvidence || d.takesAcceptance) && (
          <div className="buttons">
            {d.takesEvidence && <button type="button" className="button primary" onClick={() => setDoing('evidence')}><Icon name="file" />{say('disputes.submit')}</button>}
            {d.takesAcceptance && <button type="button" className="button" onClick={() => setDoing('accept')}>{say('disputes.accept')}</button>}
          </div>
        )}
        <List>
          {d.trackingCode !== null && (
            <Fact name={say('disputes.transaction')}>
              <Link to="/transactions/$code" params={{ code: d.trackingCode }} search={{}} className="code">{d.trackingCode}</Link>
              {d.transaction && <> {money(d.transaction.amount, currency)} · {label('TransactionStatus', d.transaction.status)}</>}
            </Fact>
          )}
          {d.transaction && <Fact name={say('transactions.customer')}>{d.transaction.customer.fullname}</Fact>}
          {d.reason !== null && <Fact name={say('disputes.reason')}>{label('DisputeReason', d.reason)} <span className="muted">{d.rawReason}</span></Fact>}
          {d.evidenceDue !== null && <Fact name={say('disputes.due')}>{time(d.evidenceDue)}</Fact>}
          {d.withdrawn && <Fact name={say('disputes.withdrawn')}>{amount(d.withdrawn)}</Fact>}
          {d.reinstated && <Fact name={say('disputes.reinstated')}>{amount(d.reinstated)}</Fact>}
          {d.fee && <Fact name={say('disputes.fee')}>{amount(d.fee)}</Fact>}
          {d.taken !== null && <Fact name={say('disputes.taken')}>{money(d.taken, currency)}</Fact>}
          {d.returned !== null && <Fact name={say('disputes.returned')}>{money(d.returned, currency)}</Fact>}
          {d.uncovered !== null && <Fact name={say('disputes.uncovered')}>{money(d.uncovered, currency)}</Fact>}
          {d.gateway && <Fact name={say('disputes.gateway')}>{d.gateway.name}</Fact>}
          <Fact name={say('disputes.id')} copy={d.externalId}><span className="iban">{d.externalId}</span></Fact>
          {d.openedAt !== null && <Fact name={say('disputes.opened')}>{time(d.openedAt)}</Fact>}
          {d.endedAt !== null && <Fact name={say('disputes.ended')}>{time(d.endedAt)}</Fact>}
          {d.acceptedAt !== null && <Fact name={say('disputes.accepted')}>{time(d.acceptedAt)} {d.acceptedBy?.name}</Fact>}
          {d.trouble !== null && <Fact name={say('disputes.trouble')}>{d.trouble}</Fact>}
        </List>
      </section>
      {d.evidence.length > 0 && <Submitted of={d} />}
      <Course of={d} />
      {doing === 'evidence' && <Evidence of={d} close={close} />}
      {doing === 'accept' && <Accept of={d} close={close} />}
    </div>
  );
}

/** Submitted is what staff have submitted, the newest first: who, when, what, and what became of it. */
function Submitted({ of: d }: { of: Dispute }) {
  const { say } = useWords();
  const { label } = useHouse();
  const [shown, setShown] = useState<{ id: string; name: string; type: string }>();
  return (
    <section className="panel" aria-labelledby="evidence">
      <h2 id="evidence">{say('disputes.evidence')}</h2>
      <ul className="lines">
        {d.evidence.toReversed().map((e) => (
          <li key={e.id}>
            <p><Tag tone={outcomeTones[e.outcome]}>{label('EvidenceOutcome', e.outcome)}</Tag></p>
            {e.pieces.map((piece) => {
              const note = d.transaction?.notes?.find((n) => n.id === piece.noteId);
              const file = note?.file;
              return (
                <div key={piece.noteId + piece.kind}>
                  <p className="muted">{label('EvidenceKind', piece.kind)}</p>
                  {file && (
                    <button type="button" className="button" onClick={() => setShown({ id: piece.noteId, name: file.name, type: file.type })}>
                      <Icon name="file" />{file.name}
                    </button>
                  )}
                  {!file && <p className="note-text">{note?.text ?? say('notes.forgotten')}</p>}
                </div>
              );
            })}
            <p className="muted"><Moment at={e.at} />{e.by?.name != null && ` · ${e.by.name}`}</p>
          </li>
        ))}
      </ul>
      {shown && d.trackingCode !== null && (
        <Dialog title={shown.name} isOpen close={() => setShown(undefined)} isWide>
          <FileShown code={d.trackingCode} note={shown.id} name={shown.name} type={shown.type} />
        </Dialog>
      )}
    </section>
  );
}

/** Course is what the transaction's history says of the dispute: "dispute dp_1: needs_response, fraud". */
function Course({ of: d }: { of: Dispute }) {
  const { say, time } = useWords();
  const { label } = useHouse();
  const mark = `dispute ${d.externalId}: `;
  const steps = (d.transaction?.history?.nodes ?? []).filter((h) => h.command === 'DISPUTE' && h.reason?.startsWith(mark));
  if (steps.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="course">
      <h2 id="course">{say('transaction.history')}</h2>
      <ol className="history">
        {steps.map((h, i) => (
          <li key={i}>
            <p><b>{label('DisputeState', h.reason!.slice(mark.length).split(',')[0]!.toUpperCase())}</b></p>
            <p className="muted"><time dateTime={h.at}>{time(h.at)}</time></p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Accept({ of: d, close }: { of: Dispute; close: () => void }) {
  const { say } = useWords();
  const amount = useMoneyOf();
  const [reason, setReason] = useState('');
  const act = useAct(AcceptDisputeDocument, { said: say('disputes.acceptedNow'), done: close });
  return (
    <ActDialog title={say('disputes.accept')} isOpen close={close} act={act} go={say('disputes.accept')} tone="danger"
      submit={() => void act.act({ input: { id: d.id, reason } })}>
      <p>{say('disputes.acceptLead', { amount: amount(d.amount) })}</p>
      <TextArea name="reason" label={say('banking.reason')} value={reason} onChange={setReason} isRequired />
    </ActDialog>
  );
}
