// Bank lines: what came in, beside the deposits that it may belong to. By keyboard: j and k choose a line, digits a deposit, a credits.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ask } from '../api/client';
import {
  BankLineDocument, BankLinesDocument, BankWalletsDocument, BringBackBankLineDocument, CreditBankLineDocument, ExportListDocument,
  SetAsideBankLineDocument, type BankLineFilter, type BankLineQuery, type BankLineStatus, type BankLinesQuery,
  LinesChangedDocument,
} from './banking.generated';
import { useKeys } from '../shell/keys';
import { useAct } from '../ui/act';
import { Dialog } from '../ui/Dialog';
import { useHouse } from '../shell/house';
import { startOf } from '../ui/list/filters';
import { useTitle } from '../shell/title';
import { Refused, State, Waiting } from '../ui/State';
import { readAmount } from '../ui/amount';
import { useWords, writeDecimal } from '../words/words';
import { lineTones, waiting, readLineFilters, type LineFilters } from './filters';
import { Badge, CodeLink, DayField, Exporter, Fact, pageOf, Pages, Pick, ReasonField, rowKeys, SearchBox, textOf, Trouble, useFresh } from './kit';

type Row = NonNullable<BankLinesQuery['bankLines']>['nodes'][number];
type Line = NonNullable<BankLineQuery['bankLine']>;

function asFilter(f: LineFilters, zone: string): BankLineFilter {
  const filter: BankLineFilter = {};
  if (f.status !== 'ANY') filter.status = f.status ? [f.status as BankLineStatus] : waiting;
  if (f.q) filter.text = f.q;
  if (f.wallet) filter.walletId = f.wallet;
  if (f.amount) filter.amount = f.amount;
  if (f.from) filter.bookedFrom = startOf(f.from, zone);
  if (f.until) filter.bookedUntil = startOf(f.until, zone, 1);
  return filter;
}

const route = getRouteApi('/bank-lines');
const nameOf = (row: { wallet: { id: string }; lineId: string }) => `${row.wallet.id}/${row.lineId}`;

export function BankLines() {
  const { say, language, zone } = useWords();
  const filters = route.useSearch();
  const navigate = useNavigate();
  const { label: labels } = useHouse();
  const list = useRef<HTMLUListElement>(null);
  const go = (change: { [Name in keyof LineFilters]?: string | undefined }) => void navigate({
    replace: change.line !== undefined, // what is looked at is no step to come back to
    to: '/bank-lines', search: readLineFilters({ ...filters, after: undefined, before: undefined, line: undefined, ...change }),
  });
  const page = useQuery({
    queryKey: ['bankLines', { ...filters, line: undefined }],
    queryFn: ({ signal }) => ask(BankLinesDocument, { filter: asFilter(filters, zone), ...pageOf(filters) }, signal),
    select: (data) => data.bankLines,
    placeholderData: keepPreviousData,
  });
  const wallets = useQuery({ queryKey: ['wallets'], queryFn: ({ signal }) => ask(BankWalletsDocument, {}, signal) });
  useFresh(LinesChangedDocument, ['bankLines', 'bankLine']);
  useKeys(rowKeys(list.current));
  useTitle(say('banking.lines'));
  const rows = page.data?.nodes ?? [];
  const shown = filters.line ?? (rows[0] && nameOf(rows[0]));
  const next = () => {
    const at = rows.findIndex((r) => nameOf(r) === shown);
    const to = rows[at + 1] ?? rows[at - 1];
    go({ ...filters, line: to && nameOf(to) });
  };
  return (
    <>
      <h1>{say('banking.lines')}</h1>
      <div className="filters">
        <SearchBox text={filters.q ?? ''} label={say('banking.lineSearch')} search={(q) => go({ q })} />
        <Pick
          label={say('transactions.status')} value={filters.status ?? ''} choose={(status) => go({ status })}
          options={[['', say('banking.waiting')], ['ANY', say('banking.any')], ...Object.keys(lineTones).map((s) => [s, labels('BankLineStatus', s)] as const)]}
        />
        <Pick
          label={say('banking.wallet')} value={filters.wallet ?? ''} choose={(wallet) => go({ wallet })}
          options={[['', say('banking.any')], ...(wallets.data?.wallets ?? []).map((w) => [w.id, `${w.bankName} ${w.iban.slice(-4)}`] as const)]}
        />
        <AmountField value={filters.amount ?? ''} choose={(amount) => go({ amount })} />
        <DayField label={say('banking.from')} value={filters.from ?? ''} choose={(from) => go({ from })} />
        <DayField label={say('banking.until')} value={filters.until ?? ''} choose={(until) => go({ until })} />
      </div>
      <Exporter
        operation={ExportListDocument}
        order={(format) => ({ input: { list: 'BANK_LINES' as const, bankLines: asFilter(filters, zone), format, language } })}
      />
      {page.isPending && <Waiting />}
      {page.error && <Refused error={page.error} retry={() => void page.refetch()} />}
      {page.data && rows.length === 0 && !filters.line && <State icon="check" title={say('banking.noLines')} />}
      {page.data && (rows.length > 0 || filters.line) && (
        <div className="beside">
          <div>
            <ul className="plain-list" ref={list} aria-label={say('banking.lines')}>
              {rows.map((row) => (
                <li key={nameOf(row)}><RowLink row={row} isShown={nameOf(row) === shown} show={() => go({ ...filters, line: nameOf(row) })} /></li>
              ))}
            </ul>
            <div className="foot">
              <Pages info={page.data.pageInfo} isTurned={Boolean(filters.after ?? filters.before)} turn={(to) => go(to)} />
            </div>
          </div>
          {shown && <Shown name={shown} key={shown} next={next} pin={() => { if (!filters.line) go({ ...filters, line: shown }); }} />}
        </div>
      )}
    </>
  );
}

/** AmountField takes an amount as people write it, and gives it exactly. */
function AmountField({ value, choose }: { value: string; choose: (amount: string) => void }) {
  const { say, locale, language } = useWords();
  const [text, setText] = useState(value === '' ? '' : writeDecimal(value, locale));
  const read = readAmount(text, language);
  return (
    <form className="pick" onSubmit={(e) => { e.preventDefault(); if (read !== undefined) choose(read); }}>
      <label>{say('transactions.amount')} <input size={9} inputMode="decimal" value={text} aria-invalid={text !== '' && read === undefined}
        onChange={(e) => setText(e.target.value)} onBlur={() => { if (text === '' && value !== '') choose(''); }} /></label>
    </form>
  );
}

function RowLink({ row, isShown, show }: { row: Row; isShown: boolean; show: () => void }) {
  const { money, moment } = useWords();
  const { label: labels } = useHouse();
  return (
    <button type="button" className="row-link row" aria-current={isShown} onClick={show} onFocus={() => { if (!isShown) show(); }}>
      <b>{row.counterpartyName ?? row.text ?? row.lineId}</b>
      <b className="end">{row.direction === 'OUTGOING' ? '−' : ''}{money(row.amount, row.currency)}</b>
      <span className="muted">{row.text}</span>
      <span className="end muted">{moment(row.bookedAt)}</span>
      <Badge tone={lineTones[row.status]}>{labels('BankLineStatus', row.status)}</Badge>
    </button>
  );
}

function Shown({ name, next, pin }: { name: string; next: () => void; pin: () => void }) {
  const [walletId = '', ...rest] = name.split('/');
  const lineId = rest.join('/');
  const found = useQuery({
    queryKey: ['bankLine', name],
    queryFn: ({ signal }) => ask(BankLineDocument, { walletId, lineId }, signal),
    select: (data) => data.bankLine,
  });
  if (found.isPending) return <Waiting />;
  if (found.error) return <Refused error={found.error} retry={() => void found.refetch()} />;
  return found.data ? <Facts line={found.data} next={next} pin={pin} /> : null;
}

function Facts({ line, next, pin }: { line: Line; next: () => void; pin: () => void }) {
  const { say, money, time } = useWords();
  const { label: labels } = useHouse();
  const { member } = useHouse();
  const mayDecide = member.permissions.includes('DEPOSITS_DECIDE');
  const [chosen, setChosen] = useState(0);
  const [asks, setAsks] = useState<'credit' | 'aside' | 'back'>();
  // Whoever begins to decide about a line goes on seeing it, also when somebody else was quicker.
  const open = (what: 'credit' | 'aside' | 'back') => { pin(); setAsks(what); };
  const isWaiting = waiting.includes(line.status);
  const candidate = line.candidates[chosen];
  const done = () => { setAsks(undefined); next(); };
  const credit = useAct(CreditBankLineDocument, { done: done });
  const aside = useAct(SetAsideBankLineDocument, { done: done });
  const back = useAct(BringBackBankLineDocument, { done: () => setAsks(undefined) });
  const digits = Object.fromEntries(line.candidates.slice(0, 9).map((_, i) => [String(i + 1), () => setChosen(i)]));
  useKeys(asks || !mayDecide ? {} : {
    ...digits, ...(candidate && isWaiting && { a: () => open('credit') }), ...(isWaiting && { s: () => open('aside') }),
  });
  useEffect(() => setChosen(0), [line.lineId]);
  const on = { walletId: line.wallet.id, lineId: line.lineId };
  return (
    <section className="panel" aria-label={say('banking.line')}>
      <p className="headline">
        <span className="sum">{line.direction === 'OUTGOING' ? '−' : ''}{money(line.amount, line.currency)}</span>
        <Badge tone={lineTones[line.status]}>{labels('BankLineStatus', line.status)}</Badge>
      </p>
      <dl className="facts">
        <Fact name={say('banking.otherSide')}>{line.counterpartyName ?? '–'} {line.counterpartyIban && <code>{line.counterpartyIban}</code>}</Fact>
        <Fact name={say('banking.text')}>{line.text ?? '–'}</Fact>
        <Fact name={say('banking.booked')}>{time(line.bookedAt)}</Fact>
        <Fact name={say('banking.wallet')}>{line.wallet.bankName} · {line.wallet.iban}</Fact>
        {line.note && !isWaiting && <Fact name={say('banking.note')}>{line.note}</Fact>}
        {line.transaction && <Fact name={say('banking.belongsTo')}><CodeLink code={line.transaction.trackingCode} /></Fact>}
      </dl>
      {isWaiting && line.candidates.length > 0 && <h2>{say('banking.candidates')}</h2>}
      {line.candidates.map((c, i) => (
        <article key={c.transaction.trackingCode} className="candidate" aria-current={i === chosen}>
          <h3>{i < 9 && <kbd>{i + 1}</kbd>} {c.transaction.customer.fullname} · {money(c.transaction.amount, c.transaction.currency)}</h3>
          <p className="muted">
            <CodeLink code={c.transaction.trackingCode} /> · {c.transaction.provider?.name} ·{' '}
            {labels('TransactionStatus', c.transaction.status)} · {time(c.transaction.createdAt)}
          </p>
          <div className="evidence">
            {c.evidence.map((e) => <Badge key={e} tone="good">{labels('MatchEvidence', e)}</Badge>)}
            {against(c.evidence, line).map((e) => <Badge key={e} tone="bad">{say(e)}</Badge>)}
          </div>
          <p className="muted">{say('banking.score', { score: c.score })}</p>
          {mayDecide && isWaiting && (
            <button type="button" className={i === chosen ? 'button primary' : 'button'} onClick={() => { setChosen(i); open('credit'); }}>
              {say('banking.credit')}{i === chosen && <kbd aria-hidden="true">a</kbd>}
            </button>
          )}
        </article>
      ))}
      {isWaiting && line.candidates.length === 0 && <p className="muted">{say('banking.noCandidates')}</p>}
      {mayDecide && (
        <div className="buttons">
          {isWaiting && <button type="button" className="button" onClick={() => open('aside')}>{say('banking.setAside')}<kbd aria-hidden="true">s</kbd></button>}
          {line.status === 'SET_ASIDE' && <button type="button" className="button" onClick={() => open('back')}>{say('banking.bringBack')}</button>}
        </div>
      )}
      {asks === 'credit' && candidate && (
        <Dialog isOpen title={say('banking.credit')} close={() => { setAsks(undefined); credit.clear(); }}>
          <div className="does">
            <ul>
              <li>{say('banking.willCredit', { amount: money(line.amount, line.currency), code: candidate.transaction.trackingCode, name: candidate.transaction.customer.fullname })}</li>
              {candidate.transaction.amount !== line.amount && (
                <li><b>{say('banking.amountDiffers', { amount: money(candidate.transaction.amount, candidate.transaction.currency) })}</b></li>
              )}
              <li>{say('banking.lineOnce')}</li>
            </ul>
          </div>
          <form className="form" onSubmit={(e) => {
            e.preventDefault();
            void credit.act({ input: { ...on, trackingCode: candidate.transaction.trackingCode, reason: textOf(e, 'reason') || null } });
          }}>
            <Trouble text={credit.problem} />
            <ReasonField label={say('banking.reason')} />
            <div className="buttons">
              <button type="submit" className="button primary" autoFocus disabled={credit.isBusy}>{say('banking.credit')}</button>
              <button type="button" className="button" onClick={() => { setAsks(undefined); credit.clear(); }}>{say('banking.leave')}</button>
            </div>
          </form>
        </Dialog>
      )}
      {(asks === 'aside' || asks === 'back') && (
        <Dialog isOpen title={say(asks === 'aside' ? 'banking.setAside' : 'banking.bringBack')} close={() => setAsks(undefined)}>
          <form className="form" onSubmit={(e) => {
            e.preventDefault();
            void (asks === 'aside' ? aside : back).act({ input: { ...on, reason: textOf(e, 'reason') } });
          }}>
            <Trouble text={aside.problem || back.problem} />
            <ReasonField label={say(asks === 'aside' ? 'banking.whatIsIt' : 'banking.reason')} isRequired />
            <div className="buttons">
              <button type="submit" className="button primary" disabled={aside.isBusy || back.isBusy}>{say('banking.goOn')}</button>
              <button type="button" className="button" onClick={() => setAsks(undefined)}>{say('banking.leave')}</button>
            </div>
          </form>
        </Dialog>
      )}
    </section>
  );
}

/** against is what speaks against a deposit: what is not among its evidence. */
function against(evidence: readonly string[], line: Line) {
  const list: ('banking.against.amount' | 'banking.against.name' | 'banking.against.time' | 'banking.against.code')[] = [];
  if (!evidence.includes('AMOUNT')) list.push('banking.against.amount');
  if (!evidence.includes('NAME') && !evidence.includes('SIMILAR_NAME') && line.counterpartyName) list.push('banking.against.name');
  if (!evidence.includes('IN_TIME')) list.push('banking.against.time');
  if (!evidence.includes('TRACKING_CODE')) list.push('banking.against.code');
  return list;
}
