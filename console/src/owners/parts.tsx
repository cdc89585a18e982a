// What providers and dealers have in common.
import { useState } from 'react';
import type { Act } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { Tag } from '../ui/facts';
import { TextArea, TextField } from '../ui/Form';
import { useWords } from '../words/words';

export function Active({ isActive }: { isActive: boolean }) {
  const { say } = useWords();
  return isActive ? <Tag tone="good">{say('owners.active')}</Tag> : <Tag tone="idle">{say('owners.inactive')}</Tag>;
}

/** Turn switches something on or off, having said what that does. */
export function Turn({ isActive, act, turn, lead, name }: {
  isActive: boolean; act: Pick<Act<unknown, never>, 'isBusy' | 'problem' | 'fields' | 'again' | 'clear'>;
  turn: (isActive: boolean) => Promise<unknown>; lead: string; name: string;
}) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const go = say(isActive ? 'owners.turnOff' : 'owners.turnOn');
  return (
    <>
      <button type="button" className="button" aria-label={`${go}: ${name}`} onClick={() => setIsOpen(true)}>{go}</button>
      <ActDialog title={`${go}: ${name}`} isOpen={isOpen} close={() => setIsOpen(false)} act={act} go={go} tone={isActive ? 'danger' : 'primary'}
        submit={() => void turn(!isActive).then((done) => { if (done !== undefined) setIsOpen(false); })}>
        <p className="lead">{lead}</p>
      </ActDialog>
    </>
  );
}

/** readAddresses are the addresses and blocks of a text, one a line. */
export const readAddresses = (text: string) => text.split(/[\s,;]+/).filter((one) => one !== '');

export function AddressesField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { say } = useWords();
  return <TextArea name="ipWhitelist" label={say('owners.addresses')} value={value} onChange={onChange} max={10_000} hint={say('owners.addressesHint')} />;
}

export function Addresses({ of }: { of: readonly string[] }) {
  const { say } = useWords();
  return of.length === 0 ? <Tag tone="waiting" icon="warning">{say('owners.anyAddress')}</Tag> : <>{of.join(', ')}</>;
}

export type Returns = Readonly<{ returnOrigins: string; homeUrl: string }>;

/** returnsOf is where customers may be led back to, as the form has it: one address a line. */
export const returnsOf = (of?: Readonly<{ returnOrigins: readonly string[]; homeUrl?: string | null | undefined }>): Returns =>
  ({ returnOrigins: of?.returnOrigins.join('\n') ?? '', homeUrl: of?.homeUrl ?? '' });

export const readReturns = (of: Returns) => ({ returnOrigins: readAddresses(of.returnOrigins), homeUrl: of.homeUrl.trim() });

export function ReturnFields({ returns, onChange }: { returns: Returns; onChange: (returns: Returns) => void }) {
  const { say } = useWords();
  return (
    <>
      <TextArea name="returnOrigins" label={say('owners.returnOrigins')} value={returns.returnOrigins} max={6_000} hint={say('owners.returnOriginsHint')}
        onChange={(returnOrigins) => onChange({ ...returns, returnOrigins })} />
      <TextField name="homeUrl" label={say('owners.homeUrl')} value={returns.homeUrl} max={2_000} hint={say('owners.homeUrlHint')}
        onChange={(homeUrl) => onChange({ ...returns, homeUrl })} />
    </>
  );
}
