import type { Operation } from '../../api/operation';

// GraphiQL takes it from the new tab's own storage and removes it there. An address would let anybody write it.
const HANDED = 'vezne.graphiql';

/** openInGraphiQL opens the operation of a list, with its variables, in another tab. */
export function openInGraphiQL(operation: Operation<unknown, never>, variables: unknown) {
  sessionStorage.setItem(HANDED, JSON.stringify({ query: operation.text, variables }));
  open('/graphiql');
  sessionStorage.removeItem(HANDED);
}
