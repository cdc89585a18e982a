import { Dialog } from '../ui/Dialog';
import { useWords, type Key } from '../words/words';

const sheet: [keys: string[], what: Key][] = [
  [['/'], 'keys.search'],
  [['Ctrl K', '⌘ K'], 'keys.palette'],
  [['j'], 'keys.next'],
  [['k'], 'keys.previous'],
  [['Enter'], 'keys.enter'],
  [['u'], 'keys.up'],
  [['a'], 'keys.approve'],
  [['r'], 'keys.refuse'],
  [['z'], 'keys.undo'],
  [['x'], 'keys.select'],
  [['Shift X'], 'keys.selectRange'],
  [['n'], 'keys.pageNext'],
  [['p'], 'keys.pagePrevious'],
  [['?'], 'keys.sheet'],
];

/** KeySheet lists the keys. */
export function KeySheet({ isOpen, onChange }: { isOpen: boolean; onChange: (isOpen: boolean) => void }) {
  const { say } = useWords();
  return (
    <Dialog title={say('keys.title')} isOpen={isOpen} close={() => onChange(false)}>
      <dl className="keys">
        {sheet.map(([keys, what]) => (
          <div key={what}>
            <dt>{keys.map((k) => <kbd key={k}>{k}</kbd>)}</dt>
            <dd>{say(what)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
