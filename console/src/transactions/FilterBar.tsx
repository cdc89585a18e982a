// What narrows the list. Everything that is chosen is in the address, and shown below as something to take away.
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useKeys } from '../shell/keys';
import { Icon } from '../ui/Icon';
import { useWords, writeDecimal, type Key } from '../words/words';
import { AmountFilter } from './AmountFilter';
import { DayFilter, useDays } from './DayFilter';
import { firstSort, hasFilter, methods, methodsOf, narrowed, sorts, statuses, statusesOf, type Filters } from './filters';

export type Change = { [Name in keyof Filters]?: Filters[Name] | undefined };

export function FilterBar({ filters }: { filters: Filters }) {
  const { say } = useWords();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const narrow = (change: Change) => void navigate({ to: '/transactions', search: narrowed(filters, change) });
  const sort = filters.sort ?? firstSort;
  return (
    <div className="filters">
      <Search text={filters.q ?? ''} search={(q) => narrow({ q })} />
      <button
        type="button" className="button only-narrow" aria-expanded={isOpen} aria-controls="filters"
        onClick={() => setIsOpen(!isOpen)}
      >
        {say('transactions.filters')}<Icon name="down" />
      </button>
      <div id="filters" className={isOpen ? 'more open' : 'more'}>
        <Choice name={say('transactions.status')} words={statuses} said={(s) => `status.${s}`} chosen={statusesOf(filters)}
          choose={(list) => narrow({ status: list.join(',') })} />
        <Choice name={say('transactions.method')} words={methods} said={(m) => `method.${m}`} chosen={methodsOf(filters)}
          choose={(list) => narrow({ method: list.join(',') })} />
        <DayFilter filters={filters} narrow={narrow} />
        <AmountFilter filters={filters} narrow={narrow} />
        <Choice name={say('transactions.sort')} words={sorts} said={(s) => `transactions.sort.${s}`} chosen={[sort]} isOne
          choose={([to]) => { if (to) narrow({ sort: to }); }} />
      </div>
      <Chips filters={filters} narrow={narrow} />
    </div>
  );
}

function Search({ text, search }: { text: string; search: (text: string) => void }) {
  const { say } = useWords();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => { if (input.current) input.current.value = text; }, [text]);
  useKeys({ '/': () => input.current?.select() });
  const submit = (e: FormEvent) => {
    e.preventDefault();
    search(input.current?.value ?? '');
  };
  return (
    <form className="search" role="search" onSubmit={submit}>
      <Icon name="search" />
      <input
        ref={input} type="search" name="q" defaultValue={text}
        aria-label={say('transactions.search')} placeholder={say('transactions.searchHint')}
        maxLength={200} autoComplete="off" spellCheck={false} enterKeyHint="search"
        onKeyDown={(e) => { if (e.key === 'Escape') e.currentTarget.blur(); }}
        onInput={(e) => { if (e.currentTarget.value === '' && text !== '') search(''); }}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

/** Choice is a menu of words: several of them, or exactly one. */
function Choice<Word extends string>({ name, words, said, chosen, choose, isOne = false }: {
  name: string; words: readonly Word[]; said: (word: Word) => Key; chosen: readonly Word[]; choose: (chosen: Word[]) => void;
  isOne?: boolean;
}) {
  const { say } = useWords();
  const [only] = chosen;
  const value = isOne && only ? say(said(only)) : chosen.length > 0 ? String(chosen.length) : '';
  return (
    <MenuTrigger>
      <Button className={chosen.length > 0 && !isOne ? 'button filter active' : 'button filter'}>
        {name}{value !== '' && <span className="filter-value">{value}</span>}<Icon name="down" />
      </Button>
      <Popover className="popover" placement="bottom start">
        <Menu
          className="menu" aria-label={name} selectionMode={isOne ? 'single' : 'multiple'} disallowEmptySelection={isOne}
          selectedKeys={chosen} onSelectionChange={(keys) => choose(words.filter((w) => keys === 'all' || keys.has(w)))}
        >
          {words.map((w) => (
            <MenuItem key={w} id={w} className="menu-item choice" textValue={say(said(w))}>
              <Icon name="check" />{say(said(w))}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function Chips({ filters, narrow }: { filters: Filters; narrow: (change: Change) => void }) {
  const { say, locale } = useWords();
  const days = useDays(filters);
  if (!hasFilter(filters)) return null;
  const list: [name: string, without: Change][] = [];
  if (filters.q) list.push([`“${filters.q}”`, { q: undefined }]);
  const [ofStatus, ofMethod] = [statusesOf(filters), methodsOf(filters)];
  for (const s of ofStatus) list.push([say(`status.${s}`), { status: ofStatus.filter((o) => o !== s).join(',') }]);
  for (const m of ofMethod) list.push([say(`method.${m}`), { method: ofMethod.filter((o) => o !== m).join(',') }]);
  if (days !== '') list.push([days, { from: undefined, until: undefined }]);
  if (filters.min) list.push([`≥ ${writeDecimal(filters.min, locale)}`, { min: undefined }]);
  if (filters.max) list.push([`≤ ${writeDecimal(filters.max, locale)}`, { max: undefined }]);
  return (
    <ul className="chips">
      {list.map(([name, without]) => (
        <li key={name}>
          <button
            type="button" className="chip" aria-label={say('transactions.remove', { name })} onClick={() => narrow(without)}
          >
            {name}<Icon name="close" />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="chip plain" onClick={() => narrow({
          q: undefined, status: undefined, method: undefined, from: undefined, until: undefined, min: undefined, max: undefined,
        })}>{say('transactions.clear')}</button>
      </li>
    </ul>
  );
}
