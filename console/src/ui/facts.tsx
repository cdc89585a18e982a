// What is known of one thing: names and values, states, times.
import { useEffect, useState, type ReactNode } from 'react';
import { useWords } from '../words/words';
import { Copy } from './Copy';
import { Icon, type IconName } from './Icon';

/** Facts are names and values; Fact is one of them. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

export function Fact({ name, copy, children }: { name: string; copy?: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}{copy !== undefined && <Copy name={name} text={copy} />}</dd>
    </div>
  );
}

export type Tone = 'good' | 'waiting' | 'bad' | 'idle';

/** Tag is a state: its word, a picture, and a color that says nothing by itself. */
export function Tag({ tone, icon, children }: { tone: Tone; icon?: IconName; children: ReactNode }) {
  const pictures = { good: 'check', waiting: 'clock', bad: 'warning', idle: 'close' } as const;
  return <span className={`status ${tone}`}><Icon name={icon ?? pictures[tone]} />{children}</span>;
}

/** Moment is a time of the installation's zone; the whole of it is its title. */
export function Moment({ at }: { at: string }) {
  const { moment, time, zone } = useWords();
  return <time dateTime={at} title={`${time(at)} ${zone}`}>{moment(at)}</time>;
}

/** useNow is the time, every so often. */
export function useNow(eachMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), eachMs);
    return () => clearInterval(timer);
  }, [eachMs]);
  return now;
}

/** Age is how long ago; the time itself is its title. */
export function Age({ at }: { at: string }) {
  const { age, time, zone } = useWords();
  return <time dateTime={at} title={`${time(at)} ${zone}`}>{age(at, useNow(10_000))}</time>;
}

export const inFours = (iban: string) => iban.replace(/(.{4})(?=.)/g, '$1 ');
