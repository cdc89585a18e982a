// One gateway account: whether it works, how it has been, what it is set to, and what leads there.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api/client';
import { FiguresDocument } from '../banking/banking.generated';
import { Chart } from '../banking/Chart';
import { useHouse } from '../shell/house';
import { undoing, useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { Copy } from '../ui/Copy';
import { Fact, Facts, inFours, Moment, Tag } from '../ui/facts';
import { Problem } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { Loaded, Top } from '../ui/Screen';
import { Scroll } from '../ui/Scroll';
import { useWords, writeDecimal } from '../words/words';
import {
  GatewayDocument, GatewayPluginsDocument, NotificationAddressDocument, RoutesDocument, TestGatewayDocument, UpdateGatewayDocument, type GatewayQuery,
} from './gateways.generated';
import { LastAnswer, Share, Strip, sumOf, useBounds, week, Working, type Ended } from './parts';

type Account = NonNullable<GatewayQuery['gatewayAccount']> & { week: Ended };

const HOUR_MS = 3_600_000;

export function useGateway(id: string) {
  const { language } = useWords();
  return useQuery({
    queryKey: ['/gateways', id, language], queryFn: ({ signal }) => ask(GatewayDocument, { id, language, ...week() }, signal),
    select: ({ gatewayAccount, statistics }) => gatewayAccount && { ...gatewayAccount, week: sumOf(statistics?.rows) },
    refetchInterval: 30_000,
  });
}

export function usePlugins() {
  const { language } = useWords();
  return useQuery({
    queryKey: ['gatewayPlugins', language], queryFn: ({ signal }) => ask(GatewayPluginsDocument, { language }, signal),
    select: (data) => data.gatewayPlugins, staleTime: Infinity,
  });
}

export function Gateway() {
  const { id } = getRouteApi('/gateways/$id').useParams();
  return <Loaded of={useGateway(id)}>{(account) => <Shown of={account} />}</Loaded>;
}

function Shown({ of }: { of: Account }) {
  const { say } = useWords();
  const { may } = useHouse();
  const mayEdit = may({ needs: ['GATEWAYS_EDIT'] });
  return (
    <>
      <Top to="/gateways" of={say('gateways.title')} title={of.name} state={<Working of={of} />} actions={mayEdit && (
        <>
          <Turn of={of} />
          <Link to="/gateways/$id/edit" params={{ id: of.id }} className="button primary">{say('gateways.edit')}</Link>
        </>
      )} />
      {of.trouble !== null && <p className="note">{say('gateways.troubleIs', { trouble: of.trouble })}</p>}
      <div className="panels">
        <div className="stack">
          <Health of={of} />
          {may({ needs: ['STATISTICS_READ'] }) && <Day id={of.id} />}
        </div>
        <div className="stack">
          {mayEdit && <Test of={of} />}
          <Settings of={of} />
          <LeadsHere of={of} />
          {mayEdit && <Setup of={of} />}
        </div>
      </div>
    </>
  );
}

/** Turn switches it on or off; before that it says what still leads there. */
function Turn({ of }: { of: Account }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const turn = useAct(UpdateGatewayDocument, {
    said: say(of.isEnabled ? 'gateways.isOff' : 'gateways.isOn'), done: () => setIsOpen(false),
    undo: () => undoing(UpdateGatewayDocument, { id: of.id, isEnabled: of.isEnabled }),
  });
  const leading = useLeading(of.id);
  const title = say(of.isEnabled ? 'gateways.turnOff' : 'gateways.turnOn');
  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}>{title}</button>
      <ActDialog title={title} isOpen={isOpen} close={() => setIsOpen(false)} act={turn} go={title} tone={of.isEnabled ? 'danger' : 'primary'}
        submit={() => void turn.act({ input: { id: of.id, isEnabled: !of.isEnabled } })}>
        <p className="lead">{say(of.isEnabled ? 'gateways.offDoes' : 'gateways.onDoes', { name: of.name })}</p>
        {of.isEnabled && leading.length > 0 && (
          <div className="note">
            <p><Icon name="warning" /> {say('gateways.stillLeading', { count: leading.length })}</p>
            <ul>{leading.map((r) => <li key={r.id}>{r.name}</li>)}</ul>
          </div>
        )}
      </ActDialog>
    </>
  );
}

function useLeading(id: string) {
  const rules = useQuery({ queryKey: ['/routes', {}], queryFn: ({ signal }) => ask(RoutesDocument, {}, signal), select: (data) => data.routeRules });
  return rules.data?.filter((r) => r.gatewayId === id && r.isActive) ?? [];
}

function LeadsHere({ of }: { of: Account }) {
  const { say } = useWords();
  const leading = useLeading(of.id);
  return (
    <section className="panel" aria-labelledby="leads">
      <h2 id="leads">{say('gateways.leads')}</h2>
      {leading.length === 0 && <p className="muted">{say('gateways.leadsNone')}</p>}
      <ul className="rows">{leading.map((r) => <li key={r.id}><span>{r.name}</span><span className="muted">{say('gateways.orderOf', { priority: r.priority, weight: r.weight })}</span></li>)}</ul>
      <p><Link to="/routes" search={{}}>{say('routes.title')}</Link> · <Link to="/routes/who" search={{}}>{say('who.title')}</Link></p>
    </section>
  );
}

function Health({ of: { health: h, week: paid } }: { of: Account }) {
  const { say, span } = useWords();
  return (
    <section className="panel" aria-labelledby="health">
      <h2 id="health">{say('gateways.health')}</h2>
      <Strip calls={h.calls} failed={h.failedCount} count={h.callCount} />
      <Facts>
        <Fact name={say('gateways.week')}><Share of={paid} /></Fact>
        <Fact name={say('gateways.lastOk')}><LastAnswer at={h.lastOkAt} /></Fact>
        {h.lastError && (
          <Fact name={say('gateways.lastError')}>
            <Moment at={h.lastError.at} /> <b>{h.lastError.outcome}</b> <span>{h.lastError.detail}</span>
          </Fact>
        )}
      </Facts>
      <details>
        <summary>{say('gateways.calls')}</summary>
        <Scroll name={say('gateways.calls')}>
          <table className="small calls">
            <thead><tr><th scope="col">{say('banking.time')}</th><th scope="col">{say('gateways.call')}</th><th scope="col">{say('gateways.outcome')}</th><th scope="col">{say('gateways.took')}</th></tr></thead>
            <tbody>
              {h.calls.map((c) => (
                <tr key={c.id}>
                  <th scope="row"><Moment at={c.at} /></th><td>{c.name}</td>
                  <td>{c.isOk ? '✓' : '✗'} {c.outcome}</td><td>{c.durationMs < 1000 ? `${c.durationMs} ms` : span(c.durationMs / 1000)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    </section>
  );
}

/** Day is how payments went there hour by hour. */
function Day({ id }: { id: string }) {
  const { say, locale, zone } = useWords();
  const now = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const [from, until] = [new Date(now - 24 * HOUR_MS).toISOString(), new Date(now).toISOString()];
  const found = useQuery({
    queryKey: ['gatewayDay', id, from], refetchInterval: 30_000,
    queryFn: ({ signal }) => ask(FiguresDocument, { filter: { gatewayId: id }, by: [], per: 'HOUR', from, until }, signal),
  });
  const write = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone: zone });
  const count = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <Loaded of={found}>
      {({ statistics }) => {
        const byHour = new Map(statistics?.rows.map((r) => [Date.parse(r.from), r]));
        const hours = Array.from({ length: 24 }, (_, i) => now - (24 - i) * HOUR_MS);
        return (
          <Chart title={say('gateways.day')} times={hours.map((at) => at / 1000)} writeTime={(t) => write.format(t * 1000)} series={[
            { name: say('banking.created'), color: '--brand', values: hours.map((at) => byHour.get(at)?.count ?? 0), write: (v) => count.format(v) },
            {
              name: say('banking.success'), color: '--wait', isShare: true, write: (v) => percent.format(v / 100),
              values: hours.map((at) => { const share = byHour.get(at)?.approvalRate; return share == null ? null : share * 100; }),
            },
          ]} />
        );
      }}
    </Loaded>
  );
}

function Test({ of }: { of: Account }) {
  const { say } = useWords();
  const test = useAct(TestGatewayDocument);
  const [found, setFound] = useState<NonNullable<Awaited<ReturnType<typeof test.act>>>['testGatewayAccount']>();
  const run = async () => setFound((await test.act({ input: { id: of.id } }))?.testGatewayAccount);
  return (
    <section className="panel" aria-labelledby="test">
      <h2 id="test">{say('gateways.test')}</h2>
      <p className="muted">{say('gateways.testDoes')}</p>
      <Problem of={test} />
      <div role="status">
        {found && <p><Tag tone={found.isOk ? 'good' : 'bad'}>{say(found.isOk ? 'gateways.testOk' : 'gateways.testNot')}</Tag></p>}
        {found && (
          <ul className="rows">
            {found.checks.map((c) => (
              <li key={c.name}>
                <span><b>{c.name}</b> <span className="muted">{c.detail}{c.failure !== null && ` (${c.failure})`}</span></span>
                <Tag tone={c.isOk ? 'good' : 'bad'}>{say(c.isOk ? 'gateways.checkOk' : 'gateways.checkNot')}</Tag>
              </li>
            ))}
          </ul>
        )}
      </div>
      <button type="button" className="button" aria-disabled={test.isBusy} onClick={() => void run()}>{say(test.isBusy ? 'gateways.testing' : 'gateways.testGo')}</button>
    </section>
  );
}

function Settings({ of }: { of: Account }) {
  const { say, locale } = useWords();
  const { label, may } = useHouse();
  const bounds = useBounds();
  const plugin = usePlugins().data?.find((p) => p.code === of.plugin);
  return (
    <section className="panel" aria-labelledby="settings">
      <h2 id="settings">{say('gateways.settings')}</h2>
      <Facts>
        <Fact name={say('gateways.plugin')}>{plugin?.title ?? of.plugin}{plugin && <span className="muted">{label('GatewayMaturity', plugin.maturity)}</span>}</Fact>
        <Fact name={say('gateways.code')}><code>{of.code}</code></Fact>
        {of.description !== null && <Fact name={say('gateways.description')}>{of.description}</Fact>}
        <Fact name={say('gateways.environment')}>{label('GatewayEnvironment', of.environment)}</Fact>
        <Fact name={say('gateways.limits')}>{bounds(of.min, of.max)}</Fact>
        <Fact name={say('gateways.approvalFrom')}>{of.approvalFrom === null ? say('gateways.everyPayout') : writeDecimal(of.approvalFrom, locale)}</Fact>
        <Fact name={say('gateways.order')}>{say('gateways.orderOf', { priority: of.priority, weight: of.weight })}</Fact>
        {of.config.map((c) => (
          <Fact key={c.name} name={c.label}>
            {!c.isSet ? <span className="muted">{say('gateways.notSet')}</span> : c.type === 'SECRET' ? <span className="muted">{say('gateways.secretSet')}</span>
              : c.type === 'BOOL' ? say(c.value === 'true' ? 'banking.yes' : 'banking.no') : c.value}
          </Fact>
        ))}
        {(of.collectingIbans?.length ?? 0) > 0 && (
          <Fact name={say('gateways.collects')}>{of.collectingIbans?.map((i) => <span key={i} className="iban">{inFours(i)}</span>)}</Fact>
        )}
        <Fact name={say('gateways.changed')}><Moment at={of.updatedAt} /></Fact>
        {may({ needs: ['GATEWAYS_EDIT'] }) && <NotificationAddress id={of.id} />}
      </Facts>
    </section>
  );
}

/** NotificationAddress is shown when it is asked for: whoever knows it may write there. */
function NotificationAddress({ id }: { id: string }) {
  const { say } = useWords();
  const [isShown, setIsShown] = useState(false);
  const found = useQuery({
    queryKey: ['notificationAddress', id], enabled: isShown, gcTime: 0,
    queryFn: ({ signal }) => ask(NotificationAddressDocument, { id }, signal), select: (data) => data.gatewayAccount?.notificationUrl,
  });
  return (
    <Fact name={say('gateways.notifications')}>
      {!isShown && <button type="button" className="button" onClick={() => setIsShown(true)}><Icon name="eye" />{say('gateways.showAddress')}</button>}
      {found.data && <><code className="long">{found.data}</code><Copy name={say('gateways.notifications')} text={found.data} /></>}
    </Fact>
  );
}

function Setup({ of }: { of: Account }) {
  const { say } = useWords();
  const plugin = usePlugins().data?.find((p) => p.code === of.plugin);
  if (!plugin || plugin.setup.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="setup">
      <h2 id="setup">{say('gateways.setup')}</h2>
      <ol className="steps">{plugin.setup.map((s) => <li key={s.title}><b>{s.title}</b><p className="muted">{s.text}</p></li>)}</ol>
    </section>
  );
}
