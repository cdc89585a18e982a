import { useState, type FormEvent } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Icon } from '../ui/Icon';
import { useWords, writeDecimal } from '../words/words';
import { readAmount } from './amount';
import type { Change } from './FilterBar';
import type { Filters } from './filters';

export function AmountFilter({ filters, narrow }: { filters: Filters; narrow: (change: Change) => void }) {
  const { say } = useWords();
  return (
    <DialogTrigger>
      <Button className={filters.min ?? filters.max ? 'button filter active' : 'button filter'}>
        {say('transactions.amount')}<Icon name="down" />
      </Button>
      <Popover className="popover" placement="bottom start">
        <Dialog className="popover-form" aria-label={say('transactions.amount')}>
          {({ close }) => <AmountForm filters={filters} narrow={(change) => { close(); narrow(change); }} />}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function AmountForm({ filters, narrow }: { filters: Filters; narrow: (change: Change) => void }) {
  const { say, language, locale } = useWords();
  const [min, setMin] = useState(filters.min ? writeDecimal(filters.min, locale) : '');
  const [max, setMax] = useState(filters.max ? writeDecimal(filters.max, locale) : '');
  const [isWrong, setIsWrong] = useState(false);
  const submit = (e: FormEvent) => {
    e.preventDefault();
    const read = (written: string) => (written.trim() === '' ? '' : readAmount(written, language));
    const [from, to] = [read(min), read(max)];
    setIsWrong(from === undefined || to === undefined);
    if (from !== undefined && to !== undefined) narrow({ min: from, max: to });
  };
  const field = (id: string, label: string, value: string, set: (value: string) => void) => (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} inputMode="decimal" autoComplete="off" maxLength={24} value={value} onChange={(e) => set(e.target.value)}
        aria-invalid={isWrong} aria-describedby="amount-problem" />
    </div>
  );
  return (
    <form noValidate onSubmit={submit}>
      <p className="problem" id="amount-problem" role="alert">{isWrong && say('transactions.amountWrong')}</p>
      {field('minimum', say('transactions.minimum'), min, setMin)}
      {field('maximum', say('transactions.maximum'), max, setMax)}
      <button type="submit" className="button primary wide">{say('transactions.amountApply')}</button>
    </form>
  );
}
