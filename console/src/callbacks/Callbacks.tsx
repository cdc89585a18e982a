// All callbacks, waiting and past: where each stands, what its receiver answered, and sent again, one or many.
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useHouse } from '../shell/house';
import { Dialog } from '../ui/Dialog';
import { Moment } from '../ui/facts';
import { defineList } from '../ui/list/list';
import { ListScreen } from '../ui/list/ListScreen';
import { useWords } from '../words/words';
import { Again } from './Again';
import { Attempts, Body } from './Attempts';
import { CallbacksChangedDocument, CallbacksDocument, type CallbackFilter, type CallbacksQuery } from './callbacks.generated';
import { asCallbacks, byOwner, callbacksOf, filters, toResend } from './filters';
import { ResendAll } from './Resend';
import { State } from './State';

type Callback = NonNullable<CallbacksQuery['callbacks']>['nodes'][number];

const callbacks = defineList({
  title: 'callbacks.title',
  path: '/callbacks',
  filters,
  operation: CallbacksDocument,
  variables: (s, page, zone) => ({ filter: asCallbacks(s, zone), ...page }),
  page: (result) => result.callbacks,
  keyOf: (row) => row.id,
  live: { operation: CallbacksChangedDocument },
  none: 'callbacks.none',
  views: { list: 'CALLBACKS', filterOf: asCallbacks, searchOf: (filter, zone) => callbacksOf(filter as CallbackFilter, zone) },
  columns: [
    { name: 'callbacks.status', cell: (row) => <State of={row} /> },
    { name: 'callbacks.transaction', cell: (row) => (
      row.transaction && (
        <Link to="/transactions/$code" params={{ code: row.transaction.trackingCode }} search={{}} className="row" data-code={row.id}>
          {row.transaction.trackingCode}
        </Link>
      )) },
    { name: 'callbacks.receiver', cell: (row) => <Receiver of={row} /> },
    { name: 'callbacks.answer', cell: (row) => <Answer of={row} /> },
    { name: 'callbacks.created', cell: (row) => <Moment at={row.createdAt} /> },
    { name: 'callbacks.again', cell: (row) => <Next of={row} /> },
  ],
});

export function Callbacks() {
  const { may } = useHouse();
  const { zone } = useWords();
  const search = getRouteApi('/callbacks').useSearch();
  const list = useMemo(() => ({
    ...callbacks, filters: [...filters, ...(['PROVIDERS_READ', 'DEALERS_READ'] as const).flatMap((needed) => (may({ needs: [needed] }) ? byOwner[needed] : []))],
  }), [may]);
  const all = toResend(asCallbacks(search, zone));
  const mayResend = may({ needs: ['CALLBACKS_RESEND'] });
  return (
    <ListScreen
      list={list} search={search} actions={mayResend && all && <ResendAll {...all} />}
      bulk={mayResend ? (chosen) => (
        chosen.kind === 'all' ? all && <ResendAll {...all} />
          : <ResendAll trackingCodes={codesOf(chosen.rows)} status={['FAILED', 'SKIPPED', 'DELIVERED']} />
      ) : undefined}
    />
  );
}

const codesOf = (rows: readonly Callback[]) => [...new Set(rows.flatMap((r) => r.transaction?.trackingCode ?? []))];

function Receiver({ of }: { of: Callback }) {
  const { label } = useHouse();
  const t = of.transaction;
  return (
    <div>
      <span className="second">{t?.provider?.name ?? t?.dealer?.name ?? of.receiver}</span>
      <span className="second muted">{t?.site ? `${t.site.name} · ` : ''}{label('CallbackKind', of.kind)}</span>
    </div>
  );
}

function Answer({ of }: { of: Callback }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const last = of.attempts.at(-1);
  const said = last ? `${last.httpStatus ?? say('callbacks.noAnswer')} · ${say('callbacks.attempts', { count: of.attempts.length })}`
    : say(of.status === 'SKIPPED' ? 'callbacks.noUrl' : 'callbacks.noAttempt');
  return (
    <>
      <button type="button" className="button quiet" onClick={() => setIsOpen(true)}>{said}</button>
      <Dialog title={say('callbacks.attemptsTitle')} isOpen={isOpen} close={() => setIsOpen(false)} isWide>
        <Body of={of.body} />
        <Attempts of={of.attempts} />
      </Dialog>
    </>
  );
}

/** Next is when it is tried again, and the way to have that at once. */
function Next({ of }: { of: Callback }) {
  return (
    <div>
      {of.nextAttemptAt !== null && <span className="second"><Moment at={of.nextAttemptAt} /></span>}
      <Again of={of} />
    </div>
  );
}
