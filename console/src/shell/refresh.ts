import { useQueryClient } from '@tanstack/react-query';

/** useRefreshedHouse asks anew who one is, after something of that has changed. */
export function useRefreshedHouse() {
  const queries = useQueryClient();
  return () => { void queries.invalidateQueries({ queryKey: ['begin'] }); };
}
