// What a screen shows in place of what it is for: it waits, it failed, or there is nothing.
import { Link } from '@tanstack/react-router';
import { useContext, type ReactNode } from 'react';
import { Refusal } from '../api/client';
import { HouseContext } from '../shell/house';
import { useWords } from '../words/words';
import { Icon, type IconName } from './Icon';

export function State({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <Icon name={icon} />
      <p className="state-title">{title}</p>
      {children}
    </div>
  );
}

export function Waiting() {
  const { say } = useWords();
  return <div className="state waiting" role="status"><p className="state-title">{say('state.loading')}</p></div>;
}

/** Refused says what the API said, and offers to ask again. */
export function Refused({ error, retry }: { error: Error; retry?: () => void }) {
  const { say } = useWords();
  const house = useContext(HouseContext);
  const reference = error instanceof Refusal ? error.requestId : undefined;
  const fields = error instanceof Refusal ? error.extensions.fields ?? [] : [];
  const reason = useReason(error);
  if (error instanceof Refusal && error.code === 'FORBIDDEN' && house) {
    return (
      <div role="alert">
        <State icon="shield" title={say('state.forbidden')}>
          <p>{say('state.forbiddenLead', { role: house.label('Role', house.member.role) })}</p>
          <Link to="/" className="button">{say('nav.home')}</Link>
        </State>
      </div>
    );
  }
  return (
    <div role="alert">
      <State icon="warning" title={say('state.failed')}>
        <p>{[reason, ...fields.map((f) => f.message)].join(' ')}</p>
        {reference !== undefined && <p className="muted">{say('state.reference', { id: reference })}</p>}
        {retry && <button type="button" className="button" onClick={retry}>{say('state.retry')}</button>}
      </State>
    </div>
  );
}

/** useReason is why something was refused: the API says it in the language that is shown. */
export function useReason(error: Error | null): string {
  const { say } = useWords();
  if (!error) return '';
  if (error instanceof Refusal && error.code === 'UNREACHABLE') return say('error.UNREACHABLE');
  if (error instanceof Refusal && error.code === 'SECOND_FACTOR_REQUIRED') return say('error.SECOND_FACTOR_REQUIRED');
  return error.message;
}
