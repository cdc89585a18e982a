// The inbox of what takes a second person: what would change, who asks, and the answer.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ask } from '../api/client';
import {
  ApprovalDocument, ApprovalsDocument, ApproveRequestDocument, RefuseRequestDocument, TakeResultDocument, WithdrawRequestDocument,
  type ApprovalQuery, type ApprovalStatus, type ApprovalsQuery, type TakeResultMutation,
  ApprovalsChangedDocument,
} from './banking.generated';
import { useKeys } from '../shell/keys';
import { useAct } from '../ui/act';
import { useHouse } from '../shell/house';
import { useTitle } from '../shell/title';
import { Icon } from '../ui/Icon';
import { Refused, State, Waiting } from '../ui/State';
import { useWords, writeDecimal } from '../words/words';
import { approvalTones, readApprovalFilters, type ApprovalFilters } from './filters';
import { Badge, CodeLink, Fact, pageOf, Pages, Pick, rowKeys, Trouble, useFresh, useMoneyOf } from './kit';

type Row = NonNullable<ApprovalsQuery['approvals']>['nodes'][number];
type Request = NonNullable<ApprovalQuery['approval']>;

const route = getRouteApi('/approvals');

export function Approvals() {
  const { say, moment } = useWords();
  const filters = route.useSearch();
  const navigate = useNavigate();
  const { label: labels } = useHouse();
  const amount = useMoneyOf();
  const list = useRef<HTMLUListElement>(null);
  const go = (change: { [Name in keyof ApprovalFilters]?: string | undefined }) => void navigate({
    replace: change.id !== undefined, // what is looked at is no step to come back to
    to: '/approvals', search: readApprovalFilters({ ...filters, after: undefined, before: undefined, id: undefined, ...change }),
  });
  const filter = {
    ...(filters.status !== 'ANY' && { status: [(filters.status ?? 'WAITING') as ApprovalStatus] }), ...(filters.whose && { isOwn: filters.whose === 'own' }),
  };
  const page = useQuery({
    queryKey: ['approvals', { ...filters, id: undefined }],
    queryFn: ({ signal }) => ask(ApprovalsDocument, { filter, ...pageOf(filters) }, signal),
    select: (data) => data.approvals,
    placeholderData: keepPreviousData,
  });
  useFresh(ApprovalsChangedDocument, ['approvals', 'approval']);
  useKeys(rowKeys(list.current));
  useTitle(say('banking.approvals'));
  const rows = page.data?.nodes ?? [];
  const shown = filters.id ?? rows[0]?.id;
  return (
    <>
      <h1>{say('banking.approvals')}</h1>
      <div className="filters">
        <Pick
          label={say('transactions.status')} value={filters.status ?? 'WAITING'} choose={(status) => go({ status })}
          options={[['ANY', say('banking.any')], ...Object.keys(approvalTones).map((s) => [s, labels('ApprovalStatus', s)] as const)]}
        />
        <Pick
          label={say('banking.whose')} value={filters.whose ?? ''} choose={(whose) => go({ whose })}
          options={[['', say('banking.any')], ['own', say('banking.own')], ['others', say('banking.others')]]}
        />
      </div>
      {page.isPending && <Waiting />}
      {page.error && <Refused error={page.error} retry={() => void page.refetch()} />}
      {page.data && rows.length === 0 && !filters.id && <State icon="check" title={say('banking.noApprovals')} />}
      {page.data && (rows.length > 0 || filters.id) && (
        <div className="beside">
          <div>
            <ul className="plain-list" ref={list} aria-label={say('banking.approvals')}>
              {rows.map((row: Row) => (
                <li key={row.id}>
                  <button
                    type="button" className="row-link row" aria-current={row.id === shown} onClick={() => go({ ...filters, id: row.id })}
                    onFocus={() => { if (row.id !== shown) go({ ...filters, id: row.id }); }}
                  >
                    <b>{row.guards.map((g) => labels('GuardedAction', g.action)).join(', ')}</b><b className="end">{row.amount ? amount(row.amount) : ''}</b>
                    <span className="muted">{row.requestedBy.name} · {row.subject.replace(/^payment\//, '')}</span><span className="end muted">{moment(row.createdAt)}</span>
                    <Badge tone={approvalTones[row.status]}>{labels('ApprovalStatus', row.status)}</Badge>
                    {row.isOwn && <span className="end muted">{say('banking.own')}</span>}
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

/** OneApproval leads to a request in the list, whatever became of it. */
export function OneApproval() {
  const { id } = one.useParams();
  return <Navigate to="/approvals" search={{ id, status: 'ANY' }} replace />;
}

const one = getRouteApi('/approvals/$id');

function Shown({ id }: { id: string }) {
  const found = useQuery({
    queryKey: ['approval', id], queryFn: ({ signal }) => ask(ApprovalDocument, { id }, signal), select: (data) => data.approval,
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Refused error={found.error} retry={() => void found.refetch()} />;
  return found.data ? <Facts of={found.data} /> : null;
}

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
        <Fact name={say('banking.action')}><code>{r.action}</code></Fact>
        <Fact name={say('banking.about')}>{code !== '' ? <CodeLink code={code} /> : r.subject}</Fact>
        {r.amount && <Fact name={say('transactions.amount')}>{amount(r.amount)}</Fact>}
        <Fact name={say('banking.asks')}>{r.requestedBy.name}{r.requestedBy.address && <span className="muted">{r.requestedBy.address}</span>}</Fact>
        {r.reason && <Fact name={say('banking.reason')}>{r.reason}</Fact>}
        <Fact name={say('banking.asked')}>{time(r.createdAt)}</Fact>
        {r.status === 'WAITING' && <Fact name={say('banking.lapses')}>{time(r.expiresAt)}</Fact>}
        {r.decidedAt && <Fact name={say('banking.decided')}>{time(r.decidedAt)} {r.decidedBy?.name} {r.decisionReason}</Fact>}
        <Fact name={say('banking.why')}>
          {r.guards.map((g, i) => <span key={i}>{labels('GuardedAction', g.action)}{g.isAlways && ` (${say('banking.always')})`}{g.why && ` – ${g.why}`}</span>)}
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
