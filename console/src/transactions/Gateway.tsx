// What was done for a transaction at gateways, refunds among it, and every call.
import { useState } from 'react';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { Fact, Facts, Moment, Tag, type Tone } from '../ui/facts';
import { TextArea } from '../ui/Form';
import { useWords } from '../words/words';
import type { Transaction } from './Detail';
import { CancelRefundDocument } from './transactions.generated';

type Operation = Transaction['operations'][number];

/** What is over, under way, or waits for somebody. */
function toneOf(o: Operation): Tone {
  if (o.status === 'failed') return 'bad';
  if (o.isHeld || (o.phase === 'PLANNED' && o.nextAt === null)) return 'waiting';
  return o.phase === 'CLOSED' ? 'good' : 'waiting';
}

export function Gateway({ of: t }: { of: Transaction }) {
  const { say } = useWords();
  if (t.operations.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="operations">
      <h2 id="operations">{say('operations.title')}</h2>
      <ol className="lines">
        {t.operations.map((o) => <One key={o.id} of={o} />)}
      </ol>
      {t.gatewayCalls.length > 0 && (
        <details>
          <summary>{say('operations.calls', { count: t.gatewayCalls.length })}</summary>
          <ol className="attempts">
            {t.gatewayCalls.map((c) => (
              <li key={c.id}>
                <p><Moment at={c.at} /> · <code>{c.name}</code> · {c.outcome} · {say('callbacks.took', { ms: c.durationMs })}</p>
                {c.detail !== null && <p className="muted">{c.detail}</p>}
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

function One({ of: o }: { of: Operation }) {
  const { say, money } = useWords();
  const { label, may } = useHouse();
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState('');
  const close = () => setIsOpen(false);
  const cancel = useAct(CancelRefundDocument, { said: say('operations.refundCanceled'), done: close });
  const sum = (m: { amount: string; asset: string }) => money(m.amount, m.asset);
  const mayCancel = o.kind === 'REFUND' && o.phase === 'PLANNED' && may({ needs: ['PAYMENTS_REFUND'] });
  return (
    <li>
      <p className="line-top">
        <b>{label('OperationKind', o.kind)}</b> <span>{sum(o.amount)}</span>
        <Tag tone={toneOf(o)}>{o.status ?? label('OperationPhase', o.phase)}</Tag>
        {mayCancel && <button type="button" className="button" onClick={() => setIsOpen(true)}>{say('operations.cancelRefund')}</button>}
      </p>
      <p className="muted">{o.gateway?.name} · <Moment at={o.startedAt ?? o.createdAt} />{o.why !== null && ` · ${o.why}`}</p>
      {o.reason && <p className="problem">{[o.reason.code, o.reason.rawCode, o.reason.rawText].filter(Boolean).join(' · ')}</p>}
      <details>
        <summary>{say('operations.more')}</summary>
        <Facts>
          <Fact name={say('operations.phase')}>{label('OperationPhase', o.phase)}{o.rawState !== null && <span className="muted">{o.rawState}</span>}</Fact>
          <Fact name={say('operations.reference')} copy={o.reference}><span className="iban">{o.reference}</span></Fact>
          {o.externalId !== null && <Fact name={say('operations.external')} copy={o.externalId}><span className="iban">{o.externalId}</span></Fact>}
          {o.paid && <Fact name={say('operations.paid')}>{sum(o.paid)}</Fact>}
          {o.due.asset !== o.amount.asset && <Fact name={say('operations.due')}>{sum(o.due)}</Fact>}
          {o.proof !== null && <Fact name={say('operations.proof')} copy={o.proof}><span className="iban">{o.proof}</span></Fact>}
          {o.fields.map((f) => <Fact key={f.name} name={f.name} copy={f.value}>{f.value}</Fact>)}
          <Fact name={say('operations.checks')}>{o.checks}{o.nextAt !== null && <span className="muted">{say('operations.next')} <Moment at={o.nextAt} /></span>}</Fact>
          {o.endedAt !== null && <Fact name={say('transaction.finished')}><Moment at={o.endedAt} /></Fact>}
        </Facts>
      </details>
      <ActDialog
        title={say('operations.cancelRefund')} isOpen={isOpen} close={close} act={cancel} go={say('operations.cancelRefund')} tone="danger"
        submit={() => void cancel.act({ input: { operationId: o.id, reason: reason.trim() || null } })}
      >
        <p className="lead">{say('operations.cancelRefundLead', { amount: sum(o.amount) })}</p>
        <TextArea name="reason" label={say('transaction.reason')} value={reason} onChange={setReason} rows={2} />
      </ActDialog>
    </li>
  );
}
