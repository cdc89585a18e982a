// Who was told of a transaction's outcome, with every attempt and answer; what did not arrive is sent again.
import { Again } from '../callbacks/Again';
import { Attempts, Body } from '../callbacks/Attempts';
import { State } from '../callbacks/State';
import { useHouse } from '../shell/house';
import { Moment } from '../ui/facts';
import { useWords } from '../words/words';
import type { Transaction } from './Detail';

type Callback = Transaction['callbacks'][number];

export function Callbacks({ of: t }: { of: Transaction }) {
  const { say } = useWords();
  if (t.callbacks.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="callbacks">
      <h2 id="callbacks">{say('transaction.callbacks')}</h2>
      <ol className="lines">
        {t.callbacks.map((c) => <One key={c.id} of={c} />)}
      </ol>
    </section>
  );
}

function One({ of: c }: { of: Callback }) {
  const { say } = useWords();
  const { label } = useHouse();
  const last = c.attempts.at(-1);
  return (
    <li>
      <p className="line-top">
        <State of={c} />
        <span>{label('CallbackKind', c.kind)} {c.sequence > 1 && `(${c.sequence})`}</span>
        {last && <b>{last.httpStatus ?? say('callbacks.noAnswer')}</b>}
        <Again of={c} />
      </p>
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
