// One callback, sent again, or now in place of later.
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { Problem } from '../ui/Form';
import { useWords } from '../words/words';
import { ResendCallbackDocument, type CallbackStatus } from './callbacks.generated';

interface Sent { id: string; status: CallbackStatus; attemptCount: number; nextAttemptAt: string | null; supersededAt: string | null }

/** Again offers nothing where what a callback says does not hold any more, or where it is on its way. */
export function Again({ of }: { of: Sent }) {
  const { say } = useWords();
  const { may } = useHouse();
  const isWaiting = of.status === 'WAITING';
  const resend = useAct(ResendCallbackDocument, { said: say(isWaiting ? 'callbacks.sentNow' : 'callbacks.sent') });
  if (!may({ needs: ['CALLBACKS_RESEND'] }) || of.supersededAt !== null) return null;
  if (isWaiting && (of.attemptCount === 0 || of.nextAttemptAt === null || Date.parse(of.nextAttemptAt) <= Date.now())) return null;
  return (
    <>
      <button type="button" className="button" aria-disabled={resend.isBusy} onClick={() => void resend.act({ input: { callbackId: of.id } })}>
        {say(isWaiting ? 'callbacks.sendNow' : 'callbacks.resend')}
      </button>
      <Problem of={resend} />
    </>
  );
}
