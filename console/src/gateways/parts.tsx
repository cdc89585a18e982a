// What a gateway's health looks like.
import { FAILING, FLOOR } from '../banking/filters';
import { useHouse } from '../shell/house';
import { Age, Tag } from '../ui/facts';
import { useWords } from '../words/words';

/** Ended is how many payments of a gateway have ended, and how many of them were paid. */
export interface Ended { ended: number; approved: number }

const HOUR_MS = 3_600_000;

/** week is the last seven days, up to the end of the present hour. */
export const week = () => {
  const until = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  return { from: new Date(until - 7 * 24 * HOUR_MS).toISOString(), until: new Date(until).toISOString() };
};

/** sumOf adds up how the payments of a gateway ended. */
export const sumOf = (rows: readonly { endedCount: number; approvedCount: number }[] = []): Ended => ({
  ended: rows.reduce((sum, r) => sum + r.endedCount, 0), approved: rows.reduce((sum, r) => sum + r.approvedCount, 0),
});

export const isFailing = (of: Ended) => of.ended >= FLOOR && of.approved / of.ended < FAILING;

interface Standing { isEnabled: boolean; trouble: string | null; health: { isFailing: boolean }; week?: Ended }

/** Working is the state of a gateway in one word. */
export function Working({ of }: { of: Standing }) {
  const { say } = useWords();
  if (!of.isEnabled) return <Tag tone="idle">{say('gateways.off')}</Tag>;
  if (of.trouble !== null) return <Tag tone="bad">{say('gateways.trouble')}</Tag>;
  if (of.health.isFailing) return <Tag tone="bad">{say('gateways.failing')}</Tag>;
  if (of.week && isFailing(of.week)) return <Tag tone="bad">{say('gateways.refuses')}</Tag>;
  return <Tag tone="good">{say('gateways.works')}</Tag>;
}

/** Share is how many payments in a hundred were paid. */
export function Share({ of: { ended, approved } }: { of: Ended }) {
  const { say, locale } = useWords();
  if (ended === 0) return <span className="muted">–</span>;
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  return <>{percent.format(approved / ended)} <span className="second muted">{say('gateways.ofEnded', { count: ended })}</span></>;
}

interface Call { id: string; at: string; isOk: boolean; outcome: string }

/** outages are what a call comes to that met no working gateway; one that declines a card, or does not know an order, works. */
const outages = new Set(['retryable', 'rate-limited', 'maintenance', 'misconfigured', 'unauthenticated']);

/** Strip is the last calls, the oldest first: a short mark is one that failed. */
export function Strip({ calls, failed, count }: { calls: readonly Call[]; failed: number; count: number }) {
  const { say } = useWords();
  if (count === 0) return <span className="muted">{say('gateways.noCalls')}</span>;
  return (
    <span className="health">
      <span className="strip" role="img" aria-label={say('gateways.failedOf', { failed, count })}>
        {calls.slice(0, 40).toReversed().map((c) => <span key={c.id} className={c.isOk || !outages.has(c.outcome) ? 'ok' : 'not'} />)}
      </span>
      <span className={failed > 0 ? undefined : 'muted'}>{say('gateways.failedOf', { failed, count })}</span>
    </span>
  );
}

export function LastAnswer({ at }: { at: string | null }) {
  const { say } = useWords();
  return at === null ? <span className="muted">{say('gateways.neverAnswered')}</span> : <Age at={at} />;
}

/** useBounds writes limits of amounts, of which each may be missing. */
export function useBounds() {
  const { say, money } = useWords();
  const { installation } = useHouse();
  const currency = installation.currencies[0] ?? 'TRY';
  return (min: string | null, max: string | null) => {
    if (min === null && max === null) return say('gateways.anyAmount');
    if (max === null) return say('gateways.from', { min: money(min ?? '0', currency) });
    if (min === null) return say('gateways.upTo', { max: money(max, currency) });
    return say('gateways.between', { min: money(min, currency), max: money(max, currency) });
  };
}
