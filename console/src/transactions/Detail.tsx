// One transaction, whole: what it is, where it stands, what can be done now, and everything that has happened.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ask, Refusal } from '../api/client';
import { useLive } from '../api/live';
import { Holder } from '../deciding/Claim';
import { Decisions } from '../deciding/Decisions';
import { useThrottled } from '../home/work';
import { useHouse } from '../shell/house';
import { useKeys } from '../shell/keys';
import { useTitle } from '../shell/title';
import { Copy } from '../ui/Copy';
import { Age, Fact, Facts as List, inFours, Moment, Tag } from '../ui/facts';
import { Icon } from '../ui/Icon';
import { Refused, State, Waiting } from '../ui/State';
import { useWords } from '../words/words';
import { Callbacks } from './Callbacks';
import { Gateway } from './Gateway';
import { Notes } from './Notes';
import { Status } from './Status';
import { TransactionDocument, TransactionsChangedDocument, type TransactionQuery } from './transactions.generated';

export type Transaction = NonNullable<TransactionQuery['transaction']>;

const route = getRouteApi('/transactions/$code');
const AT_MOST_EACH_MS = 500;
const REST_EACH_MS = 30_000; // what nothing tells of: notes, and attempts of callbacks

export function Detail() {
  const { say, language } = useWords();
  const { may } = useHouse();
  const { code } = route.useParams();
  const filters = route.useSearch();
  const navigate = useNavigate();
  useTitle(code);
  useKeys({ u: () => void navigate({ to: '/transactions', search: filters }) });
  const found = useQuery({
    queryKey: ['transaction', code, 'whole', language],
    queryFn: ({ signal }) => ask(TransactionDocument, { trackingCode: code, seesApprovals: may({ needs: ['APPROVALS_READ'] }) }, signal),
    select: (data) => data.transaction,
    refetchInterval: REST_EACH_MS,
  });
  const refresh = useThrottled(() => void found.refetch(), AT_MOST_EACH_MS);
  useLive(TransactionsChangedDocument, { filter: { trackingCode: code } }, refresh);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [code]);
  const isMissing = found.error instanceof Refusal && found.error.code === 'NOT_FOUND';
  return (
    <>
      <p className="trail"><Link to="/transactions" search={filters}><Icon name="left" />{say('transaction.back')}</Link></p>
      <div className="code-line">
        <h1 ref={heading} tabIndex={-1} className="code">{code}</h1>
        <Copy name={say('transactions.code')} text={code} />
      </div>
      {found.data && <Whole of={found.data} />}
      {found.isPending && <Waiting />}
      {isMissing && <State icon="search" title={say('transaction.missing')} />}
      {found.error && !isMissing && <Refused error={found.error} retry={() => void found.refetch()} />}
    </>
  );
}

function Whole({ of: t }: { of: Transaction }) {
  const { say, money, zone } = useWords();
  const isOpen = t.finishedAt === null;
  return (
    <>
      <p className="headline">
        <span className="sum">{money(t.amount, t.currency)}</span>
        <Copy name={say('transactions.amount')} text={t.amount} />
        <Status status={t.status} isOverdue={t.isOverdue} />
        {t.awaitsApproval && !t.claim && <Tag tone="waiting" icon="people">{say('transaction.waitsForSecond')}</Tag>}
        {isOpen && t.claim && <Holder claim={t.claim} />}
        <span className="muted"><Age at={t.createdAt} /></span>
      </p>
      <News of={t} />
      <Moved of={t} />
      <Decisions code={t.trackingCode} possible={t.possibleDecisions} claim={t.claim} />
      <div className="panels">
        <div className="stack">
          <Facts of={t} />
          <Notes of={t} />
          <Gateway of={t} />
        </div>
        <div className="stack">
          <History of={t} />
          <Callbacks of={t} />
        </div>
      </div>
      <p className="muted zone">{say('list.zone', { zone })}</p>
    </>
  );
}

/** Moved says what somebody did while the page was open. */
function Moved({ of: t }: { of: Transaction }) {
  const { say } = useWords();
  const { label, member } = useHouse();
  const first = useRef({ version: t.version, moves: t.history?.nodes.length ?? 0 });
  const [isRead, setIsRead] = useState(0);
  const fresh = t.history?.nodes.slice(first.current.moves) ?? [];
  const last = fresh.findLast((h) => h.actor.kind === 'STAFF') ?? fresh.at(-1); // before what followed by itself
  const isNew = t.version !== first.current.version && t.version !== isRead;
  if (!isNew || !last || last.actor.name === member.email) return <div role="status" />;
  return (
    <div role="status" className="meanwhile">
      <Icon name="people" />
      <p>
        {say('deciding.last', { who: last.actor.name ?? label('ActorKind', last.actor.kind), what: label('TransactionCommand', last.command) })}
        {' '}<Moment at={last.at} />
      </p>
      <button type="button" className="button quiet square" aria-label={say('ui.dismiss')} onClick={() => setIsRead(t.version)}><Icon name="close" /></button>
    </div>
  );
}

/** News is what has to be seen before anything is done: who has to agree, and money that does not fit. */
function News({ of: t }: { of: Transaction }) {
  const { say, money } = useWords();
  const { label, may } = useHouse();
  const waiting = t.approvals?.filter((a) => a.status === 'WAITING') ?? [];
  const open = t.discrepancies?.nodes.filter((d) => d.status === 'OPEN') ?? [];
  const disputes = t.disputes ?? [];
  if (waiting.length === 0 && open.length === 0 && disputes.length === 0) return null;
  return (
    <ul className="news">
      {waiting.map((a) => (
        <li key={a.id}>
          <Icon name="people" />
          <span>
            {say(a.isOwn ? 'transaction.ownRequest' : 'transaction.request', { who: a.requestedBy.name ?? '' })}
            {a.amount && ` · ${money(a.amount.amount, a.amount.asset)}`} · <Age at={a.createdAt} />
          </span>
          <Link to="/approvals/$id" params={{ id: a.id }} className="button">{say(a.isForYou ? 'transaction.decideRequest' : 'act.toRequest')}</Link>
        </li>
      ))}
      {disputes.map((d) => (
        <li key={d.id}>
          <Icon name="back" />
          <span>{say('disputes.one')} · {label('DisputeState', d.state)}{d.amount && ` · ${money(d.amount.amount, d.amount.asset)}`} · <Age at={d.createdAt} /></span>
          <Link to="/disputes" search={{ shown: d.id }} className="button">{say('disputes.toDispute')}</Link>
        </li>
      ))}
      {open.map((d) => (
        <li key={d.id}>
          <Icon name="warning" />
          <span>
            {label('DiscrepancyKind', d.kind)}
            {d.seen && ` · ${money(d.seen.amount, d.seen.asset)}`}
          </span>
          {may({ needs: ['DISCREPANCIES_RESOLVE'] }) && <Link to="/discrepancies" search={{ shown: d.id }} className="button">{say('transaction.settle')}</Link>}
        </li>
      ))}
    </ul>
  );
}

function Facts({ of: t }: { of: Transaction }) {
  const { say, money, time } = useWords();
  const { label, may } = useHouse();
  const isKnown = may({ needs: ['CUSTOMERS_READ'] }) && t.provider !== null;
  return (
    <section className="panel" aria-label={say('transaction.facts')}>
      <List>
        <Fact name={say('transactions.customer')} copy={t.customer.fullname}>
          {isKnown && t.provider
            ? <Link to="/customers/$provider/$user" params={{ provider: t.provider.id, user: t.customer.userId }}>{t.customer.fullname}</Link>
            : t.customer.fullname}
          {' '}<span className="muted">{t.customer.username}</span>
        </Fact>
        {t.iban !== null && (
          <Fact name={say('transaction.iban')} copy={t.iban}>
            <span className="iban">{inFours(t.iban)}</span>
            {t.isIbanSuspect && <strong className="problem"><Icon name="warning" />{say('transaction.suspect')}</strong>}
          </Fact>
        )}
        {t.account && (
          <Fact name={say('transaction.account')} copy={t.account.iban}>
            {t.account.bankName} · {t.account.holder} <span className="iban">{inFours(t.account.iban)}</span>
          </Fact>
        )}
        <Fact name={say('transactions.method')}>{label('TransactionMethod', t.method)}</Fact>
        {t.requestedAmount !== t.amount && <Fact name={say('transaction.requested')}>{money(t.requestedAmount, t.currency)}</Fact>}
        {t.provider && <Fact name={say('transactions.owner')}>{t.provider.name}</Fact>}
        {t.site && <Fact name={say('transaction.site')}>{t.site.name}</Fact>}
        {t.dealer && <Fact name={say('transactions.dealer')}>{t.dealer.name}</Fact>}
        {t.gateway && <Fact name={say('transaction.gateway')}>{t.gateway.name}</Fact>}
        {t.refundedAmount !== null && t.refundedAmount !== '0.00' && <Fact name={say('transaction.refunded')}>{money(t.refundedAmount, t.currency)}</Fact>}
        {t.refundTerms && <Fact name={say('transaction.left')}>{money(t.refundTerms.left.amount, t.refundTerms.left.asset)}</Fact>}
        {t.correctedAmount !== null && <Fact name={say('transaction.corrected')}>{money(t.correctedAmount, t.currency)}</Fact>}
        {t.failure && <Fact name={say('transaction.failure')}>{t.failure.message} <span className="muted">{t.failure.code}</span></Fact>}
        {t.payee?.recipient && <Fact name={say('transaction.recipient')} copy={t.payee.recipient}>{t.payee.recipient}</Fact>}
        {t.payee?.cryptoType && <Fact name={say('transaction.coin')}>{t.payee.cryptoType}</Fact>}
        {t.payee?.walletAddress && <Fact name={say('transaction.address')} copy={t.payee.walletAddress}><span className="iban">{t.payee.walletAddress}</span></Fact>}
        {t.payee?.walletNumber && <Fact name={say('transaction.walletNumber')} copy={t.payee.walletNumber}>{t.payee.walletNumber}</Fact>}
        {t.payee?.description && <Fact name={say('transaction.description')}>{t.payee.description}</Fact>}
        {t.cardPayer && (
          <Fact name={say('transaction.cardPayer')}>
            {t.cardPayer.firstName} {t.cardPayer.lastName} <span className="muted">{t.cardPayer.email} · {t.cardPayer.phone}</span>
          </Fact>
        )}
        {t.reason !== null && <Fact name={say('transaction.reason')}>{t.reason}</Fact>}
        <Fact name={say('transaction.userId')} copy={t.customer.userId}>{t.customer.userId}</Fact>
        {t.orderId !== null && <Fact name={say('transaction.orderId')} copy={t.orderId}>{t.orderId}</Fact>}
        <Fact name={say('transactions.created')}>{time(t.createdAt)}</Fact>
        {t.finishedAt !== null
          ? <Fact name={say('transaction.finished')}>{time(t.finishedAt)}</Fact>
          : <Fact name={say('transaction.updated')}>{time(t.updatedAt)}</Fact>}
        {t.finishedAt === null && t.expiresAt !== null && <Fact name={say('transaction.expires')}>{time(t.expiresAt)}</Fact>}
      </List>
      {t.credits.length > 0 && (
        <>
          <h2>{say('transaction.credits')}</h2>
          <ul className="lines">
            {t.credits.map((c) => (
              <li key={c.id}>
                <p>
                  <b>{money(c.amount, t.currency)}</b> <span>{label('CreditSource', c.source)}{c.lineId !== null && ` · ${c.lineId}`}</span>
                  {c.isAwaiting && <Tag tone="waiting">{say('transaction.awaitsMoney')}</Tag>}
                </p>
                <p className="muted"><Moment at={c.at} /> · {c.actor.name ?? label('ActorKind', c.actor.kind)}{c.reason !== null && ` · ${c.reason}`}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function History({ of: t }: { of: Transaction }) {
  const { say, money, time } = useWords();
  const { label } = useHouse();
  const isGone = t.history?.nodes.length === 1 && t.history.nodes[0]?.to !== t.status; // the creation alone does not lead to where it stands
  const ended = t.approvals?.filter((a) => a.status !== 'WAITING' && a.status !== 'APPROVED' && a.status !== 'REFUSED') ?? [];
  return (
    <section className="panel" aria-labelledby="history">
      <h2 id="history">{say('transaction.history')}</h2>
      {t.history?.pageInfo.hasPreviousPage && <p className="muted">{say('transaction.historyCut')}</p>}
      {isGone && <p className="muted">{say('transaction.historyGone')}</p>}
      <ol className="history">
        {t.history?.nodes.map((h, i) => (
          <li key={i}>
            <p>
              <b>{label('TransactionCommand', h.command)}</b> <span className="amount">{money(h.amount, t.currency)}</span>
              {h.from !== null && h.from !== h.to && <span className="muted"> → {label('TransactionStatus', h.to)}</span>}
            </p>
            <p className="muted">
              <time dateTime={h.at}>{time(h.at)}</time> · {label('ActorKind', h.actor.kind)}
              {h.actor.name !== null && ` · ${h.actor.name}`}
            </p>
            {h.reason !== null && <p>{h.reason}</p>}
          </li>
        ))}
      </ol>
      {ended.length > 0 && (
        <ul className="lines">
          {ended.map((a) => (
            <li key={a.id}>
              <p className="muted">
                <Link to="/approvals/$id" params={{ id: a.id }}>{say('transaction.request', { who: a.requestedBy.name ?? '' })}</Link>
                {' · '}{label('ApprovalStatus', a.status)} · <Moment at={a.decidedAt ?? a.createdAt} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
