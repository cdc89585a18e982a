// Who was told of a transaction's outcome, with every attempt and answer; what did not arrive is sent again.
import { Attempts, Body } from '../callbacks/Attempts';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { Moment, Tag, type Tone } from '../ui/facts';
import { Problem } from '../ui/Form';
import { useWords } from '../words/words';
import type { Transaction } from './Detail';
import { ResendTransactionCallbackDocument, type CallbackStatus } from './transactions.generated';

type Callback = Transaction['callbacks'][number];

const tones: Record<CallbackStatus, Tone> = { WAITING: 'waiting', DELIVERED: 'good', FAILED: 'bad', SKIPPED: 'idle', SUPERSEDED: 'idle' };

export function Callbacks({ of: t }: { of: Transaction }) {
  const { say } = useWords();
  if (t.callbacks.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="callbacks">
      <h2 id="callbacks">{say('transaction.callbacks')}</h2>
      <ol className="lines">
        {t.callbacks.map((c, i) => <One key={c.id} of={c} isLast={i === t.callbacks.length - 1} />)}
      </ol>
    </section>
  );
}

function One({ of: c, isLast }: { of: Callback; isLast: boolean }) {
  const { say } = useWords();
  const { label, may } = useHouse();
  const resend = useAct(ResendTransactionCallbackDocument, { said: say('callbacks.sent') });
  const mayResend = isLast && c.supersededAt === null && c.status !== 'WAITING' && c.status !== 'SUPERSEDED' && may({ needs: ['CALLBACKS_RESEND'] });
  const last = c.attempts.at(-1);
  return (
    <li>
      <p className="line-top">
        <Tag tone={tones[c.status]}>{label('CallbackStatus', c.status)}</Tag>
        <span>{label('CallbackKind', c.kind)} {c.sequence > 1 && `(${c.sequence})`}</span>
        {last && <b>{last.httpStatus ?? say('callbacks.noAnswer')}</b>}
        {mayResend && (
          <button type="button" className="button" aria-disabled={resend.isBusy} onClick={() => void resend.act({ input: { callbackId: c.id } })}>
            {say('callbacks.resend')}
          </button>
        )}
      </p>
      <Problem of={resend} />
      <p className="muted">
        <Moment at={c.finishedAt ?? c.createdAt} />
        {c.status === 'WAITING' && c.nextAttemptAt !== null && <> · {say('transaction.nextAttempt')} <Moment at={c.nextAttemptAt} /></>}
      </p>
      <Body of={c.body} />
      {c.attempts.length > 0 && (
        <details>
          <summary>{say('callbacks.attempts', { count: c.attemptCount })}</summary>
          <Attempts of={c.attempts} />
        </details>
      )}
    </li>
  );
}
