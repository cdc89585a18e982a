// A dialog that does one thing: what it comes to, its fields, and the button.
import type { ReactNode } from 'react';
import type { Act } from './act';
import { Dialog } from './Dialog';
import { Form } from './Form';

/** The caller closes it when it is done, by `done` of its act. */
export function ActDialog({ title, isOpen, close, act, go, submit, tone, isWide, children }: {
  title: string; isOpen: boolean; close: () => void;
  act: Pick<Act<unknown, never>, 'isBusy' | 'problem' | 'fields' | 'again' | 'clear'>;
  go: string; submit: () => void; tone?: 'primary' | 'danger'; isWide?: boolean; children?: ReactNode;
}) {
  const leave = () => {
    act.clear();
    close();
  };
  return (
    <Dialog title={title} isOpen={isOpen} close={leave} isWide={isWide ?? false}>
      <Form act={act} go={go} submit={submit} tone={tone ?? 'primary'}>{children}</Form>
    </Dialog>
  );
}
