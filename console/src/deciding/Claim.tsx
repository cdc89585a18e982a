// Who has a withdrawal, and for how long yet.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Tag, useNow } from '../ui/facts';
import { useWords } from '../words/words';

export interface Claimed { staffName: string; until: string; isHeld: boolean; isOwn: boolean; awaitsApproval: boolean }

/** Countdown is the time that is left of a claim. When it is over, what is shown is asked for anew. */
export function Countdown({ claim }: { claim: Claimed }) {
  const { say } = useWords();
  const queries = useQueryClient();
  const left = Math.floor((Date.parse(claim.until) - useNow(1000)) / 1000);
  const isOver = left <= 0;
  useEffect(() => { if (isOver && claim.isHeld) void queries.invalidateQueries(); }, [isOver, claim.isHeld, queries]);
  if (claim.awaitsApproval) return <Tag tone="waiting" icon="people">{say('desk.waitsForSecond')}</Tag>;
  if (isOver || !claim.isHeld) return <Tag tone="bad" icon="clock">{say('desk.lapsed')}</Tag>;
  const shown = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return <Tag tone={left < 120 ? 'bad' : 'waiting'} icon="clock"><span className="countdown" role="timer">{say('desk.left', { time: shown })}</span></Tag>;
}

/** Holder is who has it: oneself, a colleague, or nobody. */
export function Holder({ claim }: { claim: Claimed | null }) {
  const { say } = useWords();
  if (!claim) return <Tag tone="idle" icon="eye">{say('desk.free')}</Tag>;
  return (
    <span className="holder">
      <span>{claim.isOwn ? <b>{say('desk.mine')}</b> : claim.staffName}</span>
      <Countdown claim={claim} />
    </span>
  );
}
