// A dealer's IBAN accounts: what customers are offered today, and how much of it is used.
import { useState } from 'react';
import { useHouse } from '../shell/house';
import { undoing, useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { inFours } from '../ui/facts';
import { AmountField, IbanField, SelectField, TextField } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { useWords } from '../words/words';
import { CreateAccountDocument, UpdateAccountDocument, type DealerQuery, type IbanAccountKind } from './owners.generated';
import { Active, Turn } from './parts';

export type Account = NonNullable<NonNullable<DealerQuery['dealer']>['accounts']>[number];

export function Accounts({ dealerId, accounts }: { dealerId: string; accounts: readonly Account[] }) {
  const { say } = useWords();
  const { may, member } = useHouse();
  const [isOpen, setIsOpen] = useState(false);
  const mayEdit = may({ needs: ['ACCOUNTS_EDIT'] });
  return (
    <section className="panel" aria-labelledby="accounts">
      <div className="title">
        <h2 id="accounts">{say('accounts.title')}</h2>
        {mayEdit && <button type="button" className="button" onClick={() => setIsOpen(true)}><Icon name="plus" />{say('accounts.new')}</button>}
      </div>
      {mayEdit && member.dealerId !== null && <p className="muted">{say('own.accountsLead')}</p>}
      {accounts.length === 0 && <p className="muted">{say('accounts.none')}</p>}
      <ul className="entries">{accounts.map((a) => <One key={a.id} of={a} mayEdit={mayEdit} />)}</ul>
      {isOpen && <Editor dealerId={dealerId} close={() => setIsOpen(false)} />}
    </section>
  );
}

function One({ of, mayEdit }: { of: Account; mayEdit: boolean }) {
  const { say, money } = useWords();
  const { label } = useHouse();
  const [isOpen, setIsOpen] = useState(false);
  const turn = useAct(UpdateAccountDocument, {
    said: say(of.isActive ? 'accounts.isOff' : 'accounts.isOn'), undo: () => undoing(UpdateAccountDocument, { id: of.id, isActive: of.isActive }),
  });
  const name = `${of.bankName} ${of.iban.slice(-4)}`;
  return (
    <li>
      <div className="rows">
        <div>
          <p><b>{of.bankName}</b> · {of.holder}</p>
          <p className="iban">{inFours(of.iban)}</p>
          <p className="muted">
            {label('IbanAccountKind', of.kind)} · {say('gateways.between', { min: money(of.min, of.currency), max: money(of.max, of.currency) })}
          </p>
        </div>
        <span className="actions">
          <Active isActive={of.isActive} />
          {mayEdit && (
            <>
              <Turn isActive={of.isActive} act={turn} name={name} lead={say(of.isActive ? 'accounts.offDoes' : 'accounts.onDoes')}
                turn={(isActive) => turn.act({ input: { id: of.id, isActive } })} />
              <button type="button" className="button" aria-label={say('accounts.editOf', { name })} onClick={() => setIsOpen(true)}>{say('owners.edit')}</button>
            </>
          )}
        </span>
      </div>
      <Use of={of} />
      {isOpen && <Editor of={of} dealerId="" close={() => setIsOpen(false)} />}
    </li>
  );
}

/** Use is how much of today's limits is used; the bar is of the limit that is nearer. */
function Use({ of }: { of: Account }) {
  const { say, money } = useWords();
  const { today } = of;
  const share = of.dailyLimit === null ? null : Math.min(1, Number(today.usedAmount) / Number(of.dailyLimit)); // for the bar alone
  return (
    <p className="muted">
      {share !== null && <meter min={0} max={1} high={0.9} value={share} aria-label={say('accounts.used')} />}{' '}
      {of.dailyLimit === null ? say('accounts.usedOf', { used: money(today.usedAmount, of.currency) })
        : say('accounts.usedOfLimit', { used: money(today.usedAmount, of.currency), limit: money(of.dailyLimit, of.currency) })}
      {' · '}{of.dailyCount === null ? say('accounts.offers', { count: today.offerCount }) : say('accounts.offersOf', { count: today.offerCount, limit: of.dailyCount })}
    </p>
  );
}

function Editor({ of, dealerId, close }: { of?: Account; dealerId: string; close: () => void }) {
  const { say } = useWords();
  const { label, installation } = useHouse();
  const [kind, setKind] = useState<string>(of?.kind ?? 'MANUAL');
  const [iban, setIban] = useState('');
  const [bankName, setBankName] = useState(of?.bankName ?? '');
  const [holder, setHolder] = useState(of?.holder ?? '');
  const [min, setMin] = useState(of?.min ?? '');
  const [max, setMax] = useState(of?.max ?? '');
  const [dailyLimit, setDailyLimit] = useState(of?.dailyLimit ?? '');
  const [dailyCount, setDailyCount] = useState(of?.dailyCount === undefined || of.dailyCount === null ? '' : String(of.dailyCount));
  const create = useAct(CreateAccountDocument, { said: say('accounts.created'), done: close });
  const update = useAct(UpdateAccountDocument, { said: say('owners.saved'), done: close });
  const currency = of?.currency ?? installation.currencies[0] ?? 'TRY';
  const shared = { bankName, holder, min, max, dailyLimit: dailyLimit || '0', dailyCount: Number(dailyCount) };
  return (
    <ActDialog title={say(of ? 'accounts.edit' : 'accounts.new')} isOpen close={close} act={of ? update : create} go={say(of ? 'owners.save' : 'accounts.new')} submit={() => {
      if (of) void update.act({ input: { id: of.id, ...shared } });
      else void create.act({ input: { dealerId, kind: kind as IbanAccountKind, iban: iban.replace(/\s/g, ''), ...shared } });
    }}>
      {!of && (
        <>
          <SelectField name="kind" label={say('accounts.kind')} value={kind} onChange={setKind}
            options={(['MANUAL', 'EIBAN'] as const).map((k) => ({ id: k, name: label('IbanAccountKind', k) }))} />
          <IbanField name="iban" label="IBAN" value={iban} onChange={setIban} isRequired hint={say('accounts.ibanStays')} />
        </>
      )}
      <TextField name="bankName" label={say('accounts.bank')} value={bankName} onChange={setBankName} isRequired max={191} />
      <TextField name="holder" label={say('accounts.holder')} value={holder} onChange={setHolder} isRequired max={191} />
      <AmountField name="min" label={say('accounts.min')} currency={currency} value={min} onChange={setMin} isRequired />
      <AmountField name="max" label={say('accounts.max')} currency={currency} value={max} onChange={setMax} isRequired />
      <AmountField name="dailyLimit" label={say('accounts.dailyLimit')} currency={currency} value={dailyLimit} onChange={setDailyLimit} hint={say('accounts.noLimit')} />
      <TextField name="dailyCount" type="number" label={say('accounts.dailyCount')} value={dailyCount} onChange={setDailyCount} hint={say('accounts.noLimit')} />
    </ActDialog>
  );
}
