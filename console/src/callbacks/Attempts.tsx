// What a callback says, and what its receiver answered.
import { Moment } from '../ui/facts';
import { useWords } from '../words/words';

/** Body is what is sent, as JSON; null is one whose customer was forgotten. */
export function Body({ of }: { of: string | null }) {
  const { say } = useWords();
  if (of === null) return <p className="muted">{say('callbacks.noBody')}</p>;
  return (
    <details className="attempts">
      <summary>{say('callbacks.body')}</summary>
      <pre tabIndex={0}>{written(of)}</pre>
    </details>
  );
}

/** written has a line for each value, in the order in which they are signed; what is no JSON stays as it is. Numbers keep their digits. */
function written(body: string) {
  try {
    JSON.parse(body);
  } catch {
    return body;
  }
  return body.replace(/("(?:\\.|[^"\\])*")|([{,])|(})/g, (_, text?: string, begin?: string) => text ?? (begin ? `${begin}\n  ` : '\n}'));
}

export interface Attempt { number: number; at: string; url: string; httpStatus: number | null; durationMs: number; error: string | null; answer: string | null }

/** Attempts are those of a callback, newest first. */
export function Attempts({ of }: { of: readonly Attempt[] }) {
  const { say } = useWords();
  return (
    <ol className="attempts">
      {of.toReversed().map((a) => (
        <li key={a.number}>
          <p><b>{a.number}.</b> <Moment at={a.at} /> · {a.httpStatus ?? say('callbacks.noAnswer')} · {say('callbacks.took', { ms: a.durationMs })}</p>
          <p className="muted address">{a.url}</p>
          {a.error !== null && <p className="problem">{a.error}</p>}
          {a.answer !== null && <pre tabIndex={0}>{a.answer}</pre>}
        </li>
      ))}
    </ol>
  );
}
