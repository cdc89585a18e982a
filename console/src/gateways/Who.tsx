// Who would get this payment? Decided as for a payment that there is, without making one.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { ask } from '../api/client';
import { useHouse } from '../shell/house';
import { Tag } from '../ui/facts';
import { AmountField, SelectField, TextField } from '../ui/Form';
import { readSearch } from '../ui/list/filters';
import { address } from '../ui/list/ListScreen';
import { Loaded, Top } from '../ui/Screen';
import { State } from '../ui/State';
import { useWords } from '../words/words';
import { routed, supposed } from './filters';
import { WhoWouldGetDocument, type GatewayKind, type TransactionMethod, type WhoWouldGetQuery } from './gateways.generated';
import { useSites } from './Routes';

type Route = NonNullable<WhoWouldGetQuery['routePreview']>;

export function Who() {
  const { say } = useWords();
  const search = getRouteApi('/routes/who').useSearch();
  return (
    <>
      <Top to="/routes" of={say('routes.title')} title={say('who.title')} />
      <p className="lead">{say('who.lead')}</p>
      <div className="panels even">
        <Question key={JSON.stringify(search)} search={search} />
        <section className="panel" aria-live="polite" aria-label={say('who.answer')}>
          {search['amount'] === undefined ? <State icon="moving" title={say('who.askFirst')} /> : <Answer search={search} amount={search['amount']} />}
        </section>
      </div>
    </>
  );
}

type Asked = Record<string, string | undefined>;

function Question({ search }: { search: Asked }) {
  const { say } = useWords();
  const { label, installation } = useHouse();
  const { history } = useRouter();
  const providers = useSites();
  const [method, setMethod] = useState(search['method'] ?? 'CREDIT_CARD');
  const [way, setWay] = useState(search['way'] ?? '');
  const [site, setSite] = useState(search['site'] ?? '');
  const [amount, setAmount] = useState(search['amount'] ?? '');
  const [code, setCode] = useState(search['code'] ?? '');
  const submit = (e: FormEvent) => {
    e.preventDefault();
    history.push(address('/routes/who', readSearch(supposed)({ method, way: method === 'CREDIT_CARD' ? '' : way, site, amount, code })));
  };
  return (
    <form className="panel" onSubmit={submit} aria-label={say('who.payment')}>
      <SelectField name="method" label={say('transactions.method')} value={method} onChange={setMethod} options={routed.map((m) => ({ id: m, name: label('TransactionMethod', m) }))} />
      {method !== 'CREDIT_CARD' && (
        <SelectField name="way" label={say('who.way')} value={way} onChange={setWay} none={say('who.ownWay')}
          options={(['BANK', 'CRYPTO', 'WALLET'] as const).map((k) => ({ id: k, name: label('GatewayKind', k) }))} />
      )}
      <AmountField name="amount" label={say('transactions.amount')} currency={installation.currencies[0] ?? 'TRY'} value={amount} onChange={setAmount} isRequired />
      <SelectField name="site" label={say('transaction.site')} value={site} onChange={setSite} none={say('who.noSite')}
        options={providers.flatMap((p) => (p.sites ?? []).map((s) => ({ id: s.id, name: `${p.name} · ${s.name}` })))} />
      <TextField name="code" label={say('who.code')} value={code} onChange={setCode} max={64} hint={say('who.codeHint')} />
      <div className="form-end"><button type="submit" className="button primary">{say('who.go')}</button></div>
    </form>
  );
}

function Answer({ search, amount }: { search: Asked; amount: string }) {
  const { language } = useWords();
  const input = {
    method: (search['method'] ?? 'CREDIT_CARD') as TransactionMethod, amount, siteId: search['site'] ?? null,
    kind: (search['way'] ?? null) as GatewayKind | null, trackingCode: search['code'] ?? null,
  };
  const found = useQuery({
    queryKey: ['routePreview', input, language], queryFn: ({ signal }) => ask(WhoWouldGetDocument, { input }, signal), select: (data) => data.routePreview,
  });
  return <Loaded of={found}>{(route) => <Decided route={route} isDrawn={search['code'] !== undefined} isCard={input.method === 'CREDIT_CARD'} />}</Loaded>;
}

function Decided({ route, isDrawn, isCard }: { route: Route; isDrawn: boolean; isCard: boolean }) {
  const { say, locale } = useWords();
  const { label } = useHouse();
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const first = route.order[0];
  const equals = first ? route.order.filter((c) => c.priority === first.priority) : [];
  const isSure = isDrawn || equals.length === 1;
  // Who of equals is first is drawn for each payment: the likelier stands first, unless one payment's draw was asked for.
  const order = isDrawn ? route.order : route.order.toSorted((a, b) => a.priority - b.priority || b.weight - a.weight);
  return (
    <>
      {!first && <State icon="warning" title={say('who.nobody')}><p>{say('who.nobodyLead')}</p></State>}
      {first && (
        <p className="verdict" role="status">
          {isSure ? say(isCard ? 'who.gets' : 'who.offeredFirst', { name: first.gateway.name }) : say('who.drawn', { count: equals.length })}
        </p>
      )}
      <ol className="ranks">
        {order.map((c, i) => (
          <li key={c.gateway.id} data-gateway={c.gateway.id}>
            <span className="rank" aria-hidden="true">{i + 1}</span>
            <span>
              <b><Link to="/gateways/$id" params={{ id: c.gateway.id }}>{c.gateway.name}</Link></b>
              <span className="muted">{c.rule ? say('who.byRule', { name: c.rule.name }) : say('who.byDefault')} · {say('who.priority', { priority: c.priority })}</span>
            </span>
            {!isDrawn && c.weightOfAll > c.weight && <Tag tone="idle" icon="moving">{say('who.share', { share: percent.format(c.weight / c.weightOfAll) })}</Tag>}
          </li>
        ))}
      </ol>
      {route.order.length > 1 && <p className="muted">{say(isCard ? 'who.nextIf' : 'who.customerPicks')}</p>}
      {route.others.length > 0 && <h2>{say('who.others')}</h2>}
      <ul className="rows">
        {route.others.map((o) => (
          <li key={o.gateway.id}>
            <Link to="/gateways/$id" params={{ id: o.gateway.id }}>{o.gateway.name}</Link>
            <span>{label('RouteObstacle', o.obstacle)}{o.detail !== null && <span className="muted"> ({o.detail})</span>}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
