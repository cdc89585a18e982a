// The list of transactions: read only, a page at a time, by mouse, touch or keyboard.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ask } from '../api/client';
import { TransactionsDocument, type TransactionsQuery } from '../api/operations.generated';
import { useKeys } from '../shell/keys';
import { useTitle } from '../shell/title';
import { Icon } from '../ui/Icon';
import { Refused, State, Waiting } from '../ui/State';
import { useWords } from '../words/words';
import { FilterBar } from './FilterBar';
import { asFilter, firstSort, hasFilter, type Filters } from './filters';
import { Status } from './Status';

type Page = NonNullable<TransactionsQuery['transactions']>;
type Row = Page['nodes'][number];

const PAGE = 50;
const route = getRouteApi('/transactions');

// Which row was opened: coming back, the list goes on where it was left.
let opened: string | undefined;

const pageOf = (f: Filters) => (f.before ? { last: PAGE, before: f.before } : { first: PAGE, after: f.after ?? null });

export function List() {
  const { say } = useWords();
  const filters = route.useSearch();
  const page = useQuery({
    queryKey: ['transactions', filters],
    queryFn: ({ signal }) => ask(
      TransactionsDocument, { filter: asFilter(filters), sort: filters.sort ?? firstSort, ...pageOf(filters) }, signal,
    ),
    select: (data) => data.transactions,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
  useTitle(say('transactions.title'));
  return (
    <>
      <h1>{say('transactions.title')}</h1>
      <FilterBar filters={filters} />
      {page.data && !page.isError && <Rows page={page.data} filters={filters} isOld={page.isPlaceholderData} />}
      {!page.data && page.isPending && <Waiting />}
      {page.error && <Refused error={page.error} retry={() => void page.refetch()} />}
    </>
  );
}

function Rows({ page, filters, isOld }: { page: Page; filters: Filters; isOld: boolean }) {
  const { say, zone } = useWords();
  const navigate = useNavigate();
  const turnTo = (change: Pick<Filters, 'after' | 'before'>) => {
    const { after: _, before: __, ...rest } = filters;
    opened = undefined;
    void navigate({ to: '/transactions', search: { ...rest, ...change } });
    scrollTo(0, 0);
  };
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo;
  const next = hasNextPage && endCursor !== null ? () => turnTo({ after: endCursor }) : undefined;
  const previous = hasPreviousPage && startCursor !== null ? () => turnTo({ before: startCursor }) : undefined;
  const list = useRowKeys(page, next, previous);
  return (
    <section aria-label={say('transactions.title')} aria-busy={isOld} ref={list}>
      {page.nodes.length === 0 && <Empty isPartial={page.pageInfo.isPartial} isNarrowed={hasFilter(filters)} />}
      {page.nodes.length > 0 && <div className="scroll"><Table rows={page.nodes} filters={filters} /></div>}
      <div className="foot">
        <p className="muted" role="status">
          {say('transactions.rowsOnPage', { count: page.nodes.length })} · {say('transactions.zone', { zone })}
          {page.pageInfo.isPartial && <> · {say('transactions.partial')}</>}
        </p>
        <nav className="pages" aria-label={say('transactions.pages')}>
          {(filters.after ?? filters.before) !== undefined && (
            <button type="button" className="button quiet" onClick={() => turnTo({})}>{say('transactions.first')}</button>
          )}
          <button type="button" className="button" disabled={!previous} onClick={previous}>
            <Icon name="left" />{say('transactions.previous')}
          </button>
          <button type="button" className="button" disabled={!next} onClick={next}>
            {say('transactions.next')}<Icon name="right" />
          </button>
        </nav>
      </div>
    </section>
  );
}

/** useRowKeys moves the focus over the rows' links: Enter is the link's own. */
function useRowKeys(page: Page, next?: () => void, previous?: () => void) {
  const list = useRef<HTMLElement>(null);
  const links = () => [...list.current?.querySelectorAll<HTMLElement>('a.row') ?? []];
  const move = (by: number) => {
    const all = links();
    const at = all.findIndex((link) => link === document.activeElement);
    const to = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
    to?.focus();
    to?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({ j: () => move(1), k: () => move(-1), ...(next && { n: next }), ...(previous && { p: previous }) });
  useEffect(() => {
    if (opened === undefined) return;
    links().find((link) => link.dataset['code'] === opened)?.focus();
    opened = undefined;
  }, [page]);
  return list;
}

function Empty({ isPartial, isNarrowed }: { isPartial: boolean; isNarrowed: boolean }) {
  const { say } = useWords();
  if (isPartial) return null; // what follows the table says how to go on
  return (
    <State icon="search" title={say(isNarrowed ? 'transactions.noMatch' : 'transactions.none')}>
      {isNarrowed && <Link to="/transactions" search={{}} activeOptions={{ exact: true }} className="button">{say('transactions.clear')}</Link>}
    </State>
  );
}

function Table({ rows, filters }: { rows: readonly Row[]; filters: Filters }) {
  const { say } = useWords();
  return (
    <table className="list">
      <caption className="unseen">{say('transactions.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{say('transactions.status')}</th>
          <th scope="col" className="number">{say('transactions.amount')}</th>
          <th scope="col">{say('transactions.customer')}</th>
          <th scope="col">{say('transactions.method')}</th>
          <th scope="col" className="head-owner">{say('transactions.owner')}</th>
          <th scope="col">{say('transactions.created')}</th>
          <th scope="col">{say('transactions.code')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => <Line key={row.trackingCode} row={row} filters={filters} />)}
      </tbody>
    </table>
  );
}

function Line({ row, filters }: { row: Row; filters: Filters }) {
  const { say, money, moment } = useWords();
  return (
    <tr>
      <td className="cell-status"><Status status={row.status} isOverdue={row.isOverdue} /></td>
      <td className="number cell-amount">{money(row.amount, row.currency)}</td>
      <td className="cell-customer">
        <b>{row.customer.fullname}</b> <span className="second muted">{row.customer.username}</span>
      </td>
      <td className="cell-method">{say(`method.${row.method}`)}</td>
      <td className="cell-owner">
        <span className="second">{row.provider?.name ?? row.dealer?.name}</span>
        {row.site && <span className="second muted">{row.site.name}</span>}
      </td>
      <td className="cell-created"><time dateTime={row.createdAt}>{moment(row.createdAt)}</time></td>
      <td className="cell-code">
        <Link
          to="/transactions/$code" params={{ code: row.trackingCode }} search={filters} className="row"
          data-code={row.trackingCode} onClick={() => { opened = row.trackingCode; }}
        >
          {row.trackingCode}
        </Link>
      </td>
    </tr>
  );
}
