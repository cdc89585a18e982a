import { useHouse } from '../shell/house';
import { Tag, type Tone } from '../ui/facts';
import { useWords } from '../words/words';
import type { CallbackStatus } from './callbacks.generated';

const tones: Record<CallbackStatus, Tone> = { WAITING: 'waiting', DELIVERED: 'good', FAILED: 'bad', SKIPPED: 'idle', SUPERSEDED: 'idle' };

/** State is where a callback stands, and that it does not hold any more where that is so. */
export function State({ of }: { of: { status: CallbackStatus; supersededAt: string | null } }) {
  const { say } = useWords();
  const { label } = useHouse();
  return (
    <span>
      <Tag tone={tones[of.status]}>{label('CallbackStatus', of.status)}</Tag>
      {of.supersededAt !== null && of.status !== 'SUPERSEDED' && <> <span className="muted">{say('callbacks.replaced')}</span></>}
    </span>
  );
}
