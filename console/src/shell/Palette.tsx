// One search box for everything: screens by their names; payments by code, name, IBAN, amount or day.
import { useRouter } from '@tanstack/react-router';
import { useEffect, useId, useState, type FormEvent, type KeyboardEvent } from 'react';
import { places } from '../areas';
import { Dialog } from '../ui/Dialog';
import { Icon, type IconName } from '../ui/Icon';
import { address } from '../ui/list/ListScreen';
import { useWords, writeDecimal } from '../words/words';
import { useHouse } from './house';
import { useKeys } from './keys';
import { meaningsOf } from './language';

interface Way { name: string; icon: IconName; href: string; isOutside: boolean }

export function Palette() {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const pressed = (e: globalThis.KeyboardEvent) => {
      if (e.key.toLowerCase() !== 'k' || !(e.ctrlKey || e.metaKey) || e.altKey || e.shiftKey) return;
      e.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
  // A list's own search box comes first: on a screen without one the key opens this.
  useKeys({ '/': () => !document.querySelector('main input[type=search]') && setIsOpen(true) });
  return (
    <>
      <button type="button" className="button palette" onClick={() => setIsOpen(true)} aria-label={say('palette.open')} aria-keyshortcuts="Control+K">
        <Icon name="search" /><span className="account-name">{say('palette.open')}</span>
      </button>
      <Dialog title={say('palette.title')} isOpen={isOpen} close={() => setIsOpen(false)} isWide>
        <Inside close={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

function useWays(text: string): Way[] {
  const { say, zone, language, locale } = useWords();
  const { may } = useHouse();
  const fold = (name: string) => name.toLocaleLowerCase(locale).normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i');
  const wanted = fold(text.trim());
  const screens = places.filter((p) => may(p) && (wanted === '' || fold(say(p.name)).includes(wanted)))
    .map((p): Way => (typeof p.to === 'string'
      ? { name: say(p.name), icon: p.icon, href: address(p.to, {}), isOutside: false }
      : { name: say(p.name), icon: p.icon, href: p.to.href, isOutside: true }));
  if (!may({ needs: ['TRANSACTIONS_READ'] })) return screens;
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const found = meaningsOf(text, zone, language).map(({ as, value, search }): Way => ({
    name: say(`palette.${as}`, {
      value: as === 'amount' ? writeDecimal(value, locale) : as === 'day' ? days.format(new Date(`${value}T00:00:00Z`)) : value,
    }),
    icon: as === 'day' ? 'clock' : 'search',
    href: address('/transactions', search),
    isOutside: false,
  }));
  return wanted === '' ? screens : [...found.slice(0, -1), ...screens, ...found.slice(-1)];
}

function Inside({ close }: { close: () => void }) {
  const { say } = useWords();
  const { history } = useRouter();
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const ways = useWays(text);
  const go = (way: Way | undefined) => {
    if (!way) return;
    close();
    if (way.isOutside) location.assign(way.href);
    else history.push(way.href);
  };
  const submit = (e: FormEvent) => {
    e.preventDefault();
    go(ways[at]);
  };
  const move = (e: KeyboardEvent) => {
    const by = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
    if (by === 0 || ways.length === 0) return;
    e.preventDefault();
    setAt((at + by + ways.length) % ways.length);
  };
  return (
    <form onSubmit={submit} className="palette-form">
      <div className="field">
        <input
          type="text" role="combobox" autoFocus aria-label={say('palette.title')} placeholder={say('palette.hint')} value={text}
          aria-expanded="true" aria-controls={id} aria-activedescendant={ways[at] ? `${id}-${at}` : undefined} aria-autocomplete="list"
          autoComplete="off" spellCheck={false} maxLength={200} onKeyDown={move}
          onChange={(e) => {
            setText(e.target.value);
            setAt(0);
          }}
        />
      </div>
      <ul id={id} role="listbox" aria-label={say('palette.title')} className="ways">
        {ways.map((way, i) => (
          <li key={way.href + way.name} id={`${id}-${i}`} role="option" aria-selected={i === at} onClick={() => go(way)}>
            <Icon name={way.icon} />{way.name}
          </li>
        ))}
      </ul>
    </form>
  );
}
