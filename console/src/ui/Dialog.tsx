// What opens over the page: a dialog with a title and a way out.
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useWords } from '../words/words';
import { Icon } from './Icon';

export function Dialog({ title, isOpen, close, isWide = false, children }: {
  title: string; isOpen: boolean; close: () => void; isWide?: boolean; children: ReactNode;
}) {
  const { say } = useWords();
  return (
    <ModalOverlay className="overlay" isOpen={isOpen} onOpenChange={(open) => { if (!open) close(); }} isDismissable>
      <Modal className={isWide ? 'sheet wide' : 'sheet'}>
        <AriaDialog>
          <div className="sheet-top">
            <Heading slot="title">{title}</Heading>
            <button type="button" className="button quiet square" aria-label={say('ui.close')} onClick={close}>
              <Icon name="close" />
            </button>
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
