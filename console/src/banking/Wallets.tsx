// Wallets: what they hold against what the bank says, and their days, to explain and to adjust.
import { startOfMonth, today } from '@internationalized/date';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api/client';
import {
  AdjustDifferenceDocument, AdjustmentPreviewDocument, BankWalletsDocument, ExplainDifferenceDocument, ExportListDocument, ReconcileDayDocument,
  WalletDaysDocument, type WalletDaysQuery,
  LinesChangedDocument, type BankWalletsQuery, type WalletFilter,
} from './banking.generated';
import { useAct } from '../ui/act';
import { Dialog } from '../ui/Dialog';
import { Exporter } from '../jobs/Exporter';
import { useHouse } from '../shell/house';
import { startOf } from '../ui/list/filters';
import { defineList, whole } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { useTitle } from '../shell/title';
import { Icon } from '../ui/Icon';
import { Refused, Waiting } from '../ui/State';
import { Trouble } from '../ui/Form';
import { useWords } from '../words/words';
import { inFours, Moment, type Tone } from '../ui/facts';
import { Scroll } from '../ui/Scroll';
import { asWallets, readWalletFilters, walletFilters, walletsOf, type WalletFilters } from './filters';
import { Badge, CodeLink, DayField, ReasonField, textOf, useFresh } from './kit';

type Wallet = NonNullable<WalletDaysQuery['wallet']>;
type Day = NonNullable<Wallet['days']>['nodes'][number];
type Difference = Day['differences'][number];

const tones = { AGREED: 'good', OPEN: 'bad', EXPLAINED: 'waiting' } as const satisfies Record<Day['status'], Tone>;

type Row = NonNullable<BankWalletsQuery['wallets']>[number];

const wallets = defineList({
  title: 'banking.wallets',
  path: '/wallets',
  filters: walletFilters,
  operation: BankWalletsDocument,
  variables: (s) => ({ filter: asWallets(s) }),
  page: ({ wallets: nodes }) => nodes && { nodes, pageInfo: whole },
  keyOf: (row) => row.id,
  rowPath: (row) => `/wallets/${row.id}`,
  live: { operation: LinesChangedDocument },
  none: 'banking.noWallets',
  views: { list: 'WALLETS', filterOf: asWallets, searchOf: (filter) => walletsOf(filter as WalletFilter) },
  columns: [
    { name: 'banking.wallet', className: 'cell-name', cell: (row) => <><RowLink>{row.bankName}</RowLink><span className="second iban">{inFours(row.iban)}</span></> },
    { name: 'banking.holder', cell: (row) => <div><span className="second">{row.holder}</span><span className="second muted">{row.dealer?.name}</span></div> },
    { name: 'banking.balance', className: 'number', cell: (row) => <Sum of={row.balance} in={row.currency} /> },
    { name: 'banking.atBank', className: 'number', cell: (row) => (row.feed?.bankBalance ? <Sum of={row.feed.bankBalance} in={row.currency} /> : '–') },
    { name: 'banking.health', cell: (row) => <Signs of={row} /> },
    { name: 'banking.readUntil', cell: (row) => row.feed && <Moment at={row.feed.readUntil} /> },
  ],
});

export function Wallets() {
  return <ListScreen list={wallets} search={getRouteApi('/wallets').useSearch()} />;
}

function Sum({ of, in: currency }: { of: string; in: string }) {
  return <>{useWords().money(of, currency)}</>;
}

function Signs({ of: w }: { of: Row }) {
  const { say } = useWords();
  return (
    <span className="statuses">
      {w.feed?.isLedgerOff && <Badge tone="bad">{say('banking.ledgerOff')}</Badge>}
      {w.feed?.trouble && <Badge tone="bad">{w.feed.trouble}</Badge>}
      {!w.isActive && <Badge tone="idle">{say('banking.off')}</Badge>}
      {w.feed?.bankBalance !== undefined && w.feed?.bankBalance !== null && (
        w.feed.bankBalance === w.balance
          ? <Badge tone="good">{say('banking.agrees')}</Badge> : <Badge tone="waiting">{say('banking.differs')}</Badge>
      )}
    </span>
  );
}

const route = getRouteApi('/wallets/$id');

export function WalletDays() {
  const { say } = useWords();
  const { id } = route.useParams();
  const filters = route.useSearch();
  useTitle(say('banking.wallet'));
  const found = useQuery({
    queryKey: ['wallet', id], queryFn: ({ signal }) => ask(WalletDaysDocument, { id, first: 62 }, signal), select: (data) => data.wallet,
  });
  useFresh(LinesChangedDocument, ['wallet']);
  return (
    <>
      <p className="trail"><Link to="/wallets"><Icon name="left" />{say('banking.wallets')}</Link></p>
      {found.isPending && <Waiting />}
      {found.error && <Refused error={found.error} retry={() => void found.refetch()} />}
      {found.data && <Shown wallet={found.data} filters={filters} />}
    </>
  );
}

function Shown({ wallet: w, filters }: { wallet: Wallet; filters: WalletFilters }) {
  const { say, money, moment, time, locale } = useWords();
  const navigate = useNavigate();
  const { label: labels } = useHouse();
  const go = (change: WalletFilters) => void navigate({ to: '/wallets/$id', params: { id: w.id }, search: readWalletFilters({ ...filters, ...change }) });
  const days = w.days?.nodes ?? [];
  const shown = days.find((d) => d.day === filters.day) ?? days.find((d) => d.status === 'OPEN') ?? days[0];
  const write = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', weekday: 'short' });
  return (
    <>
      <h1>{w.bankName} <span className="iban">{inFours(w.iban)}</span></h1>
      <div className="figures">
        <p className="figure">{say('banking.balance')}<b>{money(w.balance, w.currency)}</b></p>
        <p className="figure">{say('banking.available')}<b>{money(w.availableBalance, w.currency)}</b></p>
        <p className="figure">{say('banking.reserved')}<b>{money(w.reserved, w.currency)}</b></p>
        <p className="figure">
          {say('banking.atBank')}<b>{w.feed?.bankBalance ? money(w.feed.bankBalance, w.currency) : '–'}</b>
          <span className="muted">{w.feed?.bankBalanceAt && moment(w.feed.bankBalanceAt)}</span>
        </p>
      </div>
      {w.feed?.trouble && <Trouble text={w.feed.trouble} />}
      {w.feed?.isLedgerOff && <Trouble text={say('banking.ledgerOff')} />}
      <h2>{say('banking.days')}</h2>
      {days.length === 0 && <p className="muted">{say('banking.noDays')}</p>}
      <div className="calendar-days">
        {days.map((d) => (
          <button key={d.day} type="button" aria-pressed={d.day === shown?.day} onClick={() => go({ day: d.day })}>
            <b>{write.format(new Date(`${d.day}T12:00:00`))}</b>
            <Badge tone={tones[d.status]}>{labels('ReconciliationStatus', d.status)}</Badge>
          </button>
        ))}
      </div>
      {shown && <DayPanel key={shown.day} wallet={w} day={shown} />}
      <h2>{say('banking.exports')}</h2>
      <Exports wallet={w} filters={filters} go={go} />
      <h2>{say('banking.ledger')}</h2>
      <Scroll name={say('banking.ledger')}>
        <table className="small">
          <thead><tr>
            <th scope="col">{say('banking.kind')}</th><th scope="col">{say('banking.booked')}</th><th scope="col">{say('banking.available')}</th>
            <th scope="col">{say('banking.reserved')}</th><th scope="col">{say('banking.belongsTo')}</th>
          </tr></thead>
          <tbody>
            {w.entries?.nodes.map((e) => (
              <tr key={e.id}>
                <td>{labels('LedgerEntryKind', e.kind)}</td><td>{time(e.at)}</td><td>{money(e.available, w.currency)}</td>
                <td>{money(e.reserved, w.currency)}</td><td>{e.transaction ? <CodeLink code={e.transaction.trackingCode} /> : e.note ?? e.lineId}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

function Exports({ wallet, filters, go }: { wallet: Wallet; filters: WalletFilters; go: (change: WalletFilters) => void }) {
  const { say, language, zone } = useWords();
  const [list, setList] = useState<'STATEMENT' | 'LEDGER'>('STATEMENT');
  const first = startOfMonth(today(zone));
  const from = filters.from ?? first.subtract({ months: 1 }).toString();
  const until = filters.until ?? first.subtract({ days: 1 }).toString();
  return (
    <div className="filters">
      <DayField label={say('banking.from')} value={from} choose={(day) => go({ from: day })} />
      <DayField label={say('banking.until')} value={until} choose={(day) => go({ until: day })} />
      <label className="pick">
        {say('banking.what')}{' '}
        <select value={list} onChange={(e) => setList(e.target.value === 'LEDGER' ? 'LEDGER' : 'STATEMENT')}>
          <option value="STATEMENT">{say('banking.statement')}</option><option value="LEDGER">{say('banking.ledger')}</option>
        </select>
      </label>
      <Exporter
        operation={ExportListDocument}
        order={(format) => ({ input: { list, walletId: wallet.id, from: startOf(from, zone), until: startOf(until, zone, 1), format, language } })}
      />
    </div>
  );
}

function DayPanel({ wallet, day: d }: { wallet: Wallet; day: Day }) {
  const { say, money, time } = useWords();
  const { label: labels } = useHouse();
  const { member } = useHouse();
  const [explains, setExplains] = useState<Difference>();
  const [adjusts, setAdjusts] = useState(false);
  const compare = useAct(ReconcileDayDocument);
  const explain = useAct(ExplainDifferenceDocument, { done: () => setExplains(undefined) });
  const mayExplain = member.permissions.includes('DISCREPANCIES_RESOLVE');
  const hasBalance = d.differences.some((one) => one.kind === 'BALANCE_DIFFERS');
  const in_ = (amount: string | null) => (amount === null ? '–' : money(amount, wallet.currency));
  return (
    <section className="panel" aria-label={d.day}>
      <p className="headline"><span className="sum">{d.day}</span><Badge tone={tones[d.status]}>{labels('ReconciliationStatus', d.status)}</Badge></p>
      <Scroll name={d.day}>
        <table className="small">
          <thead><tr><th scope="col"><span className="unseen">{say('banking.what')}</span></th><th scope="col">{say('banking.in')}</th><th scope="col">{say('banking.out')}</th><th scope="col">{say('banking.closing')}</th></tr></thead>
          <tbody>
            <tr><th scope="row">{say('banking.ledger')}</th><td>{in_(d.ledgerIn)}</td><td>{in_(d.ledgerOut)}</td><td>{in_(d.ledgerClosing)}</td></tr>
            <tr><th scope="row">{say('banking.bank')}</th><td>{in_(d.bankIn)}</td><td>{in_(d.bankOut)}</td><td>{in_(d.bankClosing)}</td></tr>
          </tbody>
        </table>
      </Scroll>
      <p className="muted">{say('banking.compared', { count: d.matchedCount })} · {time(d.reconciledAt)}</p>
      {d.differences.map((one, i) => (
        <article key={i} className="candidate">
          <h3>{labels('DifferenceKind', one.kind)}</h3>
          <p>{say('banking.ours')}: <b>{in_(one.ours)}</b> · {say('banking.theirs')}: <b>{in_(one.theirs)}</b> {one.transaction && <CodeLink code={one.transaction.trackingCode} />} {one.lineId}</p>
          {one.reason
            ? <p className="muted"><Icon name="check" /> {one.reason} – {one.explainedBy?.name}</p>
            : mayExplain && <button type="button" className="button" onClick={() => setExplains(one)}>{say('banking.explain')}</button>}
        </article>
      ))}
      <div className="buttons">
        {mayExplain && (
          <button type="button" className="button" disabled={compare.isBusy} onClick={() => void compare.act({ input: { walletId: wallet.id, day: d.day } })}>
            {say('banking.compare')}
          </button>
        )}
        {hasBalance && member.permissions.includes('WALLETS_ADJUST') && (
          <button type="button" className="button" onClick={() => setAdjusts(true)}>{say('banking.adjust')}</button>
        )}
      </div>
      <Trouble text={compare.problem} />
      {explains && (
        <Dialog isOpen title={say('banking.explain')} close={() => setExplains(undefined)}>
          <form className="form" onSubmit={(e) => {
            e.preventDefault();
            void explain.act({ input: {
              walletId: wallet.id, day: d.day, kind: explains.kind, lineId: explains.lineId, entryId: explains.entryId, reason: textOf(e, 'reason'),
            } });
          }}>
            <p>{labels('DifferenceKind', explains.kind)}: {in_(explains.ours)} / {in_(explains.theirs)}</p>
            <Trouble text={explain.problem} />
            <ReasonField label={say('banking.reason')} isRequired />
            <div className="buttons">
              <button type="submit" className="button primary" disabled={explain.isBusy}>{say('banking.explain')}</button>
              <button type="button" className="button" onClick={() => setExplains(undefined)}>{say('banking.leave')}</button>
            </div>
          </form>
        </Dialog>
      )}
      {adjusts && <Adjust wallet={wallet} day={d} close={() => setAdjusts(false)} />}
    </section>
  );
}

function Adjust({ wallet, day, close }: { wallet: Wallet; day: Day; close: () => void }) {
  const { say, money } = useWords();
  const preview = useQuery({
    queryKey: ['adjustment', wallet.id, day.day],
    queryFn: ({ signal }) => ask(AdjustmentPreviewDocument, { walletId: wallet.id, day: day.day }, signal),
    select: (data) => data.adjustmentPreview,
  });
  const adjust = useAct(AdjustDifferenceDocument, { done: close });
  const p = preview.data;
  return (
    <Dialog isOpen title={say('banking.adjust')} close={close}>
      {preview.isPending && <Waiting />}
      {preview.error && <Refused error={preview.error} />}
      {p && (
        <div className="does">
          <p><b>{say('banking.willDo')}</b></p>
          <ul>
            <li>{say('banking.adjust.books', { amount: money(p.amount, wallet.currency) })}</li>
            <li>{say('banking.adjust.from', { from: money(p.ledgerClosing, wallet.currency), to: money(p.bankClosing, wallet.currency) })}</li>
            {p.laterDays > 0 && <li>{say('banking.adjust.later', { count: p.laterDays })}</li>}
          </ul>
        </div>
      )}
      {p?.obstacle && <Trouble text={p.obstacle} />}
      {p && (
        <form className="form" onSubmit={(e) => {
          e.preventDefault();
          void adjust.act({ input: { walletId: wallet.id, day: day.day, amount: p.amount, reason: textOf(e, 'reason') } });
        }}>
          <Trouble text={adjust.problem} />
          <ReasonField label={say('banking.reason')} isRequired />
          <div className="buttons">
            <button type="submit" className="button primary" disabled={adjust.isBusy || p.obstacle !== null}>{say('banking.adjust')}</button>
            <button type="button" className="button" onClick={close}>{say('banking.leave')}</button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
