// What a decision will do, in money, before it is made.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { ask } from '../api/client';
import { useHouse } from '../shell/house';
import { Icon } from '../ui/Icon';
import { useReason } from '../ui/State';
import { useWords } from '../words/words';
import { DecisionPreviewDocument, type DecisionInput, type DecisionPreviewQuery } from './deciding.generated';

export type Outlook = NonNullable<DecisionPreviewQuery['decisionPreview']>;

const TYPING_MS = 300;

/** usePreview asks what would happen, a moment after the last change of the decision. The API decides it as it will when it is made. */
export function usePreview(of: DecisionInput | undefined) {
  const { language } = useWords();
  const text = of && JSON.stringify(of);
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const found = useQuery({
    queryKey: ['preview', asked, language],
    queryFn: ({ signal }) => ask(DecisionPreviewDocument, { decision: JSON.parse(asked ?? '{}') as DecisionInput }, signal),
    enabled: asked !== undefined,
    select: (data) => data.decisionPreview ?? undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
  return {
    outlook: found.error ? undefined : found.data, error: found.error, isOld: asked !== text || found.isFetching, again: () => void found.refetch(),
  };
}

/** Preview shows it. */
export function Preview({ outlook: p, error, isOld, receiver, without, children }: {
  outlook: Outlook | undefined; error: Error | null; isOld: boolean;
  /** Who is told of the outcome. */
  receiver: string;
  /** A warning that stands elsewhere. */
  without?: Outlook['warnings'][number] | false;
  /** What else happens. */
  children?: ReactNode;
}) {
  const { say, money } = useWords();
  const { label } = useHouse();
  const reason = useReason(error);
  if (!p && error) return <p className="problem boxed" role="status"><Icon name="warning" /><span>{reason}</span></p>;
  if (!p) return <p className="outcome muted" role="status">{say('deciding.looking')}</p>;
  const sum = (m: { amount: string; asset: string }) => money(m.amount, m.asset);
  const { currency, status } = p.transaction;
  const warnings = p.warnings.filter((w) => w !== without);
  const isLess = p.credited?.startsWith('-');
  return (
    <>
      {warnings.length > 0 && (
        <ul className="warnings">
          {warnings.map((w) => <li key={w}><Icon name="warning" />{label('DecisionWarning', w)}</li>)}
        </ul>
      )}
      <section className="outcome" aria-label={say('deciding.preview')} aria-busy={isOld}>
        <h3>{say('deciding.preview')}</h3>
        <ul>
          {p.credited !== null && (
            <li><Icon name="wallet" />{say(isLess ? 'deciding.taken' : 'deciding.credited', { amount: money(p.credited.replace('-', ''), currency) })}</li>
          )}
          {p.sent && <li><Icon name="send" />{say('deciding.sent', { amount: sum(p.sent) })}</li>}
          {p.refunded && <li><Icon name="back" />{say('deciding.refunded', { amount: sum(p.refunded) })}</li>}
          {p.leftToRefund && <li><Icon name="wallet" />{say('deciding.left', { amount: sum(p.leftToRefund) })}</li>}
          {p.credited === null && !p.sent && !p.refunded && <li><Icon name="wallet" />{say('deciding.noMoney')}</li>}
          {children}
          {p.status !== status && (
            <li><Icon name="right" />{say('deciding.becomes', { from: label('TransactionStatus', status), to: label('TransactionStatus', p.status) })}</li>
          )}
          {p.callbacks.map((c) => (
            <li key={`${c.kind} ${c.status}`}>
              <Icon name="bell" />
              {c.receiver === null ? say('deciding.nobody') : say('deciding.told', {
                who: receiver, what: label('TransactionStatus', c.status), amount: money(c.amount, currency),
              })}
            </li>
          ))}
        </ul>
        {p.needsSecondPerson && <p className="second-person"><Icon name="people" /><span>{say('deciding.second')}</span></p>}
      </section>
    </>
  );
}
