import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useWords, type Key } from '../words/words';
import { Icon } from '../ui/Icon';

const sheet: [keys: string[], what: Key][] = [
  [['/'], 'keys.search'],
  [['j'], 'keys.next'],
  [['k'], 'keys.previous'],
  [['Enter'], 'keys.enter'],
  [['u'], 'keys.up'],
  [['n'], 'keys.pageNext'],
  [['p'], 'keys.pagePrevious'],
  [['?'], 'keys.sheet'],
];

/** KeySheet lists the keys. */
export function KeySheet({ isOpen, onChange }: { isOpen: boolean; onChange: (isOpen: boolean) => void }) {
  const { say } = useWords();
  return (
    <ModalOverlay className="overlay" isOpen={isOpen} onOpenChange={onChange} isDismissable>
      <Modal className="sheet">
        <Dialog>
          <div className="sheet-top">
            <Heading slot="title">{say('keys.title')}</Heading>
            <button type="button" className="button quiet square" aria-label={say('keys.close')} onClick={() => onChange(false)}>
              <Icon name="close" />
            </button>
          </div>
          <dl className="keys">
            {sheet.map(([keys, what]) => (
              <div key={what}>
                <dt>{keys.map((k) => <kbd key={k}>{k}</kbd>)}</dt>
                <dd>{say(what)}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
