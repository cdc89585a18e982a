// Customers: found by a user id, a name or an IBAN; what they did, and whether they may go on.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api/client';
import { BlockCustomerDocument, CustomerDocument, FindCustomersDocument, UnblockCustomerDocument, type CustomerFilter, type CustomerQuery } from './banking.generated';
import { useHouse } from '../shell/house';
import { useTitle } from '../shell/title';
import { Status } from '../transactions/Status';
import { undoing, useAct } from '../ui/act';
import { Dialog } from '../ui/Dialog';
import { Fact, Moment } from '../ui/facts';
import { Icon } from '../ui/Icon';
import { defineList, whole } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { Refused, Waiting } from '../ui/State';
import { Trouble } from '../ui/Form';
import { Scroll } from '../ui/Scroll';
import { useWords } from '../words/words';
import { asCustomers, customerFilters, customersOf } from './filters';
import { Badge, CodeLink, ReasonField, textOf } from './kit';

const PATH = '/customers';

const customers = defineList({
  title: 'banking.customers',
  path: PATH,
  filters: customerFilters,
  operation: FindCustomersDocument,
  variables: (s) => ({ filter: asCustomers(s) }),
  page: ({ customers: found }) => found && {
    nodes: found.nodes, pageInfo: { ...whole, isPartial: found.hasMore },
  },
  keyOf: (row) => `${row.providerId}/${row.userId}`,
  rowPath: (row) => `${PATH}/${row.providerId}/${encodeURIComponent(row.userId)}`,
  none: 'banking.noCustomers',
  views: { list: 'CUSTOMERS', filterOf: asCustomers, searchOf: (filter) => customersOf(filter as CustomerFilter) },
  columns: [
    { name: 'transactions.customer', cell: (row) => <b>{row.fullname}</b> },
    { name: 'banking.userId', cell: (row) => <><RowLink>{row.userId}</RowLink><span className="second muted">{row.username}</span></> },
    { name: 'banking.provider', cell: (row) => <>{row.provider?.name}</> },
    { name: 'banking.lastSeen', cell: (row) => <Moment at={row.lastSeenAt} /> },
  ],
});

export function Customers() {
  return <ListScreen list={customers} search={getRouteApi(PATH).useSearch()} />;
}

type Found = NonNullable<CustomerQuery['customer']>;
const one = getRouteApi('/customers/$provider/$user');

export function Customer() {
  const { say } = useWords();
  const { provider, user } = one.useParams();
  useTitle(user);
  const found = useQuery({
    queryKey: ['customer', provider, user],
    queryFn: ({ signal }) => ask(CustomerDocument, { providerId: provider, userId: user }, signal),
    select: (data) => data.customer,
  });
  return (
    <>
      <p className="trail"><Link to="/customers"><Icon name="left" />{say('banking.customers')}</Link></p>
      {found.isPending && <Waiting />}
      {found.error && <Refused error={found.error} retry={() => void found.refetch()} />}
      {found.data && <Facts of={found.data} />}
    </>
  );
}

function Facts({ of: c }: { of: Found }) {
  const { say, money, moment, time } = useWords();
  const { label: labels } = useHouse();
  const { member } = useHouse();
  const [isAsked, setIsAsked] = useState(false);
  const close = () => setIsAsked(false);
  const block = useAct(BlockCustomerDocument, {
    said: say('banking.isBlocked'), done: close,
    undo: ({ input: { providerId, userId } }) => undoing(UnblockCustomerDocument, { providerId, userId, reason: say('act.undoReason') }),
  });
  const unblock = useAct(UnblockCustomerDocument, {
    said: say('banking.isUnblocked'), done: close,
    undo: ({ input: { providerId, userId } }) => undoing(BlockCustomerDocument, { providerId, userId, reason: c.block?.reason ?? say('act.undoReason') }),
  });
  const act = c.block ? unblock : block;
  const doing = say(c.block ? 'banking.unblock' : 'banking.block');
  return (
    <>
      <h1>{c.names[0]?.fullname ?? c.userId}</h1>
      <p className="headline">
        {c.block ? <Badge tone="bad">{say('banking.blocked')}</Badge> : member.dealerId === null && <Badge tone="good">{say('banking.mayPay')}</Badge>}
        {member.permissions.includes('CUSTOMERS_BLOCK') && (
          <button type="button" className="button" onClick={() => { setIsAsked(true); }}>{doing}</button>
        )}
      </p>
      <div className="panels">
        <section className="panel" aria-label={say('banking.history')}>
          <h2>{say('banking.history')}</h2>
          <ul className="plain-list">
            {c.transactions?.nodes.map((t) => (
              <li key={t.trackingCode} className="row-link">
                <span><Status status={t.status} isOverdue={t.isOverdue} /> {labels('TransactionMethod', t.method)}</span><b className="end">{money(t.amount, t.currency)}</b>
                <CodeLink code={t.trackingCode} /><span className="end muted">{moment(t.createdAt)}</span>
              </li>
            ))}
          </ul>
        </section>
        <section className="panel" aria-label={say('banking.customer')}>
          <dl className="facts">
            <Fact name={say('banking.userId')}>{c.userId}</Fact>
            <Fact name={say('banking.provider')}>{c.provider?.name}</Fact>
            <Fact name={say('banking.names')}>{c.names.map((n) => <span key={n.username + n.fullname}>{n.fullname} ({n.username}) ×{n.count}</span>)}</Fact>
            {c.firstSeenAt && <Fact name={say('banking.firstSeen')}>{time(c.firstSeenAt)}</Fact>}
            {c.block && <Fact name={say('banking.blocked')}>{[c.block.reason, c.block.blockedBy.name ?? labels('ActorKind', c.block.blockedBy.kind), time(c.block.blockedAt)].filter(Boolean).join(' · ')}</Fact>}
          </dl>
          <h2>{say('banking.totals')}</h2>
          <Scroll name={say('banking.totals')}><table className="small">
            <tbody>
              {c.totals.map((t, i) => (
                <tr key={i}>
                  <td>{labels('TransactionMethod', t.method)} · {labels('TransactionStatus', t.status)}</td><td>{t.count}</td><td>{money(t.amount, t.currency)}</td>
                </tr>
              ))}
            </tbody>
          </table></Scroll>
        </section>
      </div>
      {isAsked && (
        <Dialog isOpen title={doing} close={close}>
          <form className="form" onSubmit={(e) => {
            e.preventDefault();
            void act.act({ input: { providerId: c.providerId, userId: c.userId, reason: textOf(e, 'reason') } });
          }}>
            <p>{say(c.block ? 'banking.unblockDoes' : 'banking.blockDoes')}</p>
            <Trouble text={act.problem} />
            <ReasonField label={say('banking.reason')} isRequired={!c.block} />
            <div className="buttons">
              <button type="submit" className="button primary" disabled={act.isBusy}>{doing}</button>
              <button type="button" className="button" onClick={close}>{say('banking.leave')}</button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}
