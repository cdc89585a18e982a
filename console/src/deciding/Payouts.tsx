// Payouts through gateways that wait for staff: to be let go, or for the code that the gateway has sent.
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useHouse } from '../shell/house';
import { Method } from '../transactions/parts';
import { Age, inFours, Tag } from '../ui/facts';
import { Icon } from '../ui/Icon';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { useWords } from '../words/words';
import { Decide } from './Decide';
import { DepositsChangedDocument, PayoutsDocument, type DecisionName, type PayoutsQuery } from './deciding.generated';
import { ways } from './names';
import { Refunds } from './Refunds';

type Row = NonNullable<PayoutsQuery['payoutsToDecide']>['nodes'][number];

interface Deciding { code: string; name: DecisionName }

const nextOf = (row: Row): DecisionName => (row.awaitsApproval ? 'APPROVE_PAYOUT' : 'CONFIRM_PAYOUT');

export function Payouts() {
  const { may } = useHouse();
  const search = getRouteApi('/payouts').useSearch();
  const [deciding, setDeciding] = useState<Deciding>();
  const mayDecide = may({ needs: ['WITHDRAWALS_DECIDE'] });
  const list = useMemo(() => defineList({
    title: 'payouts.title',
    path: '/payouts',
    filters: [],
    operation: PayoutsDocument,
    variables: (_, page) => page,
    page: (result) => result.payoutsToDecide,
    keyOf: (row) => row.trackingCode,
    rowPath: (row) => `/transactions/${row.trackingCode}`,
    live: {
      operation: DepositsChangedDocument,
      variables: () => ({ filter: { method: ['THIRD_PARTY_BANK_WITHDRAWAL', 'THIRD_PARTY_CRYPTO_WITHDRAWAL', 'THIRD_PARTY_WALLET_WITHDRAWAL'] } }),
    },
    none: 'payouts.none',
    className: 'deciding',
    columns: [
      { name: 'deciding.waits', className: 'cell-age', cell: (row) => <Age at={row.createdAt} /> },
      { name: 'transactions.amount', className: 'number cell-amount', cell: (row) => <Amount of={row} /> },
      {
        name: 'transactions.customer', className: 'cell-customer',
        cell: (row) => <><b>{row.customer.fullname}</b> <span className="second muted">{row.provider?.name}</span></>,
      },
      { name: 'payouts.to', className: 'cell-account', cell: (row) => <Payee of={row} /> },
      { name: 'payouts.waitsFor', className: 'cell-way', cell: (row) => <WaitsFor of={row} /> },
      { name: 'transactions.code', className: 'cell-code', cell: (row) => <RowLink>{row.trackingCode}</RowLink> },
      ...(mayDecide ? [{ name: 'deciding.decide' as const, className: 'cell-do', cell: (row: Row) => <Buttons of={row} decide={setDeciding} /> }] : []),
    ],
  }), [mayDecide]);
  return (
    <>
      <ListScreen
        list={list} search={search} above={may({ needs: ['APPROVALS_READ'] }) && <Refunds />}
        keys={mayDecide ? {
          a: (row) => setDeciding({ code: row.trackingCode, name: nextOf(row) }),
          r: (row) => { if (row.awaitsApproval) setDeciding({ code: row.trackingCode, name: 'REJECT_PAYOUT' }); },
        } : undefined}
      />
      {deciding && <Decide key={`${deciding.code} ${deciding.name}`} {...deciding} close={() => setDeciding(undefined)} />}
    </>
  );
}

function Amount({ of }: { of: Row }) {
  const { money } = useWords();
  return <>{money(of.amount, of.currency)}</>;
}

function Payee({ of }: { of: Row }) {
  const to = of.iban === null ? of.payee?.walletAddress ?? of.payee?.walletNumber ?? '' : inFours(of.iban);
  return (
    <>
      <span className="second">{of.payee?.cryptoType ?? <Method of={of.method} />}{of.gateway && ` · ${of.gateway.name}`}</span>
      <span className="iban muted">{to}</span>
    </>
  );
}

function WaitsFor({ of }: { of: Row }) {
  const { say } = useWords();
  return of.awaitsApproval ? <Tag tone="waiting">{say('payouts.forApproval')}</Tag> : <Tag tone="waiting" icon="key">{say('payouts.forCode')}</Tag>;
}

function Buttons({ of: row, decide }: { of: Row; decide: (what: Deciding) => void }) {
  const { say } = useWords();
  const { label } = useHouse();
  const short = (name: DecisionName) => (name === 'CONFIRM_PAYOUT' ? label('DecisionName', name) : say(name === 'APPROVE_PAYOUT' ? 'payouts.approve' : 'payouts.reject'));
  const names: DecisionName[] = row.awaitsApproval ? ['APPROVE_PAYOUT', 'REJECT_PAYOUT'] : ['CONFIRM_PAYOUT'];
  return (
    <span className="row-actions">
      {names.map((name) => (
        <button
          key={name} type="button" className={ways[name].tone === 'primary' ? 'button primary' : 'button refuse'}
          aria-label={`${label('DecisionName', name)}: ${row.customer.fullname}`} onClick={() => decide({ code: row.trackingCode, name })}
        >
          <Icon name={ways[name].icon} />{short(name)}
        </button>
      ))}
    </span>
  );
}
