// What became of what was done, said at the edge of the page and to screen readers.
import { useRouter } from '@tanstack/react-router';
import { useEffect, type MouseEvent } from 'react';
import { store } from '../api/store';
import { useKeys } from '../shell/keys';
import { useWords } from '../words/words';
import { Icon } from './Icon';

export interface Result {
  tone: 'good' | 'waiting' | 'bad';
  text: string;
  /** A screen that shows more of it: a path below /console, and what the link is called. */
  link?: { path: string; name: string };
  /** What takes it back; it has not left the house. */
  undo?: () => void;
}

const MOST = 4;
const SHOWN_MS = 12_000; // a good result goes by itself; another stays until it is taken away

const results = store<readonly (Result & { id: number })[]>([]);
let last = 0;

/** tell says what became of something. */
export function tell(result: Result) {
  last += 1;
  results.set([...results.get(), { ...result, id: last }].slice(-MOST));
}

const drop = (id: number) => results.set(results.get().filter((r) => r.id !== id));

export function Results() {
  const list = results.use();
  const undoable = list.findLast((r) => r.undo);
  const undo = (r: typeof undoable) => { if (r) { drop(r.id); r.undo?.(); } };
  useKeys(undoable ? { z: () => undo(undoable) } : {});
  return (
    <div role="status" className="results" data-react-aria-top-layer="true">
      {list.map((r) => <Shown key={r.id} {...r} undo={r.undo && (() => undo(r))} isNext={r === undoable} />)}
    </div>
  );
}

function Shown({ id, tone, text, link, undo, isNext }: Omit<Result, 'undo'> & { id: number; undo: (() => void) | undefined; isNext: boolean }) {
  const { say } = useWords();
  const { history } = useRouter();
  useEffect(() => {
    if (tone !== 'good') return undefined;
    const timer = setTimeout(() => drop(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, tone]);
  const open = (e: MouseEvent<HTMLAnchorElement>) => {
    e.preventDefault();
    history.push(e.currentTarget.pathname + e.currentTarget.search);
    drop(id);
  };
  return (
    <div className={`result ${tone}`}>
      <Icon name={tone === 'good' ? 'check' : tone === 'waiting' ? 'clock' : 'warning'} />
      <p>{text}{link && <> <a href={`/console${link.path}`} onClick={open}>{link.name}</a></>}</p>
      {undo && <button type="button" className="button" onClick={undo}>{say('act.undo')}{isNext && <kbd aria-hidden="true">z</kbd>}</button>}
      <button type="button" className="button quiet square" aria-label={say('ui.dismiss')} onClick={() => drop(id)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
