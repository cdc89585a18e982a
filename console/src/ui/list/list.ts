// What a list is: its operation, its columns, and how it can be narrowed. ListScreen shows it.
import type { ReactNode } from 'react';
import type { Operation } from '../../api/operation';
import type { SavedViewList } from '../../api/views.generated';
import type { Key } from '../../words/words';
import type { Filter, Search, Sorts } from './filters';

export interface Page<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: {
    readonly hasNextPage: boolean; readonly hasPreviousPage: boolean;
    readonly startCursor: string | null; readonly endCursor: string | null; readonly isPartial: boolean;
  };
}

/** PageArguments say which page is asked for, as the API takes them. */
export type PageArguments = { first: number; after: string | null } | { last: number; before: string };

export interface Column<Row> {
  name: Key;
  /** A class of its cells, for their width and their place on a phone. */
  className?: string;
  cell: (row: Row) => ReactNode;
}

/** Selection is what something is done to: some rows, or all that the filters match, on every page. */
export type Selection<Row> = { kind: 'rows'; rows: readonly Row[] } | { kind: 'all' };

export interface List<Row, Result = unknown, Variables = unknown> {
  title: Key;
  /** The address of the list. */
  path: string;
  filters: readonly Filter[];
  sorts?: Sorts;
  operation: Operation<Result, Variables>;
  variables: (search: Search, page: PageArguments, zone: string) => Variables;
  page: (result: Result) => Page<Row> | null | undefined;
  keyOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** The address of a row's own screen, which its first `RowLink` leads to. Absent: rows are not opened. */
  rowPath?: (row: Row) => string;
  /** What tells of changes; without one the list is asked for again every 30 seconds. */
  live?: { operation: Operation<unknown, never>; variables?: (search: Search, zone: string) => object };
  /** What is said where there is nothing at all. */
  none: Key;
  /** Views of this list can be saved, under what `filter` is. */
  views?: { list: SavedViewList; filterOf: (search: Search, zone: string) => object; searchOf: (filter: object, zone: string) => Search };
  className?: string;
}

/** defineList checks the types of a list's parts against each other. */
export const defineList = <Row, Result, Variables>(list: List<Row, Result, Variables>) => list;

/** whole is of a list that is asked for at once: it has one page. */
export const whole = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null, isPartial: false } as const;
