// Callbacks of many transactions, sent again: counted first.
import { useState } from 'react';
import { useAct } from '../ui/act';
import { Dialog } from '../ui/Dialog';
import { Form, Problem } from '../ui/Form';
import { tell } from '../ui/results';
import { useWords } from '../words/words';
import { ResendCallbacksDocument, type ResendCallbacksInput } from './callbacks.generated';

/** ResendAll offers to send again what failed, of a selection of transactions or of all that a filter of these or of callbacks matches. */
export function ResendAll(of: Pick<ResendCallbacksInput, 'filter' | 'trackingCodes' | 'callbacks' | 'status'>) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const count = useAct(ResendCallbacksDocument);
  const [counted, setCounted] = useState<{ count: number; isExact: boolean }>();
  const send = useAct(ResendCallbacksDocument, {
    done: ({ resendCallbacks: done }) => {
      setIsOpen(false);
      tell({
        tone: 'good', text: say('callbacks.ordered', { count: done?.count ?? 0 }), link: { path: '/jobs', name: say('jobs.toJobs') },
      });
    },
  });
  const open = async () => {
    setIsOpen(true);
    setCounted(undefined);
    const answer = await count.act({ input: { ...of, dryRun: true } });
    if (answer?.resendCallbacks) setCounted(answer.resendCallbacks);
  };
  return (
    <>
      <button type="button" className="button" onClick={() => void open()}>{say('callbacks.resendAll')}</button>
      <Dialog title={say('callbacks.resendAll')} isOpen={isOpen} close={() => setIsOpen(false)}>
        {count.isBusy && <p role="status">{say('callbacks.counting')}</p>}
        <Problem of={count} />
        {counted && counted.count === 0 && <p>{say('callbacks.nothing')}</p>}
        {counted && counted.count > 0 && (
          <Form act={send} go={say('callbacks.resend')} submit={() => void send.act({ input: of })}>
            <p className="lead">{say(counted.isExact ? 'callbacks.count' : 'callbacks.countAtLeast', { count: counted.count })}</p>
          </Form>
        )}
      </Dialog>
    </>
  );
}
