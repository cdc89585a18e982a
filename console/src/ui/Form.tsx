// Forms: fields with their names and problems, and one button that does it.
import { createContext, useContext, useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react';
import { useWords, writeDecimal } from '../words/words';
import type { Act } from './act';
import { readAmount } from './amount';
import { Icon } from './Icon';
import type { Option } from './list/filters';

/** isHeld keeps a key that opened a dialog, and is held down, from saying yes in it as well. */
const isHeld = (e: KeyboardEvent) => { if (e.repeat) e.preventDefault(); };

type AnyAct = Pick<Act<unknown, never>, 'isBusy' | 'problem' | 'fields' | 'again'>;

interface Faults { fields: Readonly<Record<string, string>>; isTried: boolean }
const FormContext = createContext<Faults>({ fields: {}, isTried: false });

/**
 * Form does something: `submit` is called when every field is filled in as it has to be; the first that is not gets the focus. What the
 * API says of a field is shown beside the field of that name, and the rest above the button.
 */
export function Form({ act, go, submit, tone = 'primary', children, extra }: {
  act: AnyAct; go: string; submit: () => void; tone?: 'primary' | 'danger'; children?: ReactNode; extra?: ReactNode;
}) {
  const [isTried, setIsTried] = useState(false);
  const goButton = useRef<HTMLButtonElement>(null);
  // Where there is nothing to fill in, Enter says yes to what the dialog has just shown.
  useEffect(() => {
    const button = goButton.current;
    if (tone === 'primary' && button?.form?.querySelector('input, textarea, select') === null && button.closest('[role=dialog]')) button.focus();
  }, [tone]);
  const tried = (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault();
    e.stopPropagation();
    setIsTried(true);
    const wrong = e.currentTarget.querySelector<HTMLElement>('input:invalid, textarea:invalid, select:invalid, [data-wrong]');
    if (wrong) wrong.focus();
    else if (!act.isBusy) submit();
  };
  return (
    <form noValidate onSubmit={tried}>
      <FormContext value={{ fields: act.fields, isTried }}>
        {children}
        <Problem of={act} />
        <div className="form-end">
          <button ref={goButton} type="submit" onKeyDown={isHeld} className={`button ${tone}`} aria-disabled={act.isBusy} aria-busy={act.isBusy}>{go}</button>
          {extra}
        </div>
      </FormContext>
    </form>
  );
}

/** Trouble says why something was not done. */
export function Trouble({ text }: { text: string }) {
  return <div role="alert">{text !== '' && <p className="problem boxed"><Icon name="warning" /><span>{text}</span></p>}</div>;
}

/** Problem says why something was not done, and offers to repeat it where nobody knows whether it was. */
export function Problem({ of }: { of: AnyAct }) {
  const { say } = useWords();
  return (
    <div role="alert">
      {of.problem !== '' && (
        <p className="problem boxed">
          <Icon name="warning" /><span>{of.problem}</span>
          {of.again && <button type="button" className="button" onClick={of.again}>{say('act.again')}</button>}
        </p>
      )}
    </div>
  );
}

interface Of {
  /** As the input of the API calls it. */
  name: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string;
  isRequired?: boolean;
  isDisabled?: boolean;
  /** Whether it has the focus when its form opens. */
  isFirst?: boolean;
}

/** useField is what a field has in common: its problem, from the API or its own, and what ties it to its input. */
function useField({ name, value, hint, isRequired = false, isDisabled = false, isFirst = false }: Omit<Of, 'label' | 'onChange'>, own = '') {
  const { say } = useWords();
  const id = useId();
  const { fields, isTried } = useContext(FormContext);
  const missing = isTried && isRequired && value.trim() === '' ? say('ui.missing') : '';
  const problem = missing || (isTried && own) || (fields[name] ?? '');
  return {
    id,
    problem,
    props: {
      id, name, required: isRequired, disabled: isDisabled, autoFocus: isFirst, 'aria-invalid': problem !== '',
      'aria-describedby': `${id}-hint ${id}-problem`, 'data-wrong': own === '' ? undefined : '',
    },
    notes: (
      <>
        {hint !== undefined && <p className="muted hint" id={`${id}-hint`}>{hint}</p>}
        <p className="problem" id={`${id}-problem`} role="alert">{problem}</p>
      </>
    ),
  };
}

export function TextField(of: Of & { type?: 'text' | 'password' | 'email' | 'url' | 'number' | 'date'; max?: number; complete?: string }) {
  const { props, id, notes } = useField(of);
  return (
    <div className="field">
      <label htmlFor={id}>{of.label}</label>
      <input {...props} type={of.type ?? 'text'} value={of.value} maxLength={of.max ?? 255} autoComplete={of.complete ?? 'off'}
        onChange={(e) => of.onChange(e.target.value)} />
      {notes}
    </div>
  );
}

export function TextArea(of: Of & { max?: number; rows?: number }) {
  const { props, id, notes } = useField(of);
  return (
    <div className="field">
      <label htmlFor={id}>{of.label}</label>
      <textarea {...props} rows={of.rows ?? 3} value={of.value} maxLength={of.max ?? 500} onChange={(e) => of.onChange(e.target.value)} />
      {notes}
    </div>
  );
}

export function SelectField(of: Of & { options: readonly Option[]; none?: string }) {
  const { props, id, notes } = useField(of);
  return (
    <div className="field">
      <label htmlFor={id}>{of.label}</label>
      <select {...props} value={of.value} onChange={(e) => of.onChange(e.target.value)}>
        {of.none !== undefined && <option value="">{of.none}</option>}
        {of.options.map((o) => <option key={o.id} value={o.id}>{o.name}</option>)}
      </select>
      {notes}
    </div>
  );
}

/** AmountField takes an amount as people write it, and gives the exact decimal; what is none stays as it was typed and is not sent. */
export function AmountField(of: Of & { currency: string }) {
  const { say, language, locale } = useWords();
  const [typed, setTyped] = useState(of.value === '' ? '' : writeDecimal(of.value, locale));
  const isWrong = typed.trim() !== '' && readAmount(typed, language) === undefined;
  const { props, id, notes } = useField({ ...of, value: typed }, isWrong ? say('ui.amountWrong') : '');
  return (
    <div className="field">
      <label htmlFor={id}>{of.label} <span className="muted">{of.currency}</span></label>
      <input {...props} inputMode="decimal" autoComplete="off" maxLength={24} value={typed} onChange={(e) => {
        setTyped(e.target.value);
        of.onChange(readAmount(e.target.value, language) ?? '');
      }} />
      {notes}
    </div>
  );
}

/** IbanField takes an IBAN with or without spaces; its check digits are counted before it is sent. */
export function IbanField(of: Of) {
  const { say } = useWords();
  const isWrong = of.value.trim() !== '' && !isIban(of.value);
  const { props, id, notes } = useField(of, isWrong ? say('ui.ibanWrong') : '');
  return (
    <div className="field">
      <label htmlFor={id}>{of.label}</label>
      <input {...props} className="iban" autoComplete="off" autoCapitalize="characters" spellCheck={false} maxLength={42} value={of.value}
        onChange={(e) => of.onChange(e.target.value.toUpperCase())} />
      {notes}
    </div>
  );
}

/** isIban counts the check digits of an IBAN as ISO 13616 does. */
export function isIban(text: string): boolean {
  const iban = text.replace(/\s/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  let rest = 0;
  for (const c of iban.slice(4) + iban.slice(0, 4)) rest = Number(String(rest) + String(Number.parseInt(c, 36))) % 97;
  return rest === 1;
}

export function Switch({ name, label, isOn, onChange, hint, isDisabled = false }: {
  name: string; label: string; isOn: boolean; onChange: (isOn: boolean) => void; hint?: string; isDisabled?: boolean;
}) {
  const { props, notes } = useField({ name, value: '', isDisabled, ...(hint !== undefined && { hint }) });
  return (
    <div className="field">
      <label className="check"><input {...props} type="checkbox" role="switch" checked={isOn} onChange={(e) => onChange(e.target.checked)} /> {label}</label>
      {notes}
    </div>
  );
}
