// A list: narrowed by the address, a page at a time, by mouse, touch or keyboard, and alive without jumping.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useMemo, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { ask } from '../../api/client';
import { useLive } from '../../api/live';
import { useThrottled } from '../../home/work';
import { useKeys } from '../../shell/keys';
import { useTitle } from '../../shell/title';
import { useWords } from '../../words/words';
import { Icon } from '../Icon';
import { Refused, State, Waiting } from '../State';
import { FilterBar } from './FilterBar';
import { isNarrowed, withoutPage, type Search } from './filters';
import { openInGraphiQL } from './graphiql';
import type { List, Page, PageArguments, Selection } from './list';

const PAGE = 50;
const AT_MOST_EACH_MS = 1500;
const WITHOUT_LIVE_MS = 30_000;

const pageOf = (s: Search): PageArguments => (s['before'] !== undefined
  ? { last: PAGE, before: s['before'] } : { first: PAGE, after: s['after'] ?? null });

/** address is a path of the console with what narrows a list, as the address bar has it. */
export function address(path: string, search: Search): string {
  const pairs = Object.entries(search).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '');
  const text = new URLSearchParams(pairs).toString().replaceAll('%2C', ',');
  return `/console${path}${text === '' ? '' : `?${text}`}`;
}

// Which row was opened: coming back, the list goes on where it was left.
let opened: string | undefined;

interface RowPlace {
  path: string | undefined;
  key: string;
  /** Shows the row beside the list. */
  show?: () => void;
  isShown?: boolean;
}

const RowContext = createContext<RowPlace>({ path: undefined, key: '' });

/** What a row that is shown beside its list can do to it. */
export interface Beside {
  /** next shows the row after this one, or the one before the last. */
  next(): void;
  /** pin keeps the row shown, also when it leaves the list meanwhile. */
  pin(): void;
}

/** RowLink is what the row is called; it leads to the row's own screen, or shows it beside the list, and the whole row is the link. */
export function RowLink({ children }: { children: ReactNode }) {
  const { path, key, show, isShown } = useContext(RowContext);
  const { history } = useRouter();
  const search = useListSearch();
  if (show) {
    return (
      <button type="button" className="row" data-code={key} aria-current={isShown} onClick={show} onFocus={() => { if (!isShown) show(); }}>
        {children}
      </button>
    );
  }
  if (path === undefined) return <span tabIndex={-1} className="row" data-code={key}>{children}</span>;
  const open = (e: MouseEvent) => {
    opened = key;
    if (e.ctrlKey || e.metaKey || e.shiftKey || e.button !== 0) return;
    e.preventDefault();
    history.push(address(path, search));
  };
  return <a href={address(path, search)} className="row" data-code={key} onClick={open}>{children}</a>;
}

const SearchContext = createContext<Search>({});

/** useListSearch is what narrows the list around. */
export const useListSearch = () => useContext(SearchContext);

export function ListScreen<Row, Result, Variables>({ list, search, actions, bulk, keys, above, beside }: {
  list: List<Row, Result, Variables>;
  search: Search;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** What can be done to a selection; with it rows can be selected. */
  bulk?: ((selection: Selection<Row>, clear: () => void) => ReactNode) | undefined;
  /** What a key does to the row that has the focus. */
  keys?: Record<string, (row: Row) => void> | undefined;
  above?: ReactNode;
  /** What is shown of a row beside the list: of the one that the address names, or of the first. */
  beside?: ((key: string, list: Beside) => ReactNode) | undefined;
}) {
  const { say, zone, language } = useWords();
  const queries = useQueryClient();
  const variables = list.variables(search, pageOf(search), zone);
  const queryKey = [list.path, variables, language];
  const page = useQuery({
    queryKey,
    queryFn: ({ signal }) => ask(list.operation, variables, signal),
    select: (result) => list.page(result) ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
    ...(!list.live && { refetchInterval: WITHOUT_LIVE_MS }),
  });
  const refresh = useThrottled(() => void queries.invalidateQueries({ queryKey: [list.path] }), AT_MOST_EACH_MS);
  useLive(list.live?.operation, (list.live?.variables?.(search, zone) ?? {}) as never, refresh);
  useTitle(say(list.title));
  return (
    <SearchContext value={search}>
      <div className="title">
        <h1>{say(list.title)}</h1>
        <div className="actions">
          {actions}
          <button type="button" className="button quiet" onClick={() => openInGraphiQL(list.operation, variables)}>
            <Icon name="code" />{say('list.graphiql')}
          </button>
        </div>
      </div>
      {above}
      <FilterBar list={list} search={search} />
      {page.data && !page.isError && (
        <Rows
          key={JSON.stringify(withoutPage(search))} page={page.data} isOld={page.isPlaceholderData}
          {...{ list, search, bulk, keys, beside }}
        />
      )}
      {!page.data && page.isPending && <Waiting />}
      {page.error && <Refused error={page.error} retry={() => void page.refetch()} />}
    </SearchContext>
  );
}

/**
 * useStill keeps the rows where they are while somebody reads: what is new waits above, counted, until it is asked for. At the top of the
 * page, with nothing selected, it is shown as it comes.
 */
function useStill<Row, Result, Variables>(list: List<Row, Result, Variables>, page: Page<Row>, place: string, isBusy: () => boolean) {
  const shown = useRef<{ place: string; keys: Set<string> }>({ place: '', keys: new Set() });
  const [, redraw] = useState(0);
  const isFirst = shown.current.place !== place || shown.current.keys.size === 0;
  const fresh = isFirst || !isBusy() ? [] : page.nodes.filter((row) => !shown.current.keys.has(list.keyOf(row)));
  const isHeld = fresh.length > 0 && fresh.length < page.nodes.length;
  const rows = isHeld ? page.nodes.filter((row) => shown.current.keys.has(list.keyOf(row))) : page.nodes;
  if (!isHeld) shown.current = { place, keys: new Set(page.nodes.map(list.keyOf)) };
  const show = () => {
    shown.current = { place: '', keys: new Set() };
    scrollTo(0, 0);
    redraw((n) => n + 1);
  };
  return { rows, fresh: isHeld ? fresh.length : 0, show };
}

function Rows<Row, Result, Variables>({ list, page, search, isOld, bulk, keys, beside }: {
  list: List<Row, Result, Variables>; page: Page<Row>; search: Search; isOld: boolean;
  bulk: ((selection: Selection<Row>, clear: () => void) => ReactNode) | undefined;
  keys: Record<string, (row: Row) => void> | undefined;
  beside: ((key: string, list: Beside) => ReactNode) | undefined;
}) {
  const { say, zone } = useWords();
  const { history } = useRouter();
  const section = useRef<HTMLElement>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setIsAll] = useState(false);
  const place = `${search['after'] ?? ''} ${search['before'] ?? ''}`;
  const isBusy = () => scrollY > 0 || chosen.size > 0 || isAll || Boolean(section.current?.contains(document.activeElement));
  const { rows, fresh, show } = useStill(list, page, place, isBusy);

  const turnTo = (change: Search) => {
    opened = undefined;
    setChosen(new Set());
    setIsAll(false);
    history.push(address(list.path, { ...withoutPage(search), ...change }));
    scrollTo(0, 0);
  };
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo;
  const next = hasNextPage && endCursor !== null ? () => turnTo({ after: endCursor }) : undefined;
  const previous = hasPreviousPage && startCursor !== null ? () => turnTo({ before: startCursor }) : undefined;

  const anchor = useRef<string>(undefined);
  const choose = (key: string, isRange: boolean) => {
    const order = rows.map(list.keyOf);
    const [from, to] = [order.indexOf(anchor.current ?? key), order.indexOf(key)];
    const range = isRange && from >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [key];
    const now = new Set(chosen);
    const isOn = isRange || !chosen.has(key);
    for (const k of range) if (isOn) now.add(k); else now.delete(k);
    anchor.current = key;
    setIsAll(false);
    setChosen(now);
  };
  const links = () => [...section.current?.querySelectorAll<HTMLElement>('.row') ?? []];
  const current = () => (document.activeElement as HTMLElement | null)?.closest('tr')?.dataset['key'];
  const move = (by: number) => {
    const all = links();
    const at = all.findIndex((link) => link.closest('tr') === document.activeElement?.closest('tr'));
    const to = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
    to?.focus();
    to?.scrollIntoView({ block: 'nearest' });
  };
  const ofRow = Object.fromEntries(Object.entries(keys ?? {}).map(([key, act]) => [key, () => {
    const row = rows.find((r) => list.keyOf(r) === current());
    if (row) act(row);
  }]));
  const mark = (isRange: boolean) => {
    const key = current();
    if (key !== undefined) choose(key, isRange);
  };
  useKeys({
    j: () => move(1), k: () => move(-1), ...(next && { n: next }), ...(previous && { p: previous }),
    ...(bulk && { x: () => mark(false), X: () => mark(true) }), ...ofRow,
  });
  useEffect(() => {
    if (opened === undefined) return;
    links().find((link) => link.dataset['code'] === opened)?.focus();
    opened = undefined;
  }, [page]);

  // Where the row with the focus has gone, since something was done about it, the keyboard goes on at the row in its place.
  const focused = useRef<{ key: string; at: number }>(undefined);
  const note = () => {
    const key = current();
    if (key !== undefined) focused.current = { key, at: rows.findIndex((r) => list.keyOf(r) === key) };
  };
  useEffect(() => {
    const last = focused.current;
    if (!last || document.activeElement !== document.body || rows.some((r) => list.keyOf(r) === last.key)) return;
    const all = links();
    all[Math.min(last.at, all.length - 1)]?.focus({ preventScroll: true });
  }, [rows, list]);

  const clear = () => {
    setChosen(new Set());
    setIsAll(false);
  };
  const order = rows.map(list.keyOf);
  const shown = beside && (search['shown'] ?? order[0]);
  const look = (key: string | undefined) => history.replace(address(list.path, { ...search, shown: key })); // looking is no step to come back to
  const besides: Beside = {
    next: () => {
      const at = order.indexOf(shown ?? '');
      look(order[at + 1] ?? order[at - 1]);
    },
    pin: () => { if (search['shown'] === undefined) look(shown); },
  };
  const selection = useMemo((): Selection<Row> => (isAll
    ? { kind: 'all' } : { kind: 'rows', rows: rows.filter((r) => chosen.has(list.keyOf(r))) }), [isAll, rows, chosen, list]);
  const hasSelection = selection.kind === 'all' || selection.rows.length > 0;
  const table = (
    <section aria-label={say(list.title)} aria-busy={isOld} ref={section} onFocus={note}>
      <p role="status" className="fresh">
        {fresh > 0 && <button type="button" className="button" onClick={show}>{say('list.fresh', { count: fresh })}</button>}
      </p>
      {rows.length === 0 && <Empty list={list} search={search} isPartial={page.pageInfo.isPartial} />}
      {bulk && rows.length > 0 && (
        <div className="bulk" role="group" aria-label={say('list.selection')}>
          <p role="status">
            {isAll ? say('list.allSelected') : chosen.size > 0 && say('list.selected', { count: chosen.size })}
          </p>
          {!isAll && (
            <button type="button" className="button quiet" onClick={() => setIsAll(true)}>{say('list.selectAll')}</button>
          )}
          {hasSelection && <button type="button" className="button quiet" onClick={clear}>{say('list.selectNone')}</button>}
          {hasSelection && bulk(selection, clear)}
        </div>
      )}
      {rows.length > 0 && (
        <div className="scroll">
          <table className={`list ${list.className ?? 'plain'}`}>
            <caption className="unseen">{say(list.title)}</caption>
            <thead>
              <tr>
                {bulk && <th scope="col" className="cell-choose"><span className="unseen">{say('list.selection')}</span></th>}
                {list.columns.map((c) => <th key={c.name} scope="col" className={c.className}>{say(c.name)}</th>)}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const key = list.keyOf(row);
                return (
                  <tr key={key} data-key={key} className={chosen.has(key) || shown === key ? 'chosen' : undefined}>
                    {bulk && (
                      <td className="cell-choose">
                        <input
                          type="checkbox" checked={isAll || chosen.has(key)} aria-label={say('list.choose', { name: key })}
                          onChange={(e) => choose(key, (e.nativeEvent as unknown as { shiftKey?: boolean }).shiftKey === true)}
                        />
                      </td>
                    )}
                    <RowContext value={{ path: list.rowPath?.(row), key, ...(beside && { show: () => look(key), isShown: shown === key }) }}>
                      {list.columns.map((c) => (
                        <td key={c.name} className={c.className} data-name={say(c.name)}>{c.cell(row)}</td>
                      ))}
                    </RowContext>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      <div className="foot">
        <p className="muted" role="status">
          {say('list.rowsOnPage', { count: rows.length })} · {say('list.zone', { zone })}
          {page.pageInfo.isPartial && <> · {say('list.partial')}</>}
        </p>
        <nav className="pages" aria-label={say('list.pages')}>
          {(search['after'] ?? search['before']) !== undefined && (
            <button type="button" className="button quiet" onClick={() => turnTo({})}>{say('list.first')}</button>
          )}
          <button type="button" className="button" disabled={!previous} onClick={previous}>
            <Icon name="left" />{say('list.previous')}
          </button>
          <button type="button" className="button" disabled={!next} onClick={next}>
            {say('list.next')}<Icon name="right" />
          </button>
        </nav>
      </div>
    </section>
  );
  return beside ? <div className="beside">{table}{shown !== undefined && <div key={shown}>{beside(shown, besides)}</div>}</div> : table;
}

function Empty<Row, Result, Variables>({ list, search, isPartial }: { list: List<Row, Result, Variables>; search: Search; isPartial: boolean }) {
  const { say } = useWords();
  const { history } = useRouter();
  if (isPartial) return null; // what follows the table says how to go on
  const narrowed = isNarrowed(list.filters, search);
  return (
    <State icon="search" title={say(narrowed ? 'list.noMatch' : list.none)}>
      {narrowed && <button type="button" className="button" onClick={() => history.push(address(list.path, {}))}>{say('list.clear')}</button>}
    </State>
  );
}
