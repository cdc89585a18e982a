// The dialog of every decision about a transaction: what it is about, what the decision takes, and what it will do with the money. It
// follows the transaction while it is open, and decides about what the person has seen: who was quicker is said, and nothing is done.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ask, type Refusal } from '../api/client';
import { useLive } from '../api/live';
import { useHouse } from '../shell/house';
import { undoing, useAct, type Act } from '../ui/act';
import { isSame } from '../ui/amount';
import { Copy } from '../ui/Copy';
import { Dialog } from '../ui/Dialog';
import { inFours, Moment } from '../ui/facts';
import { AmountField, Form, TextArea, TextField } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { Refused, State, useReason, Waiting } from '../ui/State';
import { useWords, type Key } from '../words/words';
import { Countdown } from './Claim';
import {
  DecisionSubjectChangedDocument, DecisionSubjectDocument, type DecisionInput, type DecisionName, type DecisionSubjectQuery,
} from './deciding.generated';
import { attach } from './files';
import { fieldOf, operationOf, ways } from './names';
import { Preview, usePreview } from './Preview';
import { ReceiptField } from './Receipt';

export type Subject = NonNullable<DecisionSubjectQuery['transaction']>;

/** titleOf is what a decision is called about this transaction: a claim may be one's own, or somebody else's that has lapsed. */
export function useTitleOf() {
  const { say } = useWords();
  const { label } = useHouse();
  return (name: DecisionName, claim: Subject['claim']) => {
    if (name !== 'CLAIM_WITHDRAWAL' || !claim || (claim.isHeld && !claim.isOwn)) return label('DecisionName', name);
    return say(claim.isOwn ? 'desk.lengthen' : 'desk.takeOver');
  };
}

export function Decide({ code, name, close }: { code: string; name: DecisionName; close: () => void }) {
  const { language } = useWords();
  const [step, setStep] = useState<{ name: DecisionName; round: number }>({ name, round: 0 });
  const found = useQuery({
    queryKey: ['transaction', code, 'subject', step.round, language],
    queryFn: ({ signal }) => ask(DecisionSubjectDocument, { trackingCode: code }, signal),
    select: (data) => data.transaction ?? undefined,
    gcTime: 0, // what was seen before is no ground to decide on
  });
  useLive(DecisionSubjectChangedDocument, { filter: { trackingCode: code } }, () => void found.refetch());
  const title = useTitleOf();
  const go = (next: DecisionName) => setStep(({ round }) => ({ name: next, round: round + 1 }));
  return (
    <Dialog title={title(step.name, found.data?.claim ?? null)} isOpen close={close} isWide>
      {found.data
        ? <Decision key={step.round} now={found.data} name={step.name} close={close} go={go} />
        : found.error ? <Refused error={found.error} retry={() => void found.refetch()} /> : <Waiting />}
    </Dialog>
  );
}

function Decision({ now, name, close, go }: { now: Subject; name: DecisionName; close: () => void; go: (name: DecisionName) => void }) {
  const { say } = useWords();
  const [seen, setSeen] = useState(now);
  const [isDone, setIsDone] = useState(false);
  const isPossible = now.possibleDecisions.includes(name);
  const hasMoved = now.version !== seen.version && !isDone;
  return (
    <>
      <About of={now} isToPay={name === 'COMPLETE_WITHDRAWAL'} />
      {hasMoved && <Meanwhile of={now} look={isPossible ? () => setSeen(now) : undefined} />}
      {isPossible || isDone
        ? <Fields key={seen.amount} seen={seen} name={name} close={close} go={go} done={() => setIsDone(true)} />
        : (
          <State icon="warning" title={say('deciding.over')}>
            {!hasMoved && <Last of={now} />}
            <button type="button" className="button" onClick={close}>{say('ui.close')}</button>
          </State>
        )}
    </>
  );
}

/** Last says what was done last, and by whom. */
function Last({ of }: { of: Subject }) {
  const { say } = useWords();
  const { label } = useHouse();
  const last = of.history?.nodes.at(-1);
  if (!last) return null;
  return (
    <p>
      {say('deciding.last', { who: last.actor.name ?? label('ActorKind', last.actor.kind), what: label('TransactionCommand', last.command) })}
      {' '}<Moment at={last.at} />
    </p>
  );
}

/** Meanwhile says who was quicker. */
function Meanwhile({ of, look }: { of: Subject; look: (() => void) | undefined }) {
  const { say } = useWords();
  return (
    <div className="meanwhile" role="alert">
      <Icon name="people" />
      <div><b>{say('deciding.meanwhile')}</b><Last of={of} /></div>
      {look && <button type="button" className="button" onClick={look}>{say('deciding.look')}</button>}
    </div>
  );
}

/** About is what the decision is about, and what has to be copied to a bank. */
function About({ of: t, isToPay }: { of: Subject; isToPay: boolean }) {
  const { say, money } = useWords();
  const { label } = useHouse();
  const line = (name: Key, shown: string, copy: string, isCode = false) => (
    <div><dt>{say(name)}</dt><dd><span className={isCode ? 'iban' : undefined}>{shown}</span><Copy name={say(name)} text={copy} /></dd></div>
  );
  return (
    <section className="about" aria-label={say('transaction.facts')}>
      <p className="about-top">
        <b className="sum">{money(t.amount, t.currency)}</b>
        <span className="muted">{label('TransactionMethod', t.method)} · {label('TransactionStatus', t.status)}</span>
      </p>
      {t.claim?.isOwn && isToPay && <p><Countdown claim={t.claim} /></p>}
      <dl className="facts">
        {line('transactions.customer', t.customer.fullname, t.customer.fullname)}
        {t.iban !== null && line('transaction.iban', inFours(t.iban), t.iban, true)}
        {t.payee?.walletAddress && line('transaction.address', t.payee.walletAddress, t.payee.walletAddress, true)}
        {t.payee?.walletNumber && line('transaction.walletNumber', t.payee.walletNumber, t.payee.walletNumber, true)}
        {isToPay && line('transactions.amount', money(t.amount, t.currency), t.amount)}
        {isToPay && line('transactions.code', t.trackingCode, t.trackingCode, true)}
        {t.account && (
          <div>
            <dt>{say('transaction.account')}</dt>
            <dd>{t.account.bankName} · {t.account.holder} <span className="iban">{inFours(t.account.iban)}</span></dd>
          </div>
        )}
        {!isToPay && <div><dt>{say('transactions.code')}</dt><dd className="iban">{t.trackingCode}</dd></div>}
      </dl>
    </section>
  );
}

/** What decisions do that are told to a gateway at once: its answer decides, which cannot be looked at before. */
const told: Partial<Record<DecisionName, Key>> = {
  CONFIRM_PAYOUT: 'payouts.codeDoes', APPROVE_HELD_DEPOSIT: 'deciding.approveHeldDoes', DECLINE_HELD_DEPOSIT: 'deciding.declineHeldDoes',
};

interface Typed { amount: string; reason: string; reference: string; code: string; target: Record<string, string> }

/** inputOf is a decision as the API takes it; undefined: something is missing yet. */
function inputOf(name: DecisionName, t: Subject, { amount, reason, reference, code, target }: Typed): object | undefined {
  const why = reason.trim();
  const base = { trackingCode: t.trackingCode, expectedVersion: t.version, ...(why !== '' && { reason: why }) };
  switch (name) {
    case 'APPROVE_DEPOSIT': case 'CORRECT_CREDIT': return amount === '' ? undefined : { ...base, expectedAmount: t.amount, amount };
    case 'CLAIM_WITHDRAWAL': return { ...base, ...(t.claim && !t.claim.isOwn && { takeOver: true }) };
    case 'COMPLETE_WITHDRAWAL': return { ...base, ...(reference.trim() !== '' && { bankReference: reference.trim() }) };
    case 'CONFIRM_PAYOUT': return { trackingCode: t.trackingCode, expectedVersion: t.version, code: code.trim() };
    case 'REFUND_TRANSACTION': {
      const needs = t.refundTerms?.needs ?? [];
      const given = needs.filter((n) => (target[n.name] ?? '').trim() !== '');
      if (t.refundTerms?.takesParts && amount === '' || needs.some((n) => !n.isOptional && !given.includes(n))) return undefined;
      return {
        ...base, ...(t.refundTerms?.takesParts && { amount }),
        ...(given.length > 0 && { target: given.map((n) => ({ name: n.name, value: (target[n.name] ?? '').trim() })) }),
      };
    }
    default: return base;
  }
}

function Fields({ seen, name, close, go, done }: {
  seen: Subject; name: DecisionName; close: () => void; go: (name: DecisionName) => void; done: () => void;
}) {
  const { say } = useWords();
  const { label, may } = useHouse();
  const title = useTitleOf();
  const isRefund = name === 'REFUND_TRANSACTION';
  const [typed, setTyped] = useState<Typed>({
    amount: isRefund ? seen.refundTerms?.left.amount ?? '' : seen.amount, reason: '', reference: '', code: '', target: {},
  });
  const put = (change: Partial<Typed>) => setTyped((before) => ({ ...before, ...change }));
  const [file, setFile] = useState<File>();
  const attached = useRef(false);
  const [fileProblem, setFileProblem] = useState<Refusal>();
  const isTakeOver = name === 'CLAIM_WITHDRAWAL' && seen.claim !== null && !seen.claim.isOwn;
  const act = useAct(operationOf(name), {
    said: say(`deciding.said.${name}`, { code: seen.trackingCode }),
    undo: () => (name === 'CLAIM_WITHDRAWAL' && seen.claim === null
      ? undoing(operationOf('RELEASE_WITHDRAWAL'), { trackingCode: seen.trackingCode }) : undefined),
    done: () => {
      done();
      if (name === 'CLAIM_WITHDRAWAL' && !seen.claim?.isOwn) go('COMPLETE_WITHDRAWAL');
      else close();
    },
  });
  const isAsked = act.refusal?.code === 'APPROVAL_NEEDED';
  useEffect(() => { if (isAsked) close(); }, [isAsked, close]);

  const input = inputOf(name, seen, typed);
  // An empty reason refuses some decisions; what they would do is looked at all the same, with one that is kept nowhere.
  const looked = input && !told[name] ? { [fieldOf(name)]: { reason: '–', ...input } } as DecisionInput : undefined;
  const preview = usePreview(looked);
  const { outlook } = preview;
  const isException = name === 'APPROVE_DEPOSIT'
    && outlook?.warnings.some((w) => w === 'NO_ACCOUNT_SHOWN' || w === 'NO_MONEY_REPORTED') === true;
  const { needsReason = false, reasons = [], tone } = ways[name];
  const takesAmount = name === 'APPROVE_DEPOSIT' || name === 'CORRECT_CREDIT' || (isRefund && seen.refundTerms?.takesParts === true);
  const amountName: Key = isRefund ? 'deciding.toRefund' : name === 'CORRECT_CREDIT' ? 'deciding.counts' : 'deciding.arrived';
  const differs = name === 'APPROVE_DEPOSIT' && typed.amount !== '' && !isSame(typed.amount, seen.requestedAmount);
  const { money } = useWords();

  const submit = async () => {
    if (!input) return;
    if (file && !attached.current) {
      setFileProblem(undefined);
      try {
        await attach(seen.trackingCode, file, 'DEALER');
        attached.current = true;
      } catch (error) {
        setFileProblem(error as Refusal);
        return;
      }
    }
    await act.act({ input });
  };
  return (
    <Form
      act={act} tone={tone === 'danger' ? 'danger' : 'primary'} submit={() => void submit()}
      go={outlook?.needsSecondPerson ? say('deciding.askSecond') : title(name, seen.claim)}
    >
      {isTakeOver && <p className="note">{say('desk.takeOverLead', { who: seen.claim?.staffName ?? '' })}</p>}
      {takesAmount && (
        <AmountField
          name="amount" label={say(amountName)} value={typed.amount} onChange={(amount) => put({ amount })} currency={seen.currency} isRequired
          isFirst {...(isRefund && seen.refundTerms && { hint: say('deciding.leftNow', { amount: money(seen.refundTerms.left.amount, seen.refundTerms.left.asset) }) })}
        />
      )}
      {differs && (
        <p className="differs-from" role="status">
          <Icon name="warning" /><span>{say('deciding.differs', { amount: money(seen.requestedAmount, seen.currency) })}</span>
        </p>
      )}
      {isRefund && seen.refundTerms && !seen.refundTerms.takesParts && (
        <p className="muted">{say('deciding.wholeOnly', { amount: money(seen.refundTerms.left.amount, seen.refundTerms.left.asset) })}</p>
      )}
      {isRefund && seen.refundTerms?.needs.map((n) => (
        <TextField
          key={n.name} name={`target.${n.name}`} label={n.label} isRequired={!n.isOptional} value={typed.target[n.name] ?? ''}
          onChange={(value) => put({ target: { ...typed.target, [n.name]: value } })}
        />
      ))}
      {name === 'CONFIRM_PAYOUT' && (
        <TextField
          name="code" label={say('payouts.code')} hint={say('payouts.codeHint')} value={typed.code} onChange={(code) => put({ code })} max={64}
          complete="one-time-code" isRequired isFirst
        />
      )}
      {name === 'COMPLETE_WITHDRAWAL' && (
        <>
          <TextField
            name="bankReference" label={say('desk.reference')} hint={say('desk.referenceHint')} value={typed.reference} max={64}
            onChange={(reference) => put({ reference })}
          />
          {may({ needs: ['NOTES_WRITE'] }) && <ReceiptField file={file} onChange={(f) => { attached.current = false; setFile(f); }} />}
          <FileProblem error={fileProblem} />
        </>
      )}
      {reasons.length > 0 && (
        <div className="usual" role="group" aria-label={say('deciding.usual')}>
          {reasons.map((key, i) => (
            <button key={key} type="button" autoFocus={i === 0} className="chip" aria-pressed={typed.reason === say(key)} onClick={() => put({ reason: say(key) })}>{say(key)}</button>
          ))}
        </div>
      )}
      {name !== 'CONFIRM_PAYOUT' && name !== 'COMPLETE_WITHDRAWAL' && (name !== 'CLAIM_WITHDRAWAL' || isTakeOver) && (
        <TextArea
          name="reason" label={say(isTakeOver ? 'desk.found' : 'transaction.reason')} value={typed.reason} onChange={(reason) => put({ reason })}
          isRequired={needsReason || isTakeOver || isException} rows={2}
        />
      )}
      {told[name] ? <p className="outcome">{say(told[name])}</p>
        : input ? <Preview {...preview} without={differs && 'AMOUNT_DIFFERS'} receiver={seen.provider?.name ?? label('ActorKind', 'DEALER')} />
          : <p className="outcome muted">{say('deciding.fillIn')}</p>}
      <Others of={seen} than={name} go={go} />
      <Faster act={act} />
    </Form>
  );
}

function FileProblem({ error }: { error: Refusal | undefined }) {
  const { say } = useWords();
  const reason = useReason(error ?? null);
  return <p className="problem" role="alert">{error && say('receipt.failed', { reason })}</p>;
}

/** Others are the other ends that a withdrawal on one's own desk may take. */
function Others({ of: t, than, go }: { of: Subject; than: DecisionName; go: (name: DecisionName) => void }) {
  const { say } = useWords();
  const title = useTitleOf();
  if (than !== 'COMPLETE_WITHDRAWAL') return null;
  const others = t.possibleDecisions.filter((n) => n !== than && n !== 'CLAIM_WITHDRAWAL' && n !== 'CANCEL_WITHDRAWAL');
  if (others.length === 0) return null;
  return (
    <div className="others" role="group" aria-label={say('desk.otherwise')}>
      <span className="muted">{say('desk.otherwise')}</span>
      {others.map((n) => <button key={n} type="button" className="button" onClick={() => go(n)}>{title(n, t.claim)}</button>)}
    </div>
  );
}

interface LastMove { at: string; command: string; by?: string; byKind: string }

/** Faster says who decided, where a decision was refused because somebody had. */
function Faster({ act }: { act: Act<unknown, never> | Act<unknown, { input: object }> }) {
  const { say } = useWords();
  const { label } = useHouse();
  const last = (act.refusal?.extensions as { meanwhile?: LastMove } | undefined)?.meanwhile;
  if (!last) return null;
  return (
    <p role="status" className="faster">
      <Icon name="person" />
      <span>
        {say('deciding.last', { who: last.by ?? label('ActorKind', last.byKind), what: label('TransactionCommand', last.command) })}
        {' '}<Moment at={last.at} />
      </span>
    </p>
  );
}
