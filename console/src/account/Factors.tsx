// Second factors: an authenticator app, passkeys, and recovery codes for when both are out of reach.
import { useState } from 'react';
import { encode } from 'uqr';
import { useHouse } from '../shell/house';
import { hasPasskeys, makePasskey, PasskeyRefused } from '../shell/passkey';
import { useRefreshedHouse } from '../shell/refresh';
import { useAct } from '../ui/act';
import { Copy } from '../ui/Copy';
import { Dialog } from '../ui/Dialog';
import { Age, Tag } from '../ui/facts';
import { Form, Problem, TextField } from '../ui/Form';
import { useWords } from '../words/words';
import {
  BeginPasskeyDocument, BeginTotpDocument, ConfirmTotpDocument, FinishPasskeyDocument, NewRecoveryCodesDocument, RemovePasskeyDocument,
  RemoveTotpDocument,
} from './account.generated';

export function Factors() {
  const { say } = useWords();
  const { factors } = useHouse();
  const refresh = useRefreshedHouse();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const show = (made: readonly string[] | undefined) => {
    if (made && made.length > 0) setCodes(made);
    refresh();
  };
  const renew = useAct(NewRecoveryCodesDocument, { done: (r) => show(r.newRecoveryCodes?.recoveryCodes) });
  const hasFactor = factors.hasTotp || factors.passkeys.length > 0;
  return (
    <section className="panel" aria-labelledby="factors">
      <h2 id="factors">{say('factors.title')}</h2>
      <p className="muted">{say(factors.isRequired ? 'factors.required' : 'factors.lead')}</p>
      <Totp show={show} />
      <Passkeys show={show} />
      {hasFactor && (
        <div className="rows">
          <div>
            <p><b>{say('factors.recovery')}</b></p>
            <p className="muted">{say('factors.recoveryLeft', { count: factors.recoveryCodesLeft })}</p>
          </div>
          <button type="button" className="button" aria-disabled={renew.isBusy} onClick={() => void renew.act({})}>{say('factors.renew')}</button>
          <Problem of={renew} />
        </div>
      )}
      <Dialog title={say('factors.recovery')} isOpen={codes.length > 0} close={() => setCodes([])}>
        <p className="lead">{say('factors.recoveryLead')}</p>
        <ul className="recovery">{codes.map((c) => <li key={c}><code>{c}</code></li>)}</ul>
        <p><Copy name={say('factors.recovery')} text={codes.join('\n')} /> {say('factors.copyCodes')}</p>
        <button type="button" className="button primary wide" onClick={() => setCodes([])}>{say('factors.kept')}</button>
      </Dialog>
    </section>
  );
}

type Show = (codes: readonly string[] | undefined) => void;

function Totp({ show }: { show: Show }) {
  const { say } = useWords();
  const { factors } = useHouse();
  const [url, setUrl] = useState('');
  const [code, setCode] = useState('');
  const begin = useAct(BeginTotpDocument, { done: (r) => setUrl(r.beginTotp?.otpauthUrl ?? '') });
  const confirm = useAct(ConfirmTotpDocument, {
    said: say('factors.totpSet'),
    done: (r) => {
      setUrl('');
      setCode('');
      show(r.confirmTotp?.recoveryCodes);
    },
  });
  const remove = useAct(RemoveTotpDocument, { said: say('factors.removed'), done: () => show(undefined) });
  return (
    <div className="rows">
      <div>
        <p><b>{say('factors.totp')}</b></p>
        {factors.hasTotp ? <Tag tone="good">{say('factors.on')}</Tag> : <Tag tone="idle">{say('factors.off')}</Tag>}
      </div>
      <button type="button" className="button" aria-disabled={begin.isBusy} onClick={() => void begin.act({})}>
        {say(factors.hasTotp ? 'factors.totpAnew' : 'factors.totpSetUp')}
      </button>
      {factors.hasTotp && (
        <button type="button" className="button" aria-disabled={remove.isBusy} onClick={() => void remove.act({})}>{say('factors.remove')}</button>
      )}
      <Problem of={begin} />
      <Problem of={remove} />
      <Dialog title={say('factors.totp')} isOpen={url !== ''} close={() => setUrl('')}>
        <p className="lead">{say('factors.scan')}</p>
        {url !== '' && <Qr text={url} name={say('factors.qr')} />}
        <p><Copy name={say('factors.secret')} text={new URL(url || 'otpauth://x').searchParams.get('secret') ?? ''} /> {say('factors.secretLead')}</p>
        <Form act={confirm} go={say('factors.confirm')} submit={() => void confirm.act({ input: { code: code.trim() } })}>
          <TextField name="code" label={say('factors.code')} value={code} onChange={setCode} max={16} complete="one-time-code" isRequired />
        </Form>
      </Dialog>
    </div>
  );
}

/** Qr is a picture that a phone's camera reads. */
function Qr({ text, name }: { text: string; name: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={name} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" /><path d={path} fill="#000" />
    </svg>
  );
}

function Passkeys({ show }: { show: Show }) {
  const { say } = useWords();
  const { factors } = useHouse();
  const [name, setName] = useState('');
  const [isNaming, setIsNaming] = useState(false);
  const [isRefused, setIsRefused] = useState(false);
  const begin = useAct(BeginPasskeyDocument);
  const finish = useAct(FinishPasskeyDocument, {
    said: say('factors.passkeySet'),
    done: (r) => {
      setIsNaming(false);
      setName('');
      show(r.finishPasskey?.recoveryCodes);
    },
  });
  const remove = useAct(RemovePasskeyDocument, { said: say('factors.removed'), done: () => show(undefined) });
  const add = async () => {
    setIsRefused(false);
    const asked = (await begin.act({}))?.beginPasskey;
    if (!asked) return;
    try {
      await finish.act({ input: { ...await makePasskey(asked), name } });
    } catch (error) {
      if (!(error instanceof PasskeyRefused)) throw error;
      setIsRefused(true);
    }
  };
  return (
    <>
      {factors.passkeys.map((p) => (
        <div key={p.id} className="rows">
          <div>
            <p><b>{p.name}</b></p>
            <p className="muted">{p.lastUsedAt === null ? say('factors.unused') : <>{say('factors.lastUsed')} <Age at={p.lastUsedAt} /></>}</p>
          </div>
          <button type="button" className="button" aria-label={say('factors.removeNamed', { name: p.name })} aria-disabled={remove.isBusy}
            onClick={() => void remove.act({ input: { id: p.id } })}>
            {say('factors.remove')}
          </button>
        </div>
      ))}
      <Problem of={remove} />
      {hasPasskeys() && (
        <div className="rows">
          <div><p><b>{say('factors.passkey')}</b></p><p className="muted">{say('factors.passkeyLead')}</p></div>
          <button type="button" className="button" onClick={() => setIsNaming(true)}>{say('factors.passkeyAdd')}</button>
        </div>
      )}
      <Dialog title={say('factors.passkeyAdd')} isOpen={isNaming} close={() => setIsNaming(false)}>
        <Form act={{ ...finish, isBusy: begin.isBusy || finish.isBusy, problem: begin.problem || finish.problem || (isRefused ? say('signIn.passkeyNot') : '') }}
          go={say('factors.passkeyGo')} submit={() => void add()}>
          <TextField name="name" label={say('factors.passkeyName')} value={name} onChange={setName} max={64} isRequired hint={say('factors.passkeyHint')} />
        </Form>
      </Dialog>
    </>
  );
}
