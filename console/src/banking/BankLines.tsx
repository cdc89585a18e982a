// Bank lines: what came in, beside the deposits that it may belong to. By keyboard: j and k choose a line, digits a deposit, a credits.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ask } from '../api/client';
import {
  BankLineDocument, BankLinesDocument, BringBackBankLineDocument, CreditBankLineDocument, ExportListDocument, LinesChangedDocument,
  SetAsideBankLineDocument, type BankLineFilter, type BankLineQuery, type BankLineStatus, type BankLinesQuery,
} from './banking.generated';
import { Exporter } from '../jobs/Exporter';
import { useHouse } from '../shell/house';
import { useKeys } from '../shell/keys';
import { undoing, useAct } from '../ui/act';
import { Dialog } from '../ui/Dialog';
import { Fact, inFours, Moment } from '../ui/facts';
import { defineList } from '../ui/list/list';
import { ListScreen, RowLink } from '../ui/list/ListScreen';
import { Refused, Waiting } from '../ui/State';
import { Trouble } from '../ui/Form';
import { useWords } from '../words/words';
import { asLines, lineFilters, linesOf, lineTones, waiting } from './filters';
import { Badge, CodeLink, ReasonField, textOf } from './kit';

type Row = NonNullable<BankLinesQuery['bankLines']>['nodes'][number];
type Line = NonNullable<BankLineQuery['bankLine']>;

const PATH = '/bank-lines';
const nameOf = (row: { wallet: { id: string }; lineId: string }) => `${row.wallet.id}/${row.lineId}`;

const lines = defineList({
  title: 'banking.lines',
  path: PATH,
  filters: lineFilters,
  operation: BankLinesDocument,
  variables: (s, page, zone) => ({ filter: asLines(s, zone), ...page }),
  page: (result) => result.bankLines,
  keyOf: nameOf,
  live: { operation: LinesChangedDocument },
  none: 'banking.noLines',
  views: { list: 'BANK_LINES', filterOf: asLines, searchOf: (filter, zone) => linesOf(filter as BankLineFilter, zone) },
  className: 'pair',
  columns: [
    {
      name: 'banking.otherSide', className: 'cell-what',
      cell: (row) => (
        <>
          <RowLink>{row.counterpartyName ?? row.text ?? row.lineId}</RowLink>
          <span className="second muted">{row.text}</span>
          <LineTag of={row.status} />
        </>
      ),
    },
    {
      name: 'transactions.amount', className: 'cell-sum',
      cell: (row) => <><b><Amount of={row} /></b><span className="second muted"><Moment at={row.bookedAt} /></span></>,
    },
  ],
});

export function BankLines() {
  const { language, zone } = useWords();
  const search = getRouteApi(PATH).useSearch();
  return (
    <ListScreen
      list={lines} search={search} beside={(name, list) => <Shown name={name} next={list.next} pin={list.pin} />}
      actions={(
        <Exporter
          operation={ExportListDocument}
          order={(format) => ({ input: { list: 'BANK_LINES' as const, bankLines: asLines(search, zone), format, language } })}
        />
      )}
    />
  );
}

function Amount({ of }: { of: Row }) {
  const { money } = useWords();
  return <>{of.direction === 'OUTGOING' ? '−' : ''}{money(of.amount, of.currency)}</>;
}

function LineTag({ of }: { of: BankLineStatus }) {
  const { label } = useHouse();
  return <Badge tone={lineTones[of]}>{label('BankLineStatus', of)}</Badge>;
}

function Shown({ name, next, pin }: { name: string; next: () => void; pin: () => void }) {
  const [walletId = '', ...rest] = name.split('/');
  const lineId = rest.join('/');
  const found = useQuery({
    queryKey: [PATH, 'one', name],
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
  const aside = useAct(SetAsideBankLineDocument, {
    said: say('banking.isAside'), done: done,
    undo: ({ input: { walletId, lineId } }) => undoing(BringBackBankLineDocument, { walletId, lineId, reason: say('act.undoReason') }),
  });
  const back = useAct(BringBackBankLineDocument, {
    said: say('banking.isBack'), done: () => setAsks(undefined),
    undo: ({ input: { walletId, lineId } }) => undoing(SetAsideBankLineDocument, { walletId, lineId, reason: line.note ?? say('act.undoReason') }),
  });
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
        <Fact name={say('banking.otherSide')}>{line.counterpartyName ?? '–'} {line.counterpartyIban && <span className="iban">{inFours(line.counterpartyIban)}</span>}</Fact>
        <Fact name={say('banking.text')}>{line.text ?? '–'}</Fact>
        <Fact name={say('banking.booked')}>{time(line.bookedAt)}</Fact>
        <Fact name={say('banking.wallet')}>{line.wallet.bankName} · <span className="iban">{inFours(line.wallet.iban)}</span></Fact>
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
