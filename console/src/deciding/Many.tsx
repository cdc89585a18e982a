// Several deposits decided at once: counted and summed first, each for the amount that is shown, with a result for every one.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api/client';
import { useHouse } from '../shell/house';
import { newKey, useAct } from '../ui/act';
import { sumsOf } from '../ui/amount';
import { Dialog } from '../ui/Dialog';
import { Form, TextArea } from '../ui/Form';
import { Icon } from '../ui/Icon';
import type { Selection } from '../ui/list/list';
import { tell } from '../ui/results';
import { Refused, Waiting } from '../ui/State';
import { useWords } from '../words/words';
import {
  DecideManyDocument, DepositsToDecideDocument, type DecideManyMutation, type DecisionInput, type TransactionFilter,
} from './deciding.generated';
import type { Deposit } from './Deposits';

type Results = NonNullable<DecideManyMutation['decideMany']>['results'];
type Way = 'APPROVE_DEPOSIT' | 'REJECT_DEPOSIT';

const MOST = 100;

export interface Deciding { way: Way; chosen: Selection<Deposit>; clear: () => void }

/** ManyButtons begin to decide about a selection. The dialog stands outside of the list, whose rows go as they are decided. */
export function ManyButtons({ chosen, clear, decide }: { chosen: Selection<Deposit>; clear: () => void; decide: (what: Deciding) => void }) {
  const { say } = useWords();
  return (
    <>
      <button type="button" className="button primary" onClick={() => decide({ way: 'APPROVE_DEPOSIT', chosen, clear })}>
        <Icon name="check" />{say('deciding.approveMany')}
      </button>
      <button type="button" className="button refuse" onClick={() => decide({ way: 'REJECT_DEPOSIT', chosen, clear })}>
        <Icon name="close" />{say('deciding.rejectMany')}
      </button>
    </>
  );
}

export function Many({ way, chosen, filter, clear, close }: Deciding & { filter: TransactionFilter; close: () => void }) {
  const { say } = useWords();
  const parts = { way, clear, close };
  return (
    <Dialog title={say(way === 'APPROVE_DEPOSIT' ? 'deciding.approveMany' : 'deciding.rejectMany')} isOpen close={close} isWide>
      {chosen.kind === 'rows'
        ? <Rows rows={chosen.rows} isMore={chosen.rows.length > MOST} {...parts} />
        : <All filter={filter} {...parts} />}
    </Dialog>
  );
}

/** All are the first that a filter matches, the oldest of them. */
function All({ filter, ...rest }: { filter: TransactionFilter; way: Way; clear: () => void; close: () => void }) {
  const found = useQuery({
    queryKey: ['many', filter], gcTime: 0, staleTime: Infinity,
    queryFn: ({ signal }) => ask(DepositsToDecideDocument, { filter, sort: 'CREATED_ASC', first: MOST, after: null, last: null, before: null }, signal),
    select: (data) => data.transactions ?? undefined,
  });
  if (found.error) return <Refused error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Waiting />;
  return <Rows rows={found.data.nodes} isMore={found.data.pageInfo.hasNextPage} {...rest} />;
}

function Rows({ rows, isMore, way, clear, close }: { rows: readonly Deposit[]; isMore: boolean; way: Way; clear: () => void; close: () => void }) {
  const { say, money } = useWords();
  const { label } = useHouse();
  const [list] = useState(() => rows.slice(0, MOST)); // what was counted is what is decided
  const [keys] = useState(() => list.map(newKey));
  const [reason, setReason] = useState('');
  const [results, setResults] = useState<Results>();
  const act = useAct(DecideManyDocument, {
    done: ({ decideMany }) => {
      const all = decideMany?.results ?? [];
      if (all.every((r) => r.isDone)) {
        tell({ tone: 'good', text: say('deciding.manyDone', { count: all.length }) });
        clear();
        close();
      } else setResults(all);
    },
  });
  const why = reason.trim() === '' ? {} : { reason: reason.trim() };
  const decisions: DecisionInput[] = list.map((row, i) => {
    const base = { trackingCode: row.trackingCode, expectedVersion: row.version, idempotencyKey: keys[i] ?? null, ...why };
    return way === 'APPROVE_DEPOSIT' ? { approveDeposit: { ...base, expectedAmount: row.amount, amount: row.amount } } : { rejectDeposit: base };
  });
  const done = results?.filter((r) => r.isDone).length ?? 0;
  const sums = [...sumsOf(list)].map(([currency, sum]) => money(sum, currency)).join(' + ');
  return (
    <>
      <p className="many-sum"><b className="sum">{sums}</b> <span className="muted">{say('deciding.count', { count: list.length })}</span></p>
      {isMore && <p className="note">{say('deciding.most', { count: MOST })}</p>}
      {results && <p className="note" role="status">{say('deciding.manyPart', { done, count: results.length })}</p>}
      <ul className="lines many" tabIndex={0} aria-label={say('list.selection')}>
        {list.map((row) => {
          const result = results?.find((r) => r.subject === row.trackingCode);
          return (
            <li key={row.trackingCode}>
              <p className="line-top">
                <b>{row.customer.fullname}</b> <span>{money(row.amount, row.currency)}</span>
                {result && <Icon name={result.isDone ? 'check' : result.approvalId !== null ? 'clock' : 'warning'} />}
              </p>
              {result && !result.isDone && (
                <p className={result.approvalId === null ? 'problem' : 'muted'}>
                  {result.message}
                  {result.approvalId !== null && <> <Link to="/approvals/$id" params={{ id: result.approvalId }}>{say('act.toRequest')}</Link></>}
                </p>
              )}
            </li>
          );
        })}
      </ul>
      {results
        ? <button type="button" className="button primary wide" onClick={() => { clear(); close(); }}>{say('ui.close')}</button>
        : (
          <Form
            act={act} go={`${label('DecisionName', way)} (${list.length})`} tone={way === 'APPROVE_DEPOSIT' ? 'primary' : 'danger'}
            submit={() => void act.act({ input: { decisions } })}
          >
            <TextArea name="reason" label={say('transaction.reason')} value={reason} onChange={setReason} rows={2} isRequired={way === 'REJECT_DEPOSIT'} />
          </Form>
        )}
    </>
  );
}
