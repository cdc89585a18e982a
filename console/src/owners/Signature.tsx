// Which signatures of requests are taken: the hash of the contract, or one that covers the whole request.
import { useState } from 'react';
import type { Act } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { Tag } from '../ui/facts';
import { Icon } from '../ui/Icon';
import { useWords } from '../words/words';
import type { SignatureMode } from './owners.generated';

export function Mode({ of }: { of: SignatureMode }) {
  const { say } = useWords();
  return of === 'REQUIRED' ? <Tag tone="good" icon="shield">{say('owners.signatureRequired')}</Tag> : <Tag tone="idle" icon="key">{say('owners.signatureAccepted')}</Tag>;
}

/** Demand switches to signatures of the whole request, and back. */
export function Demand({ mode, act, set, name }: {
  mode: SignatureMode; act: Pick<Act<unknown, never>, 'isBusy' | 'problem' | 'fields' | 'again' | 'clear'>;
  set: (mode: SignatureMode) => Promise<unknown>; name: string;
}) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const isRequired = mode === 'REQUIRED';
  const go = say(isRequired ? 'owners.signatureRelax' : 'owners.signatureDemand');
  return (
    <>
      <button type="button" className="button" aria-label={`${go}: ${name}`} onClick={() => setIsOpen(true)}><Icon name="shield" />{go}</button>
      <ActDialog title={`${go}: ${name}`} isOpen={isOpen} close={() => setIsOpen(false)} act={act} go={go} tone={isRequired ? 'danger' : 'primary'}
        submit={() => void set(isRequired ? 'ACCEPTED' : 'REQUIRED').then((done) => { if (done !== undefined) setIsOpen(false); })}>
        <p className="lead">{say(isRequired ? 'owners.signatureRelaxLead' : 'owners.signatureDemandLead')}</p>
      </ActDialog>
    </>
  );
}
