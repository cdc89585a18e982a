// The withdrawal desk: claim one, pay it at the bank, and record it; who has what, and for how long yet, is seen by all.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ask } from '../api/client';
import { useHouse } from '../shell/house';
import { Copy } from '../ui/Copy';
import { Age, inFours } from '../ui/facts';
import { Icon } from '../ui/Icon';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { useWords } from '../words/words';
import { Holder } from './Claim';
import { Decide, useTitleOf } from './Decide';
import { DepositsChangedDocument, DeskDocument, DeskLoadsDocument, type DecisionName, type DeskFilter, type DeskQuery } from './deciding.generated';
import { asDesk, deskFilters } from './filters';
import { byDealer } from './pick';

type Row = NonNullable<DeskQuery['deskWithdrawals']>['nodes'][number];

interface Deciding { code: string; name: DecisionName }

/** nextOf is what a person does with a row next; undefined: a colleague has it. */
function nextOf({ claim }: Row): DecisionName | undefined {
  if (claim?.isOwn && !claim.awaitsApproval) return 'COMPLETE_WITHDRAWAL';
  return claim?.isHeld || claim?.awaitsApproval ? undefined : 'CLAIM_WITHDRAWAL';
}

export function Desk() {
  const { may, member } = useHouse();
  const search = getRouteApi('/desk').useSearch();
  const [deciding, setDeciding] = useState<Deciding>();
  const mayDecide = may({ needs: ['WITHDRAWALS_DECIDE'] });
  const seesDealers = member.dealerId === null && may({ needs: ['DEALERS_READ'] });
  const list = useMemo(() => defineList({
    title: 'desk.title',
    path: '/desk',
    filters: seesDealers ? [...deskFilters, byDealer] : deskFilters,
    operation: DeskDocument,
    variables: (s, page) => ({ filter: asDesk(s), ...page }),
    page: (result) => result.deskWithdrawals,
    keyOf: (row) => row.trackingCode,
    rowPath: (row) => `/transactions/${row.trackingCode}`,
    live: { operation: DepositsChangedDocument, variables: () => ({ filter: { method: ['MANUAL_WITHDRAWAL', 'EIBAN_WITHDRAWAL'] } }) },
    views: {
      list: 'DESK_WITHDRAWALS', filterOf: (s) => asDesk(s),
      searchOf: (filter) => {
        const f = filter as DeskFilter;
        return {
          ...(f.isMine && { mine: 'true' }), ...(f.isFree && { free: 'true' }), ...(f.awaitsApproval && { second: 'true' }),
          ...(f.dealerId && { dealer: f.dealerId }),
        };
      },
    },
    none: 'desk.none',
    className: 'deciding',
    columns: [
      { name: 'deciding.waits', className: 'cell-age', cell: (row) => <Age at={row.createdAt} /> },
      { name: 'transactions.amount', className: 'number cell-amount', cell: (row) => <Amount of={row} /> },
      {
        name: 'transactions.customer', className: 'cell-customer',
        cell: (row) => <><b>{row.customer.fullname}</b> <span className="second muted">{row.dealer?.name ?? row.provider?.name}</span></>,
      },
      { name: 'transaction.iban', className: 'cell-account', cell: (row) => <Iban of={row} /> },
      { name: 'desk.who', className: 'cell-way', cell: (row) => <Holder claim={row.claim} /> },
      { name: 'transactions.code', className: 'cell-code', cell: (row) => <RowLink>{row.trackingCode}</RowLink> },
      ...(mayDecide ? [{ name: 'deciding.decide' as const, className: 'cell-do', cell: (row: Row) => <Next of={row} decide={setDeciding} /> }] : []),
    ],
  }), [mayDecide, seesDealers]);
  const take = (row: Row) => {
    const name = nextOf(row);
    if (name) setDeciding({ code: row.trackingCode, name });
  };
  return (
    <>
      <ListScreen
        list={list} search={search} above={<Loads />}
        keys={mayDecide ? { a: take, r: (row) => setDeciding({ code: row.trackingCode, name: 'REJECT_WITHDRAWAL' }) } : undefined}
      />
      {deciding && <Decide key={`${deciding.code} ${deciding.name}`} {...deciding} close={() => setDeciding(undefined)} />}
    </>
  );
}

function Amount({ of }: { of: Row }) {
  const { money } = useWords();
  return <>{money(of.amount, of.currency)}</>;
}

function Iban({ of }: { of: Row }) {
  const { say } = useWords();
  if (of.iban === null) return null;
  return (
    <span className="with-copy">
      <span className="iban">{inFours(of.iban)}</span><Copy name={say('transaction.iban')} text={of.iban} />
      {of.isIbanSuspect && <strong className="problem with-icon"><Icon name="warning" />{say('transaction.suspect')}</strong>}
    </span>
  );
}

function Next({ of: row, decide }: { of: Row; decide: (what: Deciding) => void }) {
  const { say } = useWords();
  const title = useTitleOf();
  const name = nextOf(row);
  if (!name) return null;
  const said = name === 'COMPLETE_WITHDRAWAL' ? say('desk.pay') : title(name, row.claim?.isOwn ? null : row.claim);
  return (
    <button
      type="button" className={row.claim && !row.claim.isOwn ? 'button' : 'button primary'} aria-label={`${said}: ${row.customer.fullname}`}
      onClick={() => decide({ code: row.trackingCode, name })}
    >
      <Icon name={name === 'COMPLETE_WITHDRAWAL' ? 'send' : 'person'} />{said}
    </button>
  );
}

/** Loads are what waits on the desks that one sees. */
function Loads() {
  const { say, money } = useWords();
  const { installation } = useHouse();
  const found = useQuery({
    queryKey: ['/desk', 'loads'], queryFn: ({ signal }) => ask(DeskLoadsDocument, {}, signal), select: (data) => data.withdrawalDesk ?? [],
  });
  const list = found.data ?? [];
  if (list.length === 0) return null;
  const [currency = 'TRY'] = installation.currencies;
  return (
    <ul className="loads">
      {list.map((d) => (
        <li key={d.dealerId}>
          <b>{d.dealer?.name ?? d.dealerId}</b>
          <span>{money(d.amount, currency)}</span>
          <span className="muted">
            {say('desk.load', { free: d.waitingCount + d.lapsedCount, claimed: d.claimedCount })}
            {d.awaitingApprovalCount > 0 && ` · ${say('desk.loadSecond', { count: d.awaitingApprovalCount })}`}
            {d.oldestFreeAt !== null && <> · {say('home.oldest')} <Age at={d.oldestFreeAt} /></>}
          </span>
        </li>
      ))}
    </ul>
  );
}
