// What narrows a list. Everything that is chosen is in the address, and shown below as something to take away.
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Button, Dialog, DialogTrigger, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useHouse } from '../../shell/house';
import { useKeys } from '../../shell/keys';
import { useWords, writeDecimal } from '../../words/words';
import { readAmount } from '../amount';
import { Icon } from '../Icon';
import { DayPicker, useDays } from './Days';
import { isNarrowed, namesOf, readSearch, withoutPage, wordsOf, type Filter, type Search } from './filters';
import type { List } from './list';
import { address } from './ListScreen';
import { Views } from './Views';

export type Narrow = (change: Search) => void;

type OfKind<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;

export function FilterBar<Row, Result, Variables>({ list, search }: { list: List<Row, Result, Variables>; search: Search }) {
  const { say } = useWords();
  const { label } = useHouse();
  const { history } = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const narrow: Narrow = (change) => history.push(
    address(list.path, readSearch(list.filters, list.sorts)({ ...withoutPage(search), ...change })));
  const box = list.filters.find((f) => f.kind === 'search');
  const { sorts } = list;
  return (
    <div className="filters">
      {box && <SearchBox key={box.name} filter={box} text={search[box.name] ?? ''} narrow={narrow} />}
      <button
        type="button" className="button only-narrow" aria-expanded={isOpen} aria-controls="filters" onClick={() => setIsOpen(!isOpen)}
      >
        {say('list.filters')}<Icon name="down" />
      </button>
      <div id="filters" className={isOpen ? 'more open' : 'more'}>
        {list.filters.map((f) => <Control key={namesOf(f).join()} filter={f} search={search} narrow={narrow} />)}
        {sorts && (
          <Choice
            name={say('list.sort')} words={sorts.values} said={(v) => label(sorts.of, v)} chosen={[search['sort'] ?? sorts.first]} isOne
            choose={([to]) => narrow({ sort: to })}
          />
        )}
        {list.views && <Views views={list.views} list={list} search={search} />}
      </div>
      <Chips filters={list.filters} search={search} narrow={narrow} />
    </div>
  );
}

function SearchBox({ filter, text, narrow }: { filter: OfKind<'search'>; text: string; narrow: Narrow }) {
  const { say } = useWords();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => { if (input.current) input.current.value = text; }, [text]);
  useKeys({ '/': () => input.current?.select() });
  const submit = (e: FormEvent) => {
    e.preventDefault();
    narrow({ [filter.name]: input.current?.value ?? '' });
    input.current?.blur(); // the keys of the list go on from here
  };
  return (
    <form className="search" role="search" onSubmit={submit}>
      <Icon name="search" />
      <input
        ref={input} type="search" name="q" defaultValue={text} aria-label={say(filter.label)} placeholder={say(filter.hint)}
        maxLength={200} autoComplete="off" spellCheck={false} enterKeyHint="search"
        onKeyDown={(e) => { if (e.key === 'Escape') e.currentTarget.blur(); }}
        onInput={(e) => { if (e.currentTarget.value === '' && text !== '') narrow({ [filter.name]: '' }); }}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

function Control({ filter: f, search, narrow }: { filter: Filter; search: Search; narrow: Narrow }) {
  const { say } = useWords();
  const { label } = useHouse();
  switch (f.kind) {
    case 'search': return null;
    case 'choice': return (
      <Choice
        name={say(f.label)} words={f.values} said={(v) => label(f.of, v)} chosen={wordsOf(search[f.name])} isOne={f.isOne ?? false} isFilter
        choose={(list) => narrow({ [f.name]: list.join(',') })}
      />
    );
    case 'pick': return <Pick filter={f} search={search} narrow={narrow} />;
    case 'flag': {
      const isOn = search[f.name] === 'true';
      return (
        <button type="button" className={isOn ? 'button filter active' : 'button filter'} aria-pressed={isOn}
          onClick={() => narrow({ [f.name]: isOn ? '' : 'true' })}>
          {say(f.label)}
        </button>
      );
    }
    default: return (
      <DialogTrigger>
        <Button className={namesOf(f).some((n) => search[n] !== undefined) ? 'button filter active' : 'button filter'}>
          {say(f.label)}<Icon name="down" />
        </Button>
        <Popover className="popover" placement="bottom start">
          <Dialog className={f.kind === 'days' ? 'popover-form days' : 'popover-form'} aria-label={say(f.label)}>
            {({ close }) => {
              const done: Narrow = (change) => {
                close();
                narrow(change);
              };
              if (f.kind === 'days') return <DayPicker filter={f} search={search} narrow={done} />;
              return f.kind === 'amount' ? <AmountForm filter={f} search={search} narrow={done} />
                : <TextForm filter={f} search={search} narrow={done} />;
            }}
          </Dialog>
        </Popover>
      </DialogTrigger>
    );
  }
}

/** Choice is a menu of words: several of them, or one. */
function Choice({ name, words, said, chosen, choose, isOne = false, isFilter = false }: {
  name: string; words: readonly string[]; said: (word: string) => string; chosen: readonly string[]; choose: (chosen: string[]) => void;
  isOne?: boolean; isFilter?: boolean;
}) {
  const [only] = chosen;
  const value = isOne && only !== undefined ? said(only) : chosen.length > 0 ? String(chosen.length) : '';
  return (
    <MenuTrigger>
      <Button className={chosen.length > 0 && (!isOne || isFilter) ? 'button filter active' : 'button filter'}>
        {name}{value !== '' && <span className="filter-value">{value}</span>}<Icon name="down" />
      </Button>
      <Popover className="popover" placement="bottom start">
        <Menu
          className="menu" aria-label={name} selectionMode={isOne ? 'single' : 'multiple'} disallowEmptySelection={isOne && !isFilter}
          selectedKeys={chosen} onSelectionChange={(keys) => choose(words.filter((w) => keys === 'all' || keys.has(w)))}
        >
          {words.map((w) => (
            <MenuItem key={w} id={w} className="menu-item choice" textValue={said(w)}><Icon name="check" />{said(w)}</MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

const useOptions = (f: OfKind<'pick'>, isWanted: boolean) => useQuery({
  queryKey: ['options', f.label], queryFn: ({ signal }) => f.options(signal), enabled: isWanted, staleTime: 60_000,
});

function Pick({ filter: f, search, narrow }: { filter: OfKind<'pick'>; search: Search; narrow: Narrow }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const chosen = search[f.name];
  const options = useOptions(f, isOpen || chosen !== undefined).data ?? [];
  const name = (id: string) => options.find((o) => o.id === id)?.name ?? id;
  return (
    <MenuTrigger isOpen={isOpen} onOpenChange={setIsOpen}>
      <Button className={chosen === undefined ? 'button filter' : 'button filter active'}>
        {say(f.label)}{chosen !== undefined && <span className="filter-value">{name(chosen)}</span>}<Icon name="down" />
      </Button>
      <Popover className="popover" placement="bottom start">
        <Menu
          className="menu" aria-label={say(f.label)} selectionMode="single" selectedKeys={chosen === undefined ? [] : [chosen]}
          renderEmptyState={() => <p className="menu-header">{say('list.noOptions')}</p>}
          onSelectionChange={(keys) => narrow({ [f.name]: keys === 'all' ? '' : String([...keys][0] ?? '') })}
        >
          {options.map((o) => <MenuItem key={o.id} id={o.id} className="menu-item choice" textValue={o.name}><Icon name="check" />{o.name}</MenuItem>)}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function AmountForm({ filter: { names: [low, high] }, search, narrow }: { filter: OfKind<'amount'>; search: Search; narrow: Narrow }) {
  const { say, language, locale } = useWords();
  const written = (name: string) => (search[name] === undefined ? '' : writeDecimal(search[name], locale));
  const [min, setMin] = useState(written(low));
  const [max, setMax] = useState(written(high));
  const [isWrong, setIsWrong] = useState(false);
  const submit = (e: FormEvent) => {
    e.preventDefault();
    const read = (text: string) => (text.trim() === '' ? '' : readAmount(text, language));
    const [from, to] = [read(min), read(max)];
    setIsWrong(from === undefined || to === undefined);
    if (from !== undefined && to !== undefined) narrow({ [low]: from, [high]: to });
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
      <p className="problem" id="amount-problem" role="alert">{isWrong && say('ui.amountWrong')}</p>
      {field('minimum', say('list.minimum'), min, setMin)}
      {field('maximum', say('list.maximum'), max, setMax)}
      <button type="submit" className="button primary wide">{say('list.apply')}</button>
    </form>
  );
}

function TextForm({ filter: f, search, narrow }: { filter: OfKind<'text'>; search: Search; narrow: Narrow }) {
  const { say } = useWords();
  const [text, setText] = useState(search[f.name] ?? '');
  const [isWrong, setIsWrong] = useState(false);
  const submit = (e: FormEvent) => {
    e.preventDefault();
    const value = text.trim();
    const isFit = value === '' || (f.form ?? /./).test(value);
    setIsWrong(!isFit);
    if (isFit) narrow({ [f.name]: value });
  };
  return (
    <form noValidate onSubmit={submit}>
      <p className="problem" id="text-problem" role="alert">{isWrong && say('list.textWrong')}</p>
      <div className="field">
        <label htmlFor="text">{say(f.label)}</label>
        <input id="text" autoComplete="off" spellCheck={false} maxLength={200} value={text} onChange={(e) => setText(e.target.value)}
          aria-invalid={isWrong} aria-describedby="text-problem" />
      </div>
      <button type="submit" className="button primary wide">{say('list.apply')}</button>
    </form>
  );
}

function Chips({ filters, search, narrow }: { filters: readonly Filter[]; search: Search; narrow: Narrow }) {
  const { say } = useWords();
  if (!isNarrowed(filters, search)) return null;
  return (
    <ul className="chips">
      {filters.map((f) => <Chip key={namesOf(f).join()} filter={f} search={search} narrow={narrow} />)}
      <li>
        <button type="button" className="chip plain"
          onClick={() => narrow(Object.fromEntries(filters.flatMap(namesOf).map((name) => [name, undefined])))}>
          {say('list.clear')}
        </button>
      </li>
    </ul>
  );
}

function Chip({ filter: f, search, narrow }: { filter: Filter; search: Search; narrow: Narrow }) {
  const { say, locale } = useWords();
  const { label } = useHouse();
  const days = useDays(f.kind === 'days' ? [search[f.names[0]], search[f.names[1]]] : []);
  const chip = (name: string, without: Search) => (
    <li key={name}>
      <button type="button" className="chip" aria-label={say('list.remove', { name })} onClick={() => narrow(without)}>
        {name}<Icon name="close" />
      </button>
    </li>
  );
  if (f.kind === 'days') return days !== '' && chip(`${say(f.label)}: ${days}`, { [f.names[0]]: undefined, [f.names[1]]: undefined });
  if (f.kind === 'amount') {
    return f.names.map((name, i) => search[name] !== undefined
      && chip(`${i === 0 ? '≥' : '≤'} ${writeDecimal(search[name], locale)}`, { [name]: undefined }));
  }
  const value = search[f.name];
  if (value === undefined) return null;
  switch (f.kind) {
    case 'choice': return wordsOf(value).map((w) => (
      chip(label(f.of, w), { [f.name]: wordsOf(value).filter((o) => o !== w).join(',') })));
    case 'pick': return <PickChip filter={f} id={value} chip={(name) => chip(name, { [f.name]: undefined })} />;
    case 'flag': return chip(say(f.label), { [f.name]: undefined });
    case 'search': return chip(`“${value}”`, { [f.name]: undefined });
    case 'text': return chip(`${say(f.label)}: ${value}`, { [f.name]: undefined });
  }
}

function PickChip({ filter: f, id, chip }: { filter: OfKind<'pick'>; id: string; chip: (name: string) => React.ReactNode }) {
  const { say } = useWords();
  const options = useOptions(f, true).data ?? [];
  return chip(`${say(f.label)}: ${options.find((o) => o.id === id)?.name ?? id}`);
}
