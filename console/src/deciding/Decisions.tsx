// What can be done about a transaction now, as the API says: the usual as buttons, the rest in a menu. Each opens its dialog.
import { useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useKeys } from '../shell/keys';
import { Icon } from '../ui/Icon';
import { useWords } from '../words/words';
import { Decide, useTitleOf, type Subject } from './Decide';
import type { DecisionName } from './deciding.generated';
import { ways } from './names';

const SHOWN = 3;

/** inOrder puts first what a person is most likely here for. */
function inOrder(list: readonly DecisionName[], claim: Subject['claim']): DecisionName[] {
  const rank = (n: DecisionName) => (n === 'CLAIM_WITHDRAWAL' && claim?.isOwn ? 9 : ways[n].tone === 'primary' ? 0 : n === 'CORRECT_CREDIT' ? 8 : 1);
  return list.toSorted((a, b) => rank(a) - rank(b));
}

export function Decisions({ code, possible, claim }: { code: string; possible: readonly DecisionName[]; claim: Subject['claim'] }) {
  const { say } = useWords();
  const title = useTitleOf();
  const [name, setName] = useState<DecisionName>();
  const list = inOrder(possible, claim);
  const first = (key: 'a' | 'r') => list.find((n) => ways[n].key === key);
  useKeys(Object.fromEntries((['a', 'r'] as const).map((key) => [key, () => {
    const found = first(key);
    if (!found) return false;
    setName(found);
    return true;
  }])));
  const shown = list.length > SHOWN + 1 ? list.slice(0, SHOWN) : list;
  const rest = list.slice(shown.length);
  return (
    <>
      {list.length > 0 && (
        <div className="decisions" role="group" aria-label={say('deciding.next')}>
          {shown.map((n, i) => (
            <button
              key={n} type="button" onClick={() => setName(n)}
              className={i === 0 && ways[n].tone === 'primary' ? 'button primary' : ways[n].tone === 'danger' ? 'button refuse' : 'button'}
            >
              <Icon name={ways[n].icon} />{title(n, claim)}{first(ways[n].key ?? 'a') === n && <kbd aria-hidden="true">{ways[n].key}</kbd>}
            </button>
          ))}
          {rest.length > 0 && (
            <MenuTrigger>
              <Button className="button">{say('deciding.more')}<Icon name="down" /></Button>
              <Popover className="popover" placement="bottom start">
                <Menu className="menu" aria-label={say('deciding.more')} onAction={(key) => setName(key as DecisionName)}>
                  {rest.map((n) => <MenuItem key={n} id={n} className="menu-item"><Icon name={ways[n].icon} />{title(n, claim)}</MenuItem>)}
                </Menu>
              </Popover>
            </MenuTrigger>
          )}
        </div>
      )}
      {name && <Decide code={code} name={name} close={() => setName(undefined)} />}
    </>
  );
}
