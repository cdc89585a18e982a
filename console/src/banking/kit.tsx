// What the banking screens share beside what all screens do: reasons, days.
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, type FormEvent, type ReactNode } from 'react';
import { useLive } from '../api/live';
import type { Operation } from '../api/operation';
import { useThrottled } from '../home/work';
import type { Tone } from '../ui/facts';
import { Icon } from '../ui/Icon';
import { useWords } from '../words/words';

/** Reason is why something is done. */
export function ReasonField({ label, isRequired = false, name = 'reason' }: { label: string; isRequired?: boolean; name?: string }) {
  return <label>{label}<textarea name={name} rows={2} maxLength={500} required={isRequired} /></label>;
}

export const textOf = (e: FormEvent<HTMLFormElement>, name: string) => String(new FormData(e.currentTarget).get(name) ?? '').trim();

/** useFresh asks again for what has changed, wherever it was changed; many changes are one question. */
export function useFresh(operation: Operation<unknown, never>, keys: readonly string[]) {
  const queries = useQueryClient();
  const refresh = useThrottled(() => { for (const key of keys) void queries.invalidateQueries({ queryKey: [key] }); }, 1000);
  useLive(operation, {} as never, refresh);
}

/** CodeLink leads to a transaction. */
export function CodeLink({ code }: { code: string }) {
  return <Link to="/transactions/$code" params={{ code }} search={{}} className="code">{code}</Link>;
}

/** moneyOf writes an amount of a currency or coin. */
export function useMoneyOf() {
  const { money } = useWords();
  return (m: { amount: string; asset: string } | null | undefined) => (m ? money(m.amount, m.asset) : '–');
}

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  const icon = tone === 'good' ? 'check' : tone === 'waiting' ? 'clock' : tone === 'bad' ? 'warning' : 'eye';
  return <span className="statuses"><span className={`status ${tone}`}><Icon name={icon} />{children}</span></span>;
}

/** Pick is one of a few words. */
export function Pick({ label, value, options, choose }: {
  label: string; value: string; options: readonly (readonly [value: string, name: string])[]; choose: (value: string) => void;
}) {
  const id = useId();
  return (
    <span className="pick">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(e) => choose(e.target.value)}>
        {options.map(([v, name]) => <option key={v} value={v}>{name}</option>)}
      </select>
    </span>
  );
}

/** DayField is a day of the shown zone. */
export function DayField({ label, value, choose }: { label: string; value: string; choose: (day: string) => void }) {
  const id = useId();
  return (
    <span className="pick">
      <label htmlFor={id}>{label}</label>
      <input id={id} type="date" value={value} onChange={(e) => choose(e.target.value)} />
    </span>
  );
}
