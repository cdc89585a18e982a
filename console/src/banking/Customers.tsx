// Customers: found by a user id, a name or an IBAN; what they did, and whether they may go on.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ask } from '../api/client';
import { BlockCustomerDocument, CustomerDocument, FindCustomersDocument, UnblockCustomerDocument, type CustomerQuery } from './banking.generated';
import { useKeys } from '../shell/keys';
import { useAct } from '../ui/act';
import { Dialog } from '../ui/Dialog';
import { useHouse } from '../shell/house';
import { useTitle } from '../shell/title';
import { Icon } from '../ui/Icon';
import { Refused, State, Waiting } from '../ui/State';
import { Status } from '../transactions/Status';
import { useWords } from '../words/words';
import { readCustomerFilters } from './filters';
import { Badge, CodeLink, Fact, ReasonField, rowKeys, SearchBox, textOf, Trouble } from './kit';

const list = getRouteApi('/customers');

export function Customers() {
  const { say, moment } = useWords();
  const { q } = list.useSearch();
  const navigate = useNavigate();
  const rows = useRef<HTMLUListElement>(null);
  useTitle(say('banking.customers'));
  useKeys(rowKeys(rows.current));
  const found = useQuery({
    queryKey: ['customers', q ?? ''],
    queryFn: ({ signal }) => ask(FindCustomersDocument, { text: q ?? null, providerId: null }, signal),
    select: (data) => data.customers,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <h1>{say('banking.customers')}</h1>
      <div className="filters">
        <SearchBox text={q ?? ''} label={say('banking.customerSearch')} search={(text) => void navigate({ to: '/customers', search: readCustomerFilters({ q: text }) })} />
      </div>
      {found.isPending && <Waiting />}
      {found.error && <Refused error={found.error} retry={() => void found.refetch()} />}
      {found.data?.nodes.length === 0 && <State icon="search" title={say('banking.noCustomers')} />}
      <ul className="plain-list" ref={rows}>
        {found.data?.nodes.map((c) => (
          <li key={`${c.providerId}/${c.userId}`}>
            <Link to="/customers/$provider/$user" params={{ provider: c.providerId, user: c.userId }} className="row-link row">
              <b>{c.fullname}</b><span className="end">{c.provider?.name}</span>
              <span className="muted">{c.username} · {c.userId}</span><span className="end muted">{moment(c.lastSeenAt)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {found.data?.hasMore && <p className="muted">{say('banking.moreCustomers')}</p>}
    </>
  );
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
  const block = useAct(BlockCustomerDocument, { done: close });
  const unblock = useAct(UnblockCustomerDocument, { done: close });
  const act = c.block ? unblock : block;
  const doing = say(c.block ? 'banking.unblock' : 'banking.block');
  return (
    <>
      <h1>{c.names[0]?.fullname ?? c.userId}</h1>
      <p className="headline">
        {c.block ? <Badge tone="bad">{say('banking.blocked')}</Badge> : <Badge tone="good">{say('banking.mayPay')}</Badge>}
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
            {c.block && <Fact name={say('banking.blocked')}>{c.block.reason} – {c.block.blockedBy.name}, {time(c.block.blockedAt)}</Fact>}
          </dl>
          <h2>{say('banking.totals')}</h2>
          <div className="scroll"><table className="small">
            <tbody>
              {c.totals.map((t, i) => (
                <tr key={i}>
                  <td>{labels('TransactionMethod', t.method)} · {labels('TransactionStatus', t.status)}</td><td>{t.count}</td><td>{money(t.amount, t.currency)}</td>
                </tr>
              ))}
            </tbody>
          </table></div>
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
