// What screens of one thing have in common: the way back, a title with its state and its buttons, and what loads.
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useNavigate, type LinkProps } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useKeys } from '../shell/keys';
import { useTitle } from '../shell/title';
import { Icon } from './Icon';
import { Refused, State, Waiting } from './State';
import { useWords } from '../words/words';

/** Top is the way back to the list, by `u` too, and the title. */
export function Top({ to, of, title, state, actions }: {
  to: NonNullable<LinkProps['to']>; of: string; title: string; state?: ReactNode; actions?: ReactNode;
}) {
  const navigate = useNavigate();
  useTitle(title);
  useKeys({ u: () => void navigate({ to, search: {} }) });
  return (
    <>
      <p className="trail"><Link to={to} search={{}}><Icon name="left" />{of}</Link></p>
      <div className="title">
        <div className="headline"><h1>{title}</h1>{state}</div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
    </>
  );
}

/**
 * Loaded shows what was asked for, once it is there; null is nothing that there is. What was refused stays on the screen while it is asked for
 * again and again, as screens do by themselves: nobody can press a link that comes and goes.
 */
export function Loaded<Value>({ of, children }: { of: UseQueryResult<Value | null | undefined>; children: (value: Value) => ReactNode }) {
  const { say } = useWords();
  const [refused, setRefused] = useState<Error | null>(null);
  const retry = () => {
    setRefused(null);
    void of.refetch();
  };
  if (of.error && of.error !== refused) setRefused(of.error);
  if (of.data !== null && of.data !== undefined) return <>{children(of.data)}</>;
  const error = of.error ?? (of.errorUpdateCount > 0 ? refused : null);
  if (error) return <Refused error={error} retry={retry} />;
  if (of.isPending) return <Waiting />;
  return <State icon="search" title={say('state.nothing')} />;
}
