// Keys: shown once when they are issued, issued anew, and those from before that are still taken.
import { useState } from 'react';
import type { Operation } from '../api/operation';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { Copy } from '../ui/Copy';
import { Dialog } from '../ui/Dialog';
import { Moment, Tag } from '../ui/facts';
import { SelectField, Switch } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { useWords } from '../words/words';
import type { CredentialKind, ProviderQuery, RotateCredentialInput } from './owners.generated';

export interface Issued { credential: CredentialKind; value: string }
type Old = NonNullable<ProviderQuery['provider']>['oldCredentials'][number];

/**
 * OneTimeKeys shows what was issued: once, and nowhere else. They are in the component's memory alone, and it asks before it is left,
 * since a slip of the hand would lose them.
 */
export function OneTimeKeys({ title, issued, close }: { title: string; issued: readonly Issued[] | undefined; close: () => void }) {
  const { say } = useWords();
  const { label } = useHouse();
  const [isAsked, setIsAsked] = useState(false);
  const [isKept, setIsKept] = useState(false);
  const leave = () => {
    if (!isKept) {
      setIsAsked(true);
      return;
    }
    setIsAsked(false);
    setIsKept(false);
    close();
  };
  return (
    <Dialog title={title} isOpen={issued !== undefined} close={leave} isWide>
      <p className="note"><Icon name="key" /> {say('keys.once')}</p>
      {issued?.map((c) => (
        <div key={c.credential}>
          <b>{label('CredentialKind', c.credential)}</b>
          <p className="secret"><code data-credential={c.credential}>{c.value}</code><Copy name={label('CredentialKind', c.credential)} text={c.value} /></p>
        </div>
      ))}
      <label className="check"><input type="checkbox" checked={isKept} onChange={(e) => setIsKept(e.target.checked)} /> {say('keys.kept')}</label>
      <div role="alert">{isAsked && !isKept && <p className="problem boxed"><Icon name="warning" /><span>{say('keys.keepFirst')}</span></p>}</div>
      <div className="form-end"><button type="button" className="button primary" onClick={leave}>{say('keys.done')}</button></div>
    </Dialog>
  );
}

const graces = [0, 24, 72, 168, 720] as const;

/** Rotate issues one of some keys anew. */
export function Rotate({ id, kinds, old, operation, name }: {
  id: string; kinds: readonly CredentialKind[]; old: readonly Old[]; name: string;
  operation: Operation<Record<string, { credentials: readonly Issued[] } | null>, { input: RotateCredentialInput }>;
}) {
  const { say, span } = useWords();
  const { label, may } = useHouse();
  const [isOpen, setIsOpen] = useState(false);
  const [kind, setKind] = useState<string>(kinds[0] ?? 'API_KEY');
  const [hours, setHours] = useState('24');
  const [endsGrace, setEndsGrace] = useState(false);
  const [issued, setIssued] = useState<readonly Issued[]>();
  const rotate = useAct(operation, {
    done: (result) => {
      setIsOpen(false);
      setIssued(Object.values(result)[0]?.credentials);
    },
  });
  if (!may({ needs: ['KEYS_ROTATE'] })) return null;
  const isStillTaken = old.some((o) => o.credential === kind && Date.parse(o.validUntil) > Date.now());
  return (
    <>
      <button type="button" className="button" aria-label={say('keys.rotateOf', { name })} onClick={() => setIsOpen(true)}><Icon name="key" />{say('keys.rotate')}</button>
      <ActDialog title={say('keys.rotateOf', { name })} isOpen={isOpen} close={() => setIsOpen(false)} act={rotate} go={say('keys.rotate')} submit={() => void rotate.act({
        input: { id, credential: kind as CredentialKind, graceHours: Number(hours), endsGrace: isStillTaken && endsGrace },
      })}>
        <p className="lead">{say('keys.rotateLead')}</p>
        <SelectField name="credential" label={say('keys.which')} value={kind} onChange={setKind} options={kinds.map((k) => ({ id: k, name: label('CredentialKind', k) }))} />
        <SelectField name="graceHours" label={say('keys.grace')} value={hours} onChange={setHours} hint={say('keys.graceHint')}
          options={graces.map((h) => ({ id: String(h), name: h === 0 ? say('keys.atOnce') : span(h * 3600) }))} />
        {isStillTaken && <Switch name="endsGrace" label={say('keys.endsGrace')} isOn={endsGrace} onChange={setEndsGrace} hint={say('keys.endsGraceHint')} />}
      </ActDialog>
      <OneTimeKeys title={say('keys.issued', { name })} issued={issued} close={() => setIssued(undefined)} />
    </>
  );
}

/** OldKeys are those from before a rotation, and whether anybody still uses them. */
export function OldKeys({ of }: { of: readonly Old[] }) {
  const { say } = useWords();
  const { label } = useHouse();
  const taken = of.filter((o) => Date.parse(o.validUntil) > Date.now());
  if (taken.length === 0) return null;
  return (
    <ul className="rows">
      {taken.map((o) => (
        <li key={o.credential}>
          <span>{say('keys.oldOf', { name: label('CredentialKind', o.credential) })} <span className="muted">{say('keys.until')} <Moment at={o.validUntil} /></span></span>
          {o.firstUsedAt === null ? <Tag tone="good">{say('keys.unused')}</Tag>
            : <Tag tone="waiting">{say('keys.stillUsed')} <Moment at={o.firstUsedAt} /></Tag>}
        </li>
      ))}
    </ul>
  );
}
