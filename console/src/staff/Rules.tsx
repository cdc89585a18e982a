// What takes a second person.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api/client';
import { useHouse } from '../shell/house';
import { useTitle } from '../shell/title';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { Moment, Tag } from '../ui/facts';
import { AmountField, Switch, TextField } from '../ui/Form';
import { Loaded } from '../ui/Screen';
import { useWords } from '../words/words';
import { RulesDocument, SetRuleDocument, type RulesQuery } from './staff.generated';

type Rule = NonNullable<RulesQuery['approvalRules']>[number];

const withAmounts = new Set(['WITHDRAWAL', 'COMPLETION', 'REFUND', 'CREDIT', 'WALLET_ADJUSTMENT']);
// What is on whenever another rule is, or always, and is not set by anybody.
const byItself = new Set(['RULES', 'STAFF', 'CORRECTION', 'THAW']);

export function Rules() {
  const { say } = useWords();
  useTitle(say('rules.title'));
  const found = useQuery({ queryKey: ['rules'], queryFn: ({ signal }) => ask(RulesDocument, {}, signal), select: (data) => data.approvalRules });
  return (
    <>
      <h1>{say('rules.title')}</h1>
      <p className="lead">{say('rules.lead')}</p>
      <Loaded of={found}>{(rules) => <ul className="work rule-cards">{rules.map((r) => <One key={r.action} of={r} />)}</ul>}</Loaded>
    </>
  );
}

function One({ of }: { of: Rule }) {
  const { say, money, span } = useWords();
  const { label, may, installation } = useHouse();
  const [isOpen, setIsOpen] = useState(false);
  const currency = installation.currencies[0] ?? 'TRY';
  const bounds = [
    of.above !== null && say('rules.above', { amount: money(of.above, currency) }), of.perDay !== null && say('rules.perDay', { amount: money(of.perDay, currency) }),
    of.differsBy !== null && say('rules.differsBy', { amount: money(of.differsBy, currency) }),
  ].filter((b) => b !== false);
  return (
    <li className="panel">
      <div className="title"><h2>{label('GuardedAction', of.action)}</h2><Tag tone={of.isOn ? 'good' : 'idle'} icon={of.isOn ? 'shield' : 'close'}>{say(of.isOn ? 'rules.two' : 'rules.one')}</Tag></div>
      <p className="muted">{say(`rules.of.${of.action}`)}</p>
      {of.isOn && bounds.length > 0 && <ul>{bounds.map((b) => <li key={b}>{b}</li>)}</ul>}
      {of.isOn && bounds.length === 0 && <p>{say('rules.every')}</p>}
      {of.isOn && <p className="muted">{say('rules.lapses', { span: span(of.lapseAfterMinutes * 60) })}</p>}
      {of.updatedAt !== null && <p className="muted">{say('rules.set')} <Moment at={of.updatedAt} /></p>}
      {byItself.has(of.action) ? <p className="muted">{say(of.action === 'CORRECTION' || of.action === 'THAW' ? 'rules.always' : 'rules.byItself')}</p>
        : may({ needs: ['APPROVALS_CONFIGURE'] }) && (
          <button type="button" className="button" aria-label={say('rules.changeOf', { name: label('GuardedAction', of.action) })} onClick={() => setIsOpen(true)}>{say('rules.change')}</button>
        )}
      {isOpen && <Editor of={of} close={() => setIsOpen(false)} />}
    </li>
  );
}

function Editor({ of, close }: { of: Rule; close: () => void }) {
  const { say } = useWords();
  const { label, installation } = useHouse();
  const [isOn, setIsOn] = useState(of.isOn);
  const [above, setAbove] = useState(of.above ?? '');
  const [perDay, setPerDay] = useState(of.perDay ?? '');
  const [differsBy, setDiffersBy] = useState(of.differsBy ?? '');
  const [lapse, setLapse] = useState(String(of.lapseAfterMinutes));
  const save = useAct(SetRuleDocument, { said: say('rules.saved'), done: close });
  const currency = installation.currencies[0] ?? 'TRY';
  const hasAmounts = withAmounts.has(of.action);
  return (
    <ActDialog title={label('GuardedAction', of.action)} isOpen close={close} act={save} go={say('rules.save')} submit={() => void save.act({ input: {
      action: of.action, isOn, lapseAfterMinutes: Number(lapse),
      ...(hasAmounts && { above: above || null, perDay: perDay || null }), ...(of.action === 'CREDIT' && { differsBy: differsBy || null }),
    } })}>
      <p className="lead">{say(`rules.of.${of.action}`)}</p>
      <Switch name="isOn" label={say('rules.takesTwo')} isOn={isOn} onChange={setIsOn} />
      {hasAmounts && (
        <>
          <AmountField name="above" label={say('rules.aboveField')} currency={currency} value={above} onChange={setAbove} hint={say('rules.aboveHint')} />
          <AmountField name="perDay" label={say('rules.perDayField')} currency={currency} value={perDay} onChange={setPerDay} hint={say('rules.perDayHint')} />
        </>
      )}
      {of.action === 'CREDIT' && <AmountField name="differsBy" label={say('rules.differsField')} currency={currency} value={differsBy} onChange={setDiffersBy} hint={say('rules.differsHint')} />}
      <TextField name="lapseAfterMinutes" type="number" label={say('rules.lapseField')} value={lapse} onChange={setLapse} isRequired hint={say('rules.lapseHint')} />
    </ActDialog>
  );
}
