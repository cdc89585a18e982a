// The proof of who one is, asked for in the middle of what wants it.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { ask } from '../api/client';
import { AskForPasskeyProofDocument, StepUpDocument, type StepUpInput } from '../api/session.generated';
import { store } from '../api/store';
import { Dialog } from '../ui/Dialog';
import { useReason } from '../ui/State';
import { useWords } from '../words/words';
import { useHouse } from './house';
import { hasPasskeys, PasskeyRefused, provePasskey } from './passkey';

const asked = store<readonly ((isProven: boolean) => void)[]>([]);

/** prove asks the person who they are, and reports whether they have proven it. Several that ask at once are answered together. */
export const prove = () => new Promise<boolean>((settle) => { asked.set([...asked.get(), settle]); });

function settle(isProven: boolean) {
  const waiting = asked.get();
  asked.set([]);
  waiting.forEach((w) => w(isProven));
}

export function StepUp() {
  const { say } = useWords();
  const isOpen = asked.use().length > 0;
  useEffect(() => () => settle(false), []); // whoever signs in next has proven nothing for the one before
  return (
    <Dialog title={say('stepUp.title')} isOpen={isOpen} close={() => settle(false)}>
      <Proof />
    </Dialog>
  );
}

function Proof() {
  const { say } = useWords();
  const { factors } = useHouse();
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const byCode = factors.hasTotp || (factors.recoveryCodesLeft > 0 && factors.passkeys.length > 0);
  const hasFactor = factors.hasTotp || factors.passkeys.length > 0;
  const step = useMutation({
    mutationFn: async (given: StepUpInput | 'passkey') => {
      if (given !== 'passkey') return ask(StepUpDocument, { input: given });
      const { beginPasskeyStepUp: question } = await ask(AskForPasskeyProofDocument, {});
      if (!question) throw new PasskeyRefused();
      return ask(StepUpDocument, { input: { passkey: await provePasskey(question) } });
    },
    onSuccess: () => settle(true),
  });
  const reason = useReason(step.error);
  const submit = (e: FormEvent) => {
    e.preventDefault();
    if (typed.trim() === '') input.current?.focus();
    else if (!step.isPending) step.mutate(hasFactor ? { code: typed.trim() } : { password: typed });
  };
  const canType = byCode || !hasFactor;
  return (
    <form noValidate onSubmit={submit}>
      <p className="lead">{say('stepUp.lead')}</p>
      <p className="problem" id="proof-problem" role="alert">
        {step.error instanceof PasskeyRefused ? say('signIn.passkeyNot') : reason}
      </p>
      {canType && (
        <div className="field">
          <label htmlFor="proof">{say(hasFactor ? 'signIn.code.label' : 'signIn.password')}</label>
          <input
            ref={input} id="proof" autoFocus value={typed} onChange={(e) => setTyped(e.target.value)} required
            type={hasFactor ? 'text' : 'password'} autoComplete={hasFactor ? 'one-time-code' : 'current-password'}
            aria-describedby="proof-problem" autoCapitalize="none" spellCheck={false} maxLength={1024}
          />
        </div>
      )}
      {canType && <button type="submit" className="button primary wide" aria-disabled={step.isPending}>{say('stepUp.go')}</button>}
      {factors.passkeys.length > 0 && hasPasskeys() && (
        <button
          type="button" className="button wide second" autoFocus={!canType} aria-disabled={step.isPending}
          onClick={() => { if (!step.isPending) step.mutate('passkey'); }}
        >
          {say('signIn.passkey')}
        </button>
      )}
    </form>
  );
}
