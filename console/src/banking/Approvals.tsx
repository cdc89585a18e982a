// The inbox of what takes a second person: what would change, who asks, and the answer.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ask } from '../api/client';
import {
  ApprovalDocument, ApprovalsChangedDocument, ApprovalsDocument, ApproveRequestDocument, RefuseRequestDocument, TakeResultDocument,
  WithdrawRequestDocument, type ApprovalFilter, type ApprovalQuery, type ApprovalsQuery, type TakeResultMutation,
} from './banking.generated';
import { useHouse } from '../shell/house';
import { useKeys } from '../shell/keys';
import { useAct } from '../ui/act';
import { Fact, Moment } from '../ui/facts';
import { Icon } from '../ui/Icon';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { Refused, Waiting } from '../ui/State';
import { Trouble } from '../ui/Form';
import { useWords, writeDecimal } from '../words/words';
import { approvalFilters, approvalsOf, approvalTones, asApprovals } from './filters';
import { Badge, CodeLink, useMoneyOf } from './kit';

type Row = NonNullable<ApprovalsQuery['approvals']>['nodes'][number];
type Request = NonNullable<ApprovalQuery['approval']>;

const PATH = '/approvals';

const approvals = defineList({
  title: 'banking.approvals',
  path: PATH,
  filters: approvalFilters,
  operation: ApprovalsDocument,
  variables: (s, page) => ({ filter: asApprovals(s), ...page }),
  page: (result) => result.approvals,
  keyOf: (row) => row.id,
  live: { operation: ApprovalsChangedDocument },
  none: 'banking.noApprovals',
  views: { list: 'APPROVALS', filterOf: asApprovals, searchOf: (filter) => approvalsOf(filter as ApprovalFilter) },
  className: 'pair',
  columns: [
    { name: 'banking.action', className: 'cell-what', cell: (row) => <What of={row} /> },
    {
      name: 'transactions.amount', className: 'cell-sum',
      cell: (row) => <><b><Sum of={row.amount} /></b><span className="second muted"><Moment at={row.createdAt} /></span></>,
    },
  ],
});

export function Approvals() {
  return <ListScreen list={approvals} search={getRouteApi(PATH).useSearch()} beside={(id) => <Shown id={id} />} />;
}

function What({ of: row }: { of: Row }) {
  const { label } = useHouse();
  return (
    <>
      <RowLink>{row.guards.map((g) => label('GuardedAction', g.action)).join(', ')}</RowLink>
      <span className="second muted">{row.requestedBy.name}</span>
      <span className="second muted">{row.subject.replace(/^payment\//, '')}</span>
      <ApprovalTag of={row} />
    </>
  );
}

function Sum({ of }: { of: Row['amount'] }) {
  const amount = useMoneyOf();
  return <>{of ? amount(of) : ''}</>;
}

function ApprovalTag({ of: row }: { of: Row }) {
  const { say } = useWords();
  const { label } = useHouse();
  return <><Badge tone={approvalTones[row.status]}>{label('ApprovalStatus', row.status)}</Badge>{row.isOwn && <span className="second muted">{say('banking.own')}</span>}</>;
}

/** OneApproval leads to a request in the list, whatever became of it. */
export function OneApproval() {
  const { id } = one.useParams();
  return <Navigate to={PATH} search={{ shown: id, all: 'true' }} replace />;
}

const one = getRouteApi('/approvals/$id');

function Shown({ id }: { id: string }) {
  const found = useQuery({
    queryKey: [PATH, 'one', id], queryFn: ({ signal }) => ask(ApprovalDocument, { id }, signal), select: (data) => data.approval,
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Refused error={found.error} retry={() => void found.refetch()} />;
  return found.data ? <Facts of={found.data} /> : null;
}

// whys are what the API says a guard needs a second person for, whatever the rules say.
const whys = ['exception', 'multiple', 'maximum', 'dealer_cap', 'correction'] as const;
const isWhy = (why: string): why is (typeof whys)[number] => whys.some((w) => w === why);

function Facts({ of: r }: { of: Request }) {
  const { say, time } = useWords();
  const { label: labels } = useHouse();
  const amount = useMoneyOf();
  const [taken, setTaken] = useState<NonNullable<TakeResultMutation['takeApprovalResult']>['credentials']>();
  const approve = useAct(ApproveRequestDocument);
  const refuse = useAct(RefuseRequestDocument);
  const withdraw = useAct(WithdrawRequestDocument);
  const take = useAct(TakeResultDocument, { done: ({ takeApprovalResult: found }) => setTaken(found?.credentials) });
  const reason = useRef<HTMLTextAreaElement>(null);
  const because = () => ({ id: r.id, reason: reason.current?.value.trim() || null });
  const isBusy = approve.isBusy || refuse.isBusy;
  useKeys(r.isForYou && !isBusy ? { a: () => void approve.act({ input: because() }) } : {});
  const code = r.subject.startsWith('payment/') ? r.subject.slice('payment/'.length) : '';
  return (
    <section className="panel" aria-label={say('banking.request')}>
      <p className="headline"><span className="sum">{r.guards.map((g) => labels('GuardedAction', g.action)).join(', ')}</span><Badge tone={approvalTones[r.status]}>{labels('ApprovalStatus', r.status)}</Badge></p>
      <dl className="facts">
        <Fact name={say('banking.action')}>{r.actionLabel}</Fact>
        <Fact name={say('banking.about')}>{code !== '' ? <CodeLink code={code} /> : r.subject}</Fact>
        {r.amount && <Fact name={say('transactions.amount')}>{amount(r.amount)}</Fact>}
        <Fact name={say('banking.asks')}>{r.requestedBy.name}{r.requestedBy.address && <span className="muted">{r.requestedBy.address}</span>}</Fact>
        {r.reason && <Fact name={say('banking.reason')}>{r.reason}</Fact>}
        <Fact name={say('banking.asked')}>{time(r.createdAt)}</Fact>
        {r.status === 'WAITING' && <Fact name={say('banking.lapses')}>{time(r.expiresAt)}</Fact>}
        {r.decidedAt && <Fact name={say('banking.decided')}>{time(r.decidedAt)} {r.decidedBy?.name} {r.decisionReason}</Fact>}
        <Fact name={say('banking.why')}>
          {r.guards.map((g, i) => <span key={i}>{labels('GuardedAction', g.action)}{g.isAlways && ` (${say('banking.always')})`}{g.why && ` – ${isWhy(g.why) ? say(`banking.why.${g.why}`) : g.why}`}</span>)}
        </Fact>
      </dl>
      <h2>{say('banking.difference')}</h2>
      <Difference changes={r.changes} />
      <Trouble text={approve.problem || refuse.problem || withdraw.problem || take.problem} />
      {r.isForYou && (
        <div className="form">
          <label>{say('banking.reason')}<textarea ref={reason} rows={2} maxLength={500} /></label>
          <div className="buttons">
            <button type="button" className="button primary" disabled={isBusy} onClick={() => void approve.act({ input: because() })}>
              {say('banking.approve')}<kbd aria-hidden="true">a</kbd>
            </button>
            <button type="button" className="button" disabled={isBusy} onClick={() => void refuse.act({ input: because() })}>{say('banking.refuse')}</button>
          </div>
        </div>
      )}
      {r.isOwn && r.status === 'WAITING' && (
        <>
          <p className="muted">{say('banking.ownWaits')}</p>
          <button type="button" className="button" disabled={withdraw.isBusy} onClick={() => void withdraw.act({ input: { id: r.id } })}>{say('banking.withdraw')}</button>
        </>
      )}
      {r.isOwn && r.hasResult && !taken && (
        <button type="button" className="button primary" disabled={take.isBusy} onClick={() => void take.act({ input: { id: r.id } })}>{say('banking.take')}</button>
      )}
      {taken && (
        <div className="does" role="status">
          <p><b>{say('banking.shownOnce')}</b></p>
          {taken.map((c) => <p key={c.value}>{labels('CredentialKind', c.credential)}: <code>{c.value}</code></p>)}
        </div>
      )}
    </section>
  );
}

/** Difference is what would change, field by field, and what stays beside it. */
export function Difference({ changes }: { changes: Request['changes'] }) {
  const { say, locale, time } = useWords();
  const { label: labels } = useHouse();
  const [isWhole, setIsWhole] = useState(false);
  const write = (c: Request['changes'][number], value: string | null) => {
    if (value === null) return '–';
    if (c.kind === 'MONEY' && /^-?\d+(\.\d+)?$/.test(value)) return writeDecimal(value, locale);
    if (c.kind === 'TIME') return time(value);
    if (c.kind === 'YES_NO') return say(value === 'true' ? 'banking.yes' : 'banking.no');
    if (c.kind === 'ENUM' && c.enum) return labels(c.enum, value);
    return value;
  };
  const shown = changes.filter((c) => isWhole || c.isDifferent);
  const rest = changes.length - changes.filter((c) => c.isDifferent).length;
  return (
    <>
      {changes.length === 0 && <p className="muted">{say('banking.noDifference')}</p>}
      {shown.length > 0 && (
        <table className="differs">
          <thead><tr><th scope="col">{say('banking.field')}</th><th scope="col">{say('banking.before')}</th><th scope="col">{say('banking.after')}</th></tr></thead>
          <tbody>
            {shown.map((c) => (
              <tr key={c.field}>
                <th scope="row">{c.label}</th>
                <td>{c.isDifferent && c.before !== null ? <del>{write(c, c.before)}</del> : write(c, c.before)}</td>
                <td>{c.isDifferent ? <ins><Icon name="right" /> {write(c, c.after)}</ins> : write(c, c.after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rest > 0 && (
        <button type="button" className="button quiet" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {say(isWhole ? 'banking.lessFields' : 'banking.moreFields', { count: rest })}
        </button>
      )}
    </>
  );
}
