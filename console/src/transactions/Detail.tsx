// One transaction, to read: its facts and its history.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ask, Refusal } from '../api/client';
import { useHouse } from '../shell/house';
import { useKeys } from '../shell/keys';
import { useTitle } from '../shell/title';
import { Fact, Facts as List, inFours } from '../ui/facts';
import { Icon } from '../ui/Icon';
import { Refused, State, Waiting } from '../ui/State';
import { useWords } from '../words/words';
import { Status } from './Status';
import { TransactionDocument, type TransactionQuery } from './transactions.generated';

type Transaction = NonNullable<TransactionQuery['transaction']>;

const route = getRouteApi('/transactions/$code');

export function Detail() {
  const { say } = useWords();
  const { code } = route.useParams();
  const filters = route.useSearch();
  const navigate = useNavigate();
  useTitle(code);
  useKeys({ u: () => void navigate({ to: '/transactions', search: filters }) });
  const found = useQuery({
    queryKey: ['transaction', code],
    queryFn: ({ signal }) => ask(TransactionDocument, { trackingCode: code }, signal),
    select: (data) => data.transaction,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [code]);
  const isMissing = found.error instanceof Refusal && found.error.code === 'NOT_FOUND';
  return (
    <>
      <p className="trail"><Link to="/transactions" search={filters}><Icon name="left" />{say('transaction.back')}</Link></p>
      <h1 ref={heading} tabIndex={-1} className="code">{code}</h1>
      {found.data && <Facts of={found.data} />}
      {found.isPending && <Waiting />}
      {isMissing && <State icon="search" title={say('transaction.missing')} />}
      {found.error && !isMissing && <Refused error={found.error} retry={() => void found.refetch()} />}
    </>
  );
}

function Facts({ of: t }: { of: Transaction }) {
  const { say, money, time, zone } = useWords();
  const { label } = useHouse();
  return (
    <>
      <p className="headline">
        <span className="sum">{money(t.amount, t.currency)}</span>
        <Status status={t.status} isOverdue={t.isOverdue} />
      </p>
      <div className="panels">
        <section className="panel" aria-label={say('transaction.facts')}>
          <List>
            <Fact name={say('transactions.method')}>{label('TransactionMethod', t.method)}</Fact>
            {t.requestedAmount !== t.amount && (
              <Fact name={say('transaction.requested')}>{money(t.requestedAmount, t.currency)}</Fact>
            )}
            <Fact name={say('transactions.customer')}>
              {t.customer.fullname} <span className="muted">{t.customer.username}</span>
            </Fact>
            <Fact name={say('transaction.userId')} copy={t.customer.userId}>{t.customer.userId}</Fact>
            {t.provider && <Fact name={say('transactions.owner')}>{t.provider.name}</Fact>}
            {t.site && <Fact name={say('transaction.site')}>{t.site.name}</Fact>}
            {t.dealer && <Fact name={say('transactions.dealer')}>{t.dealer.name}</Fact>}
            {t.account && (
              <Fact name={say('transaction.account')} copy={t.account.iban}>
                {t.account.bankName} · {t.account.holder} <span className="iban">{inFours(t.account.iban)}</span>
              </Fact>
            )}
            {t.iban !== null && (
              <Fact name={say('transaction.iban')} copy={t.iban}>
                <span className="iban">{inFours(t.iban)}</span>
                {t.isIbanSuspect && <strong className="problem"><Icon name="warning" />{say('transaction.suspect')}</strong>}
              </Fact>
            )}
            {t.reason !== null && <Fact name={say('transaction.reason')}>{t.reason}</Fact>}
            <Fact name={say('transactions.created')}>{time(t.createdAt)}</Fact>
            <Fact name={say('transaction.updated')}>{time(t.updatedAt)}</Fact>
            {t.finishedAt !== null && <Fact name={say('transaction.finished')}>{time(t.finishedAt)}</Fact>}
            {t.finishedAt === null && t.expiresAt !== null && <Fact name={say('transaction.expires')}>{time(t.expiresAt)}</Fact>}
          </List>
        </section>
        <History of={t} />
      </div>
      <p className="muted zone">{say('list.zone', { zone })}</p>
    </>
  );
}

function History({ of: t }: { of: Transaction }) {
  const { say, money, time } = useWords();
  const { label } = useHouse();
  return (
    <section className="panel" aria-labelledby="history">
      <h2 id="history">{say('transaction.history')}</h2>
      <ol className="history">
        {t.history?.nodes.map((h, i) => (
          <li key={i}>
            <p><b>{label('TransactionCommand', h.command)}</b> <span className="amount">{money(h.amount, t.currency)}</span></p>
            <p className="muted">
              <time dateTime={h.at}>{time(h.at)}</time> · {label('ActorKind', h.actor.kind)}
              {h.actor.name !== null && ` · ${h.actor.name}`}
            </p>
            {h.reason !== null && <p>{h.reason}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
