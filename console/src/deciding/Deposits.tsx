// Deposits of which the customer says that they are paid, oldest first: approved or declined one by one, or several at once.
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { byProvider } from '../callbacks/filters';
import { ExportAll } from '../jobs/Export';
import { useHouse } from '../shell/house';
import { Method } from '../transactions/parts';
import { isSame } from '../ui/amount';
import { Age, inFours, Tag } from '../ui/facts';
import { Icon } from '../ui/Icon';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { useWords } from '../words/words';
import { Decide } from './Decide';
import { DepositsChangedDocument, DepositsToDecideDocument, type DepositsToDecideQuery, type TransactionSort } from './deciding.generated';
import { asDeposits, depositFilters, depositSorts } from './filters';
import { Many, ManyButtons, type Deciding as DecidingMany } from './Many';

export type Deposit = NonNullable<DepositsToDecideQuery['transactions']>['nodes'][number];

interface Deciding { code: string; name: 'APPROVE_DEPOSIT' | 'REJECT_DEPOSIT' }

export function Deposits() {
  const { zone } = useWords();
  const { may } = useHouse();
  const search = getRouteApi('/deposits').useSearch();
  const [deciding, setDeciding] = useState<Deciding>();
  const [many, setMany] = useState<DecidingMany>();
  const mayDecide = may({ needs: ['DEPOSITS_DECIDE'] });
  const seesProviders = may({ needs: ['PROVIDERS_READ'] });
  const list = useMemo(() => defineList({
    title: 'deciding.title',
    path: '/deposits',
    filters: seesProviders ? [...depositFilters, byProvider] : depositFilters,
    sorts: depositSorts,
    operation: DepositsToDecideDocument,
    variables: (s, page, where) => ({ filter: asDeposits(s, where), sort: (s['sort'] ?? depositSorts.first) as TransactionSort, ...page }),
    page: (result) => result.transactions,
    keyOf: (row) => row.trackingCode,
    rowPath: (row) => `/transactions/${row.trackingCode}`,
    live: { operation: DepositsChangedDocument, variables: () => ({ filter: { method: ['MANUAL_DEPOSIT', 'EIBAN_DEPOSIT'] } }) },
    none: 'deciding.none',
    className: 'deciding',
    columns: [
      { name: 'deciding.waits', className: 'cell-age', cell: (row) => <Waits of={row} /> },
      { name: 'transactions.amount', className: 'number cell-amount', cell: (row) => <Amount of={row} /> },
      {
        name: 'transactions.customer', className: 'cell-customer',
        cell: (row) => <><b>{row.customer.fullname}</b> <span className="second muted">{row.provider?.name}</span></>,
      },
      { name: 'deciding.account', className: 'cell-account', cell: (row) => <Account of={row} /> },
      {
        name: 'transactions.code', className: 'cell-code',
        cell: (row) => <><RowLink>{row.trackingCode}</RowLink><span className="second muted"><Method of={row.method} /></span></>,
      },
      ...(mayDecide ? [{ name: 'deciding.decide' as const, className: 'cell-do', cell: (row: Deposit) => <Buttons of={row} decide={setDeciding} /> }] : []),
    ],
  }), [mayDecide, seesProviders]);
  return (
    <>
      <ListScreen
        list={list} search={search} actions={<ExportAll filter={asDeposits(search, zone)} />}
        keys={mayDecide ? {
          a: (row) => setDeciding({ code: row.trackingCode, name: 'APPROVE_DEPOSIT' }),
          r: (row) => setDeciding({ code: row.trackingCode, name: 'REJECT_DEPOSIT' }),
        } : undefined}
        bulk={mayDecide ? (chosen, clear) => <ManyButtons chosen={chosen} clear={clear} decide={setMany} /> : undefined}
      />
      {many && <Many {...many} filter={asDeposits(search, zone)} close={() => setMany(undefined)} />}
      {deciding && <Decide key={`${deciding.code} ${deciding.name}`} {...deciding} close={() => setDeciding(undefined)} />}
    </>
  );
}

function Waits({ of }: { of: Deposit }) {
  const { say } = useWords();
  return <span className="waits"><Age at={of.createdAt} />{of.isOverdue && <Tag tone="bad" icon="warning">{say('transactions.overdue')}</Tag>}</span>;
}

function Amount({ of }: { of: Deposit }) {
  const { say, money } = useWords();
  return (
    <>
      {money(of.amount, of.currency)}
      {!isSame(of.amount, of.requestedAmount) && (
        <span className="second asked"><Icon name="warning" />{say('deciding.asked', { amount: money(of.requestedAmount, of.currency) })}</span>
      )}
    </>
  );
}

function Account({ of }: { of: Deposit }) {
  const { say } = useWords();
  if (!of.account) return <strong className="problem with-icon"><Icon name="warning" />{say('deciding.noAccount')}</strong>;
  return (
    <>
      <span className="second">{of.account.bankName} · {of.account.holder}</span>
      <span className="iban muted">{inFours(of.account.iban)}</span>
    </>
  );
}

function Buttons({ of: { trackingCode: code, customer }, decide }: { of: Deposit; decide: (what: Deciding) => void }) {
  const { label } = useHouse();
  return (
    <span className="row-actions">
      {(['APPROVE_DEPOSIT', 'REJECT_DEPOSIT'] as const).map((name) => (
        <button
          key={name} type="button" className={name === 'APPROVE_DEPOSIT' ? 'button primary' : 'button refuse'}
          aria-label={`${label('DecisionName', name)}: ${customer.fullname}`} onClick={() => decide({ code, name })}
        >
          <Icon name={name === 'APPROVE_DEPOSIT' ? 'check' : 'close'} />{label('DecisionName', name)}
        </button>
      ))}
    </span>
  );
}
