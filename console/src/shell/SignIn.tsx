// Signing in: e-mail and password, then a code where the person has a second factor. The address stays as it is, so that a
// deep link and a list's filters are there afterwards.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { ask } from '../api/client';
import { session } from '../api/session';
import {
  AskForPasskeyDocument, SignInDocument, SignInWithCodeDocument, SignInWithPasskeyDocument, type FactorKind, type SignInMutation,
} from '../api/session.generated';
import { hasPasskeys, PasskeyRefused, provePasskey } from './passkey';
import { useReason } from '../ui/State';
import { useWords, type Key } from '../words/words';
import { useTitle } from './title';

type Step = NonNullable<NonNullable<SignInMutation['login']>['secondFactor']>;

export function SignIn() {
  const { say, language, turn } = useWords();
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>();
  useTitle(say('signIn.title'));
  const isOver = session.use() === 'lapsed';
  useEffect(() => { if (!isOver) queries.clear(); }, [queries, isOver]); // what the one before has seen is not for the next
  const other = language === 'tr' ? 'en' : 'tr';
  return (
    <div className="alone" data-react-aria-top-layer="true">
      <header className="top">
        <p className="brand"><span className="mark" aria-hidden="true">V</span>{say('app.title')}</p>
        <button type="button" className="button quiet" lang={other} onClick={() => void turn(other)}>{say('app.language')}</button>
      </header>
      <main className="card">
        {step ? <CodeStep step={step} back={() => setStep(undefined)} /> : <PasswordStep next={setStep} />}
      </main>
    </div>
  );
}

/** useArrival is called when somebody has signed in: nothing is shown before the API has said who it is. */
function useArrival() {
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ refetchType: 'none' });
    session.begin();
  };
}

function PasswordStep({ next }: { next: (step: Step) => void }) {
  const begin = useArrival();
  const { say } = useWords();
  const hasLapsed = session.use() === 'lapsed';
  const [isMissing, setIsMissing] = useState(false);
  const [isShown, setIsShown] = useState(false);
  const login = useMutation({
    mutationFn: (v: { email: string; password: string }) => ask(SignInDocument, v),
    onSuccess: ({ login: done }) => {
      if (done?.secondFactor) next(done.secondFactor);
      else begin();
    },
    networkMode: 'always',
  });
  const reason = useReason(login.error);
  const submit = (e: FormEvent<HTMLFormElement>) => {
    const typed = fields(e, 'email', 'password');
    setIsMissing(!typed);
    if (typed) login.mutate({ email: typed.email.trim(), password: typed.password });
  };
  return (
    <Form
      title={say('signIn.title')} go={say('signIn.go')} isBusy={login.isPending} submit={submit}
      problem={isMissing ? say('signIn.missing') : reason}
    >
      {hasLapsed && <p className="note" role="status">{say('signIn.over')}</p>}
      <Field name="email" label="signIn.email" type="email" complete="username webauthn" isFirst />
      <Field name="password" label="signIn.password" type={isShown ? 'text' : 'password'} complete="current-password" />
      <label className="check">
        <input type="checkbox" checked={isShown} onChange={(e) => setIsShown(e.target.checked)} /> {say('signIn.reveal')}
      </label>
      <Passkey />
    </Form>
  );
}

function CodeStep({ step, back }: { step: Step; back: () => void }) {
  const begin = useArrival();
  const { say } = useWords();
  const [isMissing, setIsMissing] = useState(false);
  const login = useMutation({
    mutationFn: (code: string) => ask(SignInWithCodeDocument, { challenge: step.challenge, code }),
    onSuccess: begin,
    networkMode: 'always',
  });
  const reason = useReason(login.error);
  const submit = (e: FormEvent<HTMLFormElement>) => {
    const typed = fields(e, 'code');
    setIsMissing(!typed);
    if (typed) login.mutate(typed.code.trim());
  };
  return (
    <Form
      title={say('signIn.code.title')} go={say('signIn.code.go')} isBusy={login.isPending} submit={submit}
      problem={isMissing ? say('signIn.code.missing') : reason}
    >
      <p className="lead">{say(leadOf(step.kinds))}</p>
      <Field name="code" label="signIn.code.label" type="text" complete="one-time-code" isFirst />
      {step.kinds.includes('PASSKEY') && <Passkey challenge={step.challenge} />}
      <button type="button" className="button quiet wide second" onClick={back}>{say('signIn.code.back')}</button>
    </Form>
  );
}

/** Passkey signs in with a passkey alone, or answers the challenge of a password with one. */
function Passkey({ challenge = null }: { challenge?: string | null }) {
  const begin = useArrival();
  const { say } = useWords();
  const login = useMutation({
    mutationFn: async () => {
      const { beginPasskeyLogin: asked } = await ask(AskForPasskeyDocument, { challenge });
      if (asked) await ask(SignInWithPasskeyDocument, { input: await provePasskey(asked) });
    },
    onSuccess: begin,
    networkMode: 'always',
  });
  const reason = useReason(login.error);
  if (!hasPasskeys()) return null;
  return (
    <div className="second">
      <button type="button" className="button wide" aria-disabled={login.isPending} onClick={() => { if (!login.isPending) login.mutate(); }}>
        {say('signIn.passkey')}
      </button>
      <p className="problem" role="alert">{login.error instanceof PasskeyRefused ? say('signIn.passkeyNot') : reason}</p>
    </div>
  );
}

function leadOf(kinds: readonly FactorKind[]): Key {
  if (!kinds.includes('TOTP')) return 'signIn.code.leadRecovery';
  return kinds.includes('RECOVERY_CODE') ? 'signIn.code.lead' : 'signIn.code.leadApp';
}

/** fields are what was typed; undefined where one is empty, which then has the focus. */
function fields<Name extends string>(e: FormEvent<HTMLFormElement>, ...names: Name[]): Record<Name, string> | undefined {
  e.preventDefault();
  const typed = {} as Record<Name, string>;
  for (const name of names) {
    const input = e.currentTarget.elements.namedItem(name);
    if (!(input instanceof HTMLInputElement)) return undefined;
    if (input.value.trim() === '') {
      input.focus();
      return undefined;
    }
    typed[name] = input.value;
  }
  return typed;
}

function Form({ title, go, isBusy, submit, problem, children }: {
  title: string; go: string; isBusy: boolean; problem: string; children: ReactNode;
  submit: (e: FormEvent<HTMLFormElement>) => void;
}) {
  const id = useId();
  return (
    <form noValidate aria-labelledby={id} onSubmit={isBusy ? (e) => e.preventDefault() : submit}>
      <h1 id={id}>{title}</h1>
      <p className="problem" id="problem" role="alert">{problem}</p>
      {children}
      <button type="submit" className="button primary wide" aria-disabled={isBusy}>{go}</button>
    </form>
  );
}

function Field({ name, label, type, complete, isFirst = false }: {
  name: string; label: Key; type: string; complete: string; isFirst?: boolean;
}) {
  const { say } = useWords();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => { if (isFirst) input.current?.focus(); }, [isFirst]);
  return (
    <div className="field">
      <label htmlFor={name}>{say(label)}</label>
      <input
        ref={input} id={name} name={name} type={type} autoComplete={complete} required aria-describedby="problem"
        autoCapitalize="none" spellCheck={false} maxLength={1024}
      />
    </div>
  );
}
