// Signing in: e-mail and password, then a code where the person has a second factor. The address stays as it is, so that a
// deep link and a list's filters are there afterwards.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { ask } from '../api/client';
import { SignInDocument, SignInWithCodeDocument, type FactorKind, type SignInMutation } from '../api/operations.generated';
import { session } from '../api/session';
import { useReason } from '../ui/State';
import { useWords, type Key } from '../words/words';
import { useTitle } from './title';

type Step = NonNullable<NonNullable<SignInMutation['login']>['secondFactor']>;

export function SignIn() {
  const { say, language, turn } = useWords();
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>();
  useTitle(say('signIn.title'));
  useEffect(() => queries.clear(), [queries]); // what the one before has seen is not for the next
  const other = language === 'tr' ? 'en' : 'tr';
  return (
    <div className="alone">
      <header className="top">
        <p className="brand"><span className="mark" aria-hidden="true">V</span>{say('app.title')}</p>
        <button type="button" className="button quiet" lang={other} onClick={() => turn(other)}>{say('app.language')}</button>
      </header>
      <main className="card">
        {step ? <CodeStep step={step} back={() => setStep(undefined)} /> : <PasswordStep next={setStep} />}
      </main>
    </div>
  );
}

function PasswordStep({ next }: { next: (step: Step) => void }) {
  const { say } = useWords();
  const { hasLapsed } = session.use();
  const [isMissing, setIsMissing] = useState(false);
  const [isShown, setIsShown] = useState(false);
  const login = useMutation({
    mutationFn: (v: { email: string; password: string }) => ask(SignInDocument, v),
    onSuccess: ({ login: done }) => {
      if (done?.secondFactor) next(done.secondFactor);
      else if (done?.token) session.begin(done.token);
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
      <Field name="email" label="signIn.email" type="email" complete="username" isFirst />
      <Field name="password" label="signIn.password" type={isShown ? 'text' : 'password'} complete="current-password" />
      <label className="check">
        <input type="checkbox" checked={isShown} onChange={(e) => setIsShown(e.target.checked)} /> {say('signIn.reveal')}
      </label>
    </Form>
  );
}

function CodeStep({ step, back }: { step: Step; back: () => void }) {
  const { say } = useWords();
  const [isMissing, setIsMissing] = useState(false);
  const login = useMutation({
    mutationFn: (code: string) => ask(SignInWithCodeDocument, { challenge: step.challenge, code }),
    onSuccess: ({ loginWithCode: done }) => { if (done?.token) session.begin(done.token); },
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
      <button type="button" className="button quiet wide second" onClick={back}>{say('signIn.code.back')}</button>
    </Form>
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
