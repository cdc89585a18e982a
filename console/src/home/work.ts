// What waits for the member: the numbers of the menu and of the first page.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ask } from '../api/client';
import { useLive } from '../api/live';
import { useHouse } from '../shell/house';
import { OpenWorkDocument, WorkOfApprovalsDocument, WorkOfDiscrepanciesDocument, WorkOfTransactionsDocument } from './home.generated';

const AT_MOST_EACH_MS = 2000;
const REST_EACH_MS = 30_000; // what nothing tells of: bank lines, callbacks, and what is due by time alone

/** useOpenWork is what waits, asked for again whenever something tells of a change. */
export function useOpenWork() {
  return useQuery({
    queryKey: ['openWork'],
    queryFn: ({ signal }) => ask(OpenWorkDocument, {}, signal),
    select: (data) => data.openWork ?? [],
    refetchInterval: REST_EACH_MS,
  }).data;
}

/** useStanding is whether money moves, asked for with what waits; undefined before that. */
export function useStanding(isIn: boolean) {
  return useQuery({
    queryKey: ['openWork'],
    queryFn: ({ signal }) => ask(OpenWorkDocument, {}, signal),
    select: (data) => data.installation ?? undefined,
    enabled: isIn,
  }).data;
}

/** useLiveWork follows what changes the numbers. The frame calls it, once. */
export function useLiveWork() {
  const { may } = useHouse();
  const queries = useQueryClient();
  const refresh = useThrottled(() => void queries.invalidateQueries({ queryKey: ['openWork'] }), AT_MOST_EACH_MS);
  useLive(may({ needs: ['TRANSACTIONS_READ'] }) ? WorkOfTransactionsDocument : undefined, {}, refresh);
  useLive(may({ needs: ['DISCREPANCIES_RESOLVE'] }) ? WorkOfDiscrepanciesDocument : undefined, {}, refresh);
  useLive(may({ needs: ['APPROVALS_READ'] }) ? WorkOfApprovalsDocument : undefined, {}, refresh);
}

/** useThrottled calls at once, and at most so often: what comes meanwhile is one more call. */
export function useThrottled(call: () => void, each: number) {
  const latest = useRef(call);
  useEffect(() => { latest.current = call; });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isDue = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    if (timer.current !== undefined) {
      isDue.current = true;
      return;
    }
    const run = () => {
      isDue.current = false;
      latest.current();
      timer.current = setTimeout(() => {
        timer.current = undefined;
        if (isDue.current) run();
      }, each);
    };
    run();
  };
}
