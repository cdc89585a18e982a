// Statistics: how much, how well and how fast, by time and by whom. Whatever is clicked narrows the rest.
import { today } from '@internationalized/date';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ask } from '../api/client';
import {
  DeskAgesDocument, ExportListDocument, FiguresDocument, type FiguresQuery, type StatisticsDimension, type StatisticsFilter, type TransactionMethod,
} from './banking.generated';
import { Exporter } from '../jobs/Exporter';
import { useHouse } from '../shell/house';
import { startOf } from '../ui/list/filters';
import { useTitle } from '../shell/title';
import { Icon } from '../ui/Icon';
import { Refused, State, Waiting } from '../ui/State';
import { Scroll } from '../ui/Scroll';
import { useWords } from '../words/words';
import { Chart, type Series } from './Chart';
import { dayText, dimensions, methods, type Dimension, FLOOR, FAILING, readFigures, type Figures } from './filters';
import { Badge, DayField, Pick } from './kit';

type Row = NonNullable<FiguresQuery['statistics']>['rows'][number];

const route = getRouteApi('/statistics');

export function Statistics() {
  const { say, money, locale, language, moment, zone } = useWords();
  const { label: labels, member } = useHouse();
  const f = route.useSearch();
  const seesInside = member.providerId === null; // who works for a provider is hidden from its own people
  const navigate = useNavigate();
  useTitle(say('banking.statistics'));
  const now = today(zone);
  const from = f.from ?? now.subtract({ days: 6 }).toString();
  const until = f.until ?? now.toString();
  const by = (f.by ?? 'METHOD') as Dimension;
  const per = from === until ? 'HOUR' as const : 'DAY' as const;
  const go = (change: { [Name in keyof Figures]?: string | undefined }) => void navigate({ to: '/statistics', search: readFigures({ ...f, ...change }) });
  const filter: StatisticsFilter = {
    ...(f.method && { method: f.method.split(',') as TransactionMethod[] }), ...(f.provider && { providerId: [f.provider] }),
    ...(f.site && { siteId: f.site }), ...(f.dealer && { dealerId: f.dealer }), ...(f.gateway && { gatewayId: f.gateway }),
  };
  const range = { from: startOf(from, zone), until: startOf(until, zone, 1) };
  const useRows = (name: string, groups: StatisticsDimension[], interval: 'HOUR' | 'DAY' | null, enabled = true) => useQuery({
    enabled,
    queryKey: ['statistics', name, f, range],
    queryFn: ({ signal }) => ask(FiguresDocument, { filter, by: groups, per: interval, ...range }, signal),
    select: (data) => data.statistics,
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  const overTime = useRows('time', [], per);
  const parts = useRows(`by ${by}`, [by], null);
  const ended = useRows('status', ['STATUS'], null);
  const gateways = useRows('gateways', ['GATEWAY'], null, seesInside);
  const health = useRows('health', ['GATEWAY'], per, seesInside);
  const count = new Intl.NumberFormat(locale);
  const percent = (share: number) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share);
  const took = (ms: number | null) => (ms === null ? '–' : writeSpan(ms, locale));
  const writeTime = new Intl.DateTimeFormat(locale, per === 'HOUR' ? { hour: '2-digit', minute: '2-digit', timeZone: zone } : { day: 'numeric', month: 'short', timeZone: zone });
  const times = everyInterval(overTime.data?.rows ?? [], range, per, zone);
  const whole = total(parts.data?.rows ?? []);
  const narrowTo = (index: number) => {
    const at = times[index]?.at;
    if (at !== undefined && per === 'DAY') {
      const day = dayText(at, zone);
      go({ from: day, until: day });
    }
  };
  const error = overTime.error ?? parts.error;
  return (
    <>
      <h1>{say('banking.statistics')}</h1>
      <div className="filters">
        <DayField label={say('banking.from')} value={from} choose={(day) => go({ from: day })} />
        <DayField label={say('banking.until')} value={until} choose={(day) => go({ until: day })} />
        <Pick
          label={say('transactions.method')} value={f.method ?? ''} choose={(method) => go({ method })}
          options={[['', say('banking.any')], ...(f.method?.includes(',') ? [[f.method, say('banking.several')] as const] : []), ...methods.map((m) => [m, labels('TransactionMethod', m)] as const)]}
        />
        <Pick label={say('banking.by')} value={by} choose={(to) => go({ by: to })} options={dimensions.filter((d) => seesInside || d === 'METHOD' || d === 'SITE').map((d) => [d, labels('StatisticsDimension', d)] as const)} />
      </div>
      <Chosen figures={f} rows={parts.data?.rows ?? []} go={go} />
      <Exporter
        operation={ExportListDocument}
        order={(format) => ({ input: { list: 'STATISTICS' as const, ...range, statistics: filter, by: [by], per, format, language } })}
      />
      {overTime.isPending && <Waiting />}
      {error && <Refused error={error} retry={() => { void overTime.refetch(); void parts.refetch(); }} />}
      {overTime.data && overTime.data.rows.length === 0 && <State icon="search" title={say('banking.noFigures')} />}
      {overTime.data && overTime.data.rows.length > 0 && (
        <>
          <div className="figures">
            <p className="figure">{say('banking.created')}<b>{count.format(whole.count)}</b></p>
            <p className="figure">{say('banking.success')}<b>{whole.ended > 0 ? percent(whole.approved / whole.ended) : '–'}</b><span className="muted">{say('banking.ofEnded', { count: whole.ended })}</span></p>
            {(parts.data?.rows ?? []).length > 0 && <p className="figure">{say('banking.decide')}<b>{took(slowest(parts.data?.rows ?? [], 'medianDecisionMs'))}</b><span className="muted">{say('banking.p90', { time: took(slowest(parts.data?.rows ?? [], 'p90DecisionMs')) })}</span></p>}
            <p className="figure">{say('banking.deliver')}<b>{took(slowest(parts.data?.rows ?? [], 'medianCallbackDelayMs'))}</b><span className="muted">{say('banking.p90', { time: took(slowest(parts.data?.rows ?? [], 'p90CallbackDelayMs')) })}</span></p>
          </div>
          <div className="charts">
            <Chart
              title={say(per === 'HOUR' ? 'banking.perHour' : 'banking.perDay')} times={times.map(({ at }) => Date.parse(at) / 1000)}
              writeTime={(t) => writeTime.format(new Date(t * 1000))} {...(per === 'DAY' && { narrow: narrowTo })}
              series={[
                { name: say('banking.created'), color: '--brand', values: times.map(({ row }) => row?.count ?? 0), write: (v) => count.format(v) },
                {
                  name: say('banking.success'), color: '--wait', isShare: true, values: times.map(({ row }) => (row?.approvalRate == null ? null : row.approvalRate * 100)),
                  write: (v) => percent(v / 100),
                },
              ]}
            />
            <Funnel rows={ended.data?.rows ?? []} whole={whole} write={(n) => count.format(n)} />
            <Bars
              title={labels('StatisticsDimension', by)} rows={parts.data?.rows ?? []} by={by} percent={percent} money={money} took={took}
              narrow={(row) => go(narrowing(by, row))}
            />
            {seesInside && <DeskAges />}
            <Gateways rows={gateways.data?.rows ?? []} percent={percent} took={took} narrow={(id) => go({ gateway: id })} />
            {seesInside && (
              <Health
                rows={health.data?.rows ?? []} times={times.map(({ at }) => at)} slotOf={(at) => slotOf(at, per, zone)} percent={percent} took={took}
                writeTime={(t) => writeTime.format(new Date(t * 1000))} {...(per === 'DAY' && { narrow: narrowTo })}
              />
            )}
          </div>
          <p className="muted">{overTime.data.countedUntil && say('banking.counted', { time: moment(overTime.data.countedUntil), zone: overTime.data.timeZone })}</p>
        </>
      )}
    </>
  );
}

/** writeSpan writes how long something took, in the unit that people would use. */
function writeSpan(ms: number, locale: string) {
  const [unit, length] = ms < 60_000 ? ['second', 1000] : ms < 3_600_000 ? ['minute', 60_000] : ms < 172_800_000 ? ['hour', 3_600_000] : ['day', 86_400_000] as const;
  return new Intl.NumberFormat(locale, { style: 'unit', unit: String(unit), maximumFractionDigits: 1 }).format(ms / Number(length));
}

/** slotOf names the day, or hour, that a moment is in. */
const slotOf = (at: string, per: 'HOUR' | 'DAY', zone: string) => (
  per === 'DAY' ? dayText(at, zone) : String(Math.floor(Date.parse(at) / 3_600_000)));

/** everyInterval has each day, or hour, once: what nothing happened in is a part of the picture, too. Of several currencies it is the first. */
function everyInterval(rows: readonly Row[], { from, until }: { from: string; until: string }, per: 'HOUR' | 'DAY', zone: string) {
  const nameOf = (at: string) => slotOf(at, per, zone);
  const [currency] = rows.map((r) => r.currency);
  const byName = new Map(rows.filter((r) => r.currency === currency).map((r) => [nameOf(r.from), r]));
  const list: { at: string; row: Row | undefined }[] = [];
  for (let at = from; at < until && list.length < 1000;) {
    list.push({ at, row: byName.get(nameOf(at)) });
    at = per === 'DAY' ? startOf(dayText(at, zone), zone, 1) : new Date(Date.parse(at) + 3_600_000).toISOString();
  }
  return list;
}

/** total adds counts up; amounts are never added here. */
const total = (rows: readonly Row[]) => rows.reduce(
  (sum, r) => ({ count: sum.count + r.count, ended: sum.ended + r.endedCount, approved: sum.approved + r.approvedCount }),
  { count: 0, ended: 0, approved: 0 },
);

/** slowest is the worst of the parts: percentiles cannot be added. */
function slowest(rows: readonly Row[], of: 'medianDecisionMs' | 'p90DecisionMs' | 'medianCallbackDelayMs' | 'p90CallbackDelayMs') {
  const all = rows.map((r) => r[of]).filter((ms): ms is number => ms !== null);
  return all.length === 0 ? null : Math.max(...all);
}

function narrowing(by: Dimension, row: Row): Figures {
  if (by === 'METHOD') return row.method ? { method: row.method } : {};
  if (by === 'PROVIDER') return row.provider ? { provider: row.provider.id } : {};
  if (by === 'SITE') return row.site ? { site: row.site.id } : {};
  if (by === 'DEALER') return row.dealer ? { dealer: row.dealer.id } : {};
  return row.gateway ? { gateway: row.gateway.id } : {};
}

function Chosen({ figures: f, rows, go }: { figures: Figures; rows: readonly Row[]; go: (change: { [Name in keyof Figures]?: string | undefined }) => void }) {
  const { say } = useWords();
  const { label: labels } = useHouse();
  const list: [string, keyof Figures][] = [];
  for (const m of f.method?.split(',') ?? []) list.push([labels('TransactionMethod', m), 'method']);
  if (f.provider) list.push([rows.find((r) => r.provider?.id === f.provider)?.provider?.name ?? `${say('banking.provider')} ${f.provider}`, 'provider']);
  if (f.site) list.push([rows.find((r) => r.site?.id === f.site)?.site?.name ?? `${say('banking.site')} ${f.site}`, 'site']);
  if (f.dealer) list.push([rows.find((r) => r.dealer?.id === f.dealer)?.dealer?.name ?? `${say('banking.dealer')} ${f.dealer}`, 'dealer']);
  if (f.gateway) list.push([rows.find((r) => r.gateway?.id === f.gateway)?.gateway?.name ?? `${say('banking.gateway')} ${f.gateway}`, 'gateway']);
  if (list.length === 0) return null;
  return (
    <ul className="chips">
      {list.map(([name, key]) => (
        <li key={key + name}><button type="button" className="chip" aria-label={say('list.remove', { name })} onClick={() => go({ [key]: undefined })}>{name}<Icon name="close" /></button></li>
      ))}
    </ul>
  );
}

/** Funnel is what became of those that were created. */
function Funnel({ rows, whole, write }: { rows: readonly Row[]; whole: { count: number; ended: number; approved: number }; write: (n: number) => string }) {
  const { say } = useWords();
  const { label: labels } = useHouse();
  const steps: [string, number][] = [[say('banking.created'), whole.count], [say('banking.ended'), whole.ended], [say('banking.approvedOnes'), whole.approved]];
  const byStatus = new Map<string, number>();
  for (const r of rows) if (r.status) byStatus.set(r.status, (byStatus.get(r.status) ?? 0) + r.count);
  return (
    <section className="panel chart" aria-label={say('banking.funnel')}>
      <h2>{say('banking.funnel')}</h2>
      <table className="small">
        <tbody>
          {steps.map(([name, n]) => (
            <tr key={name}><th scope="row">{name}</th><td><meter min={0} max={Math.max(whole.count, 1)} value={n} aria-label={name} /></td><td>{write(n)}</td></tr>
          ))}
        </tbody>
      </table>
      <details>
        <summary>{say('banking.table')}</summary>
        <table className="small"><tbody>{[...byStatus].map(([s, n]) => <tr key={s}><th scope="row">{labels('TransactionStatus', s)}</th><td>{write(n)}</td></tr>)}</tbody></table>
      </details>
    </section>
  );
}

function Bars({ title, rows, by, percent, money, took, narrow }: {
  title: string; rows: readonly Row[]; by: Dimension; percent: (share: number) => string; money: (amount: string, currency: string) => string;
  took: (ms: number | null) => string; narrow: (row: Row) => void;
}) {
  const { say } = useWords();
  const { label: labels } = useHouse();
  const most = Math.max(1, ...rows.map((r) => r.count));
  const nameOf = (r: Row) => (by === 'METHOD' ? r.method && labels('TransactionMethod', r.method)
    : by === 'PROVIDER' ? r.provider?.name : by === 'SITE' ? r.site?.name : by === 'DEALER' ? r.dealer?.name : r.gateway?.name) ?? say('banking.none');
  return (
    <section className="panel chart" aria-label={title}>
      <h2>{title}</h2>
      <div className="bars">
        {rows.map((r, i) => (
          <button key={i} type="button" className="bar" onClick={() => narrow(r)}>
            <span>{nameOf(r)}</span><meter min={0} max={most} value={r.count} aria-label={nameOf(r)} /><span>{r.count}</span>
          </button>
        ))}
      </div>
      <details>
        <summary>{say('banking.table')}</summary>
        <Scroll name={title}>
          <table className="small">
            <thead><tr>
              <th scope="col">{title}</th><th scope="col">{say('banking.created')}</th><th scope="col">{say('banking.success')}</th><th scope="col">{say('banking.requested')}</th>
              <th scope="col">{say('banking.paid')}</th><th scope="col">{say('banking.decide')}</th><th scope="col">P90</th><th scope="col">P99</th>
            </tr></thead>
            <tbody>
              {rows.map((r, i) => (
                <tr key={i}>
                  <th scope="row">{nameOf(r)}</th><td>{r.count}</td><td>{r.approvalRate === null ? '–' : percent(r.approvalRate)}</td>
                  <td>{money(r.requestedAmount, r.currency)}</td><td>{money(r.approvedAmount, r.currency)}</td><td>{took(r.medianDecisionMs)}</td>
                  <td>{took(r.p90DecisionMs)}</td><td>{took(r.p99DecisionMs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    </section>
  );
}

/** Gateways says which of them fail. */
function Gateways({ rows, percent, took, narrow }: {
  rows: readonly Row[]; percent: (share: number) => string; took: (ms: number | null) => string; narrow: (id: string) => void;
}) {
  const { say } = useWords();
  const all = rows.filter((r) => r.gateway !== null).toSorted((a, b) => (a.approvalRate ?? 2) - (b.approvalRate ?? 2));
  if (all.length === 0) return null;
  return (
    <section className="panel chart" aria-label={say('banking.gateways')}>
      <h2>{say('banking.gateways')}</h2>
      <Scroll name={say('banking.gateways')}>
        <table className="small">
          <thead><tr>
            <th scope="col">{say('banking.gateway')}</th><th scope="col">{say('banking.health')}</th><th scope="col">{say('banking.success')}</th>
            <th scope="col">{say('banking.ended')}</th><th scope="col">{say('banking.decide')}</th><th scope="col">P90</th>
          </tr></thead>
          <tbody>
            {all.map((r, i) => (
              <tr key={i}>
                <th scope="row"><button type="button" className="button quiet" onClick={() => narrow(r.gateway?.id ?? '')}>{r.gateway?.name}</button></th>
                <td>
                  {r.endedCount < FLOOR ? <Badge tone="idle">{say('banking.tooFew', { count: FLOOR })}</Badge>
                    : (r.approvalRate ?? 0) < FAILING ? <Badge tone="bad">{say('banking.fails')}</Badge> : <Badge tone="good">{say('banking.works')}</Badge>}
                </td>
                <td>{r.approvalRate === null ? '–' : percent(r.approvalRate)}</td><td>{r.endedCount}</td><td>{took(r.medianDecisionMs)}</td><td>{took(r.p90DecisionMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

const lines = ['--brand', '--bad', '--wait', '--idle', '--good'] as const;

/**
 * Health is how gateways did over time: the share that succeeded, and how long it took. Of several gateways it is the median of each, of
 * those with the most payments; of one all that percentiles say.
 */
function Health({ rows, times, slotOf, percent, took, writeTime, narrow }: {
  rows: readonly Row[]; times: readonly string[]; slotOf: (at: string) => string; percent: (share: number) => string;
  took: (ms: number | null) => string; writeTime: (seconds: number) => string; narrow?: (index: number) => void;
}) {
  const { say } = useWords();
  const byGateway = new Map<string, { name: string; count: number; at: Map<string, Row> }>();
  for (const r of rows) {
    if (!r.gateway) continue;
    const known = byGateway.get(r.gateway.id) ?? { name: r.gateway.name, count: 0, at: new Map<string, Row>() };
    known.count += r.endedCount;
    known.at.set(slotOf(r.from), r);
    byGateway.set(r.gateway.id, known);
  }
  const all = [...byGateway.values()].toSorted((a, b) => b.count - a.count).slice(0, lines.length);
  const [only] = all;
  if (!only) return null;
  const valuesOf = (at: Map<string, Row>, of: (row: Row) => number | null) => times.map((t) => {
    const row = at.get(slotOf(t));
    return row ? of(row) : null;
  });
  const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);
  const writeSeconds = (s: number) => took(s * 1000);
  const shared = { times: times.map((at) => Date.parse(at) / 1000), writeTime, ...(narrow && { narrow }) };
  const colorOf = (i: number) => lines[i % lines.length] ?? '--brand';
  const shares = all.map((g, i): Series => ({
    name: g.name, color: colorOf(i), isShare: true, write: (v) => percent(v / 100),
    values: valuesOf(g.at, (r) => (r.approvalRate === null ? null : r.approvalRate * 100)),
  }));
  const spans = all.length > 1
    ? all.map((g, i): Series => ({ name: g.name, color: colorOf(i), write: writeSeconds, values: valuesOf(g.at, (r) => seconds(r.medianDecisionMs)) }))
    : ([[say('banking.half'), 'medianDecisionMs'], ['P90', 'p90DecisionMs'], ['P99', 'p99DecisionMs']] as const).map(([name, of], i): Series => ({
      name, color: colorOf(i), write: writeSeconds, values: valuesOf(only.at, (r) => seconds(r[of])),
    }));
  return (
    <>
      <Chart title={say('banking.gatewaySuccess')} series={shares} {...shared} />
      <Chart title={say(all.length > 1 ? 'banking.gatewayMedian' : 'banking.gatewaySpans')} series={spans} {...shared} />
    </>
  );
}

/** DeskAges says how long withdrawals wait for somebody to pay them, now. */
function DeskAges() {
  const { say, age } = useWords();
  const found = useQuery({
    queryKey: ['deskAges'], queryFn: ({ signal }) => ask(DeskAgesDocument, {}, signal), select: (data) => data.withdrawalDesk ?? [], refetchInterval: 30_000,
  });
  if (!found.data?.length) return null;
  return (
    <section className="panel chart" aria-label={say('banking.deskAge')}>
      <h2>{say('banking.deskAge')}</h2>
      <Scroll name={say('banking.deskAge')}>
        <table className="small">
          <thead><tr>
            <th scope="col">{say('banking.dealer')}</th><th scope="col">{say('banking.free')}</th><th scope="col">{say('banking.claimed')}</th>
            <th scope="col">{say('banking.lapsed')}</th><th scope="col">{say('banking.oldestFree')}</th>
          </tr></thead>
          <tbody>
            {found.data.map((d) => (
              <tr key={d.dealerId}>
                <th scope="row">{d.dealer?.name ?? d.dealerId}</th><td>{d.waitingCount}</td><td>{d.claimedCount}</td><td>{d.lapsedCount}</td>
                <td>{d.oldestFreeAt === null ? '–' : age(d.oldestFreeAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
