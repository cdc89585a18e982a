import type { Page } from './list';

/** whole is a list that the API gives at once, as a page of a list has it. */
export const whole = <Row>(nodes: readonly Row[] | null | undefined): Page<Row> | undefined => nodes ? {
  nodes, pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null, isPartial: false },
} : undefined;
