// Callbacks that their receivers do not have: why, and sent again, one or all.
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { Dialog } from '../ui/Dialog';
import { Moment, Tag } from '../ui/facts';
import { Problem } from '../ui/Form';
import { wordsOf } from '../ui/list/filters';
import { defineList } from '../ui/list/list';
import { ListScreen } from '../ui/list/ListScreen';
import { useWords } from '../words/words';
import {
  FailedCallbacksDocument, ResendCallbackDocument, type CallbackStatus, type FailedCallbacksQuery,
} from './callbacks.generated';
import { Attempts, Body } from './Attempts';
import { byProvider, filters } from './filters';
import { ResendAll } from './Resend';

type Callback = NonNullable<FailedCallbacksQuery['failedCallbacks']>['nodes'][number];

const callbacks = defineList({
  title: 'callbacks.title',
  path: '/callbacks',
  filters,
  operation: FailedCallbacksDocument,
  variables: (s, page) => ({
    filter: { status: s['status'] ? wordsOf(s['status']) as CallbackStatus[] : null, providerId: s['provider'] ?? null }, ...page,
  }),
  page: (result) => result.failedCallbacks,
  keyOf: (row) => row.id,
  none: 'callbacks.none',
  columns: [
    { name: 'callbacks.status', cell: (row) => <State of={row} /> },
    { name: 'callbacks.transaction', cell: (row) => (
      row.transaction && (
        <Link to="/transactions/$code" params={{ code: row.transaction.trackingCode }} search={{}} className="row" data-code={row.id}>
          {row.transaction.trackingCode}
        </Link>
      )) },
    { name: 'callbacks.receiver', cell: (row) => <>{row.transaction?.provider?.name ?? row.receiver}</> },
    { name: 'callbacks.answer', cell: (row) => <Answer of={row} /> },
    { name: 'callbacks.created', cell: (row) => <Moment at={row.createdAt} /> },
    { name: 'callbacks.again', cell: (row) => <Again of={row} /> },
  ],
});

export function Callbacks() {
  const { may } = useHouse();
  const search = getRouteApi('/callbacks').useSearch();
  const list = useMemo(() => (may({ needs: ['PROVIDERS_READ'] }) ? { ...callbacks, filters: [...filters, byProvider] } : callbacks), [may]);
  return (
    <ListScreen list={list} search={search} actions={may({ needs: ['CALLBACKS_RESEND'] }) && (
      <ResendAll filter={search['provider'] === undefined ? {} : { providerId: search['provider'] }} />
    )} />
  );
}

function State({ of }: { of: Callback }) {
  const { label } = useHouse();
  return <Tag tone={of.status === 'FAILED' ? 'bad' : 'idle'}>{label('CallbackStatus', of.status)}</Tag>;
}

function Answer({ of }: { of: Callback }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const last = of.attempts.at(-1);
  if (!last) return <span className="muted">{say('callbacks.noUrl')}</span>;
  return (
    <>
      <button type="button" className="button quiet" onClick={() => setIsOpen(true)}>
        {last.httpStatus ?? say('callbacks.noAnswer')} · {say('callbacks.attempts', { count: of.attemptCount })}
      </button>
      <Dialog title={say('callbacks.attemptsTitle')} isOpen={isOpen} close={() => setIsOpen(false)} isWide>
        <Body of={of.body} />
        <Attempts of={of.attempts} />
      </Dialog>
    </>
  );
}

function Again({ of }: { of: Callback }) {
  const { say } = useWords();
  const { may } = useHouse();
  const resend = useAct(ResendCallbackDocument, { said: say('callbacks.sent') });
  if (!may({ needs: ['CALLBACKS_RESEND'] })) return null;
  return (
    <>
      <button type="button" className="button" aria-disabled={resend.isBusy} onClick={() => void resend.act({ input: { callbackId: of.id } })}>
        {say('callbacks.resend')}
      </button>
      <Problem of={resend} />
    </>
  );
}

