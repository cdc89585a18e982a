// One way to do something: a mutation that is done once however often it is sent, that asks for a proof of who one is where the API
// wants one and then goes on by itself, and that says what became of it.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ask, Refusal } from '../api/client';
import type { Operation } from '../api/operation';
import { prove } from '../shell/StepUp';
import { useWords } from '../words/words';
import { tell } from './results';
import { useReason } from './State';

// Somebody was quicker, or what is shown is old: what is on the screen is asked for anew.
const isMeanwhile = new Set([
  'CONFLICT', 'ALREADY_FINAL', 'NOT_ALLOWED_IN_STATUS', 'AMOUNT_CHANGED', 'CHANGED_MEANWHILE', 'CLAIMED', 'NOT_CLAIMED', 'CLAIM_LAPSED',
  'AWAITS_APPROVAL', 'APPROVAL_DECIDED', 'APPROVAL_STALE', 'NOT_FOUND', 'CALLBACK_REPLACED', 'CALLBACK_OUTDATED',
]);

// There was no answer, or none that says what has happened.
const isUnknown = new Set(['UNREACHABLE', 'UNAVAILABLE', 'INTERNAL']);

export interface Act<Result, Variables> {
  /** act does it, and gives the answer; undefined where it was refused. A second call meanwhile does nothing. */
  act(variables: Variables): Promise<Result | undefined>;
  isBusy: boolean;
  /** Why it was not done; empty: nothing is in the way. */
  problem: string;
  /** What is wrong with fields of the input, by their names. */
  fields: Readonly<Record<string, string>>;
  /** The refusal itself, for what only one screen knows to say. */
  refusal: Refusal | undefined;
  /** again repeats what has no answer yet: the same key does it once. Absent: there is nothing to repeat. */
  again: (() => void) | undefined;
  clear(): void;
}

/** Undoing takes something back that has not left the house. */
export interface Undoing { operation: Operation<object, never>; input: object }

/** undoing is an operation with its input. */
export const undoing = <Result extends object, Input extends object>(operation: Operation<Result, { input: Input }>, input: Input): Undoing => (
  { operation: operation as unknown as Undoing['operation'], input });

/** newKey names one thing to do. */
export const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('');

/**
 * useAct prepares a mutation whose variable is `input`, or that has none. `said` is told when it is done, with `undo`, which takes it
 * back; everything on the screen is asked for anew.
 */
export function useAct<Result extends object, Variables extends object>(operation: Operation<Result, Variables>, { said, undo, done }: {
  said?: string | ((result: Result) => string);
  undo?: (variables: Variables) => Undoing | undefined;
  done?: (result: Result, variables: Variables) => void;
} = {}): Act<Result, Variables> {
  const { say } = useWords();
  const queries = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const busy = useRef(false);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => { isGone.current = true; };
  }, []);
  // The key is kept for as long as the same is tried.
  const tried = useRef<{ same: string; variables: Variables; key: string }>(undefined);
  const reason = useReason(refusal ?? null);

  const refresh = () => queries.invalidateQueries({ predicate: (q) => q.queryKey[0] !== 'begin' });
  /** tellRequest tells of the request that a second person has to decide first, and reports whether there is one. */
  const tellRequest = ({ code, message, extensions: { approvalId: id } }: Refusal): boolean => {
    if (code !== 'APPROVAL_NEEDED') return false;
    tell({ tone: 'waiting', text: message, ...(id !== undefined && { link: { path: `/approvals/${id}`, name: say('act.toRequest') } }) });
    return true;
  };
  // The screen may be gone by then.
  const takeBack = async ({ operation: back, input }: Undoing) => {
    try {
      await askProven(back, withKey(back, { input } as never, newKey()));
      tell({ tone: 'good', text: say('act.undone') });
    } catch (error) {
      const refused = refusalOf(error);
      if (!tellRequest(refused)) tell({ tone: 'bad', text: say('act.notUndone', { reason: refused.message }) });
    }
    void refresh();
  };
  const act = async (variables: Variables): Promise<Result | undefined> => {
    if (busy.current) return undefined;
    const same = JSON.stringify(variables);
    if (tried.current?.same !== same) tried.current = { same, variables, key: newKey() };
    const { key } = tried.current;
    const sent = withKey(operation, variables, key);
    busy.current = true;
    setIsBusy(true);
    setRefusal(undefined);
    try {
      const result = await askProven(operation, sent, () => isGone.current);
      tried.current = undefined;
      const back = undo?.(variables);
      if (said !== undefined) {
        tell({ tone: 'good', text: typeof said === 'string' ? said : said(result), ...(back && { undo: () => void takeBack(back) }) });
      }
      void refresh();
      done?.(result, variables);
      return result;
    } catch (error) {
      const refused = refusalOf(error);
      tellRequest(refused);
      if (refused.code === 'APPROVAL_DECIDED' || refused.code === 'IDEMPOTENCY_KEY_REUSED') tried.current = undefined;
      if (isMeanwhile.has(refused.code) || refused.code === 'APPROVAL_NEEDED' || isUnknown.has(refused.code)) void refresh();
      setRefusal(refused);
      return undefined;
    } finally {
      busy.current = false;
      setIsBusy(false);
    }
  };

  const isOpen = refusal !== undefined && isUnknown.has(refusal.code);
  const last = tried.current;
  const problem = () => {
    if (!refusal) return '';
    if (refusal.code === 'UNAUTHENTICATED') return say('act.lapsed');
    if (refusal.code === 'STEP_UP_NEEDED') return say('act.unproven');
    if (isOpen) return say(operation.takesKey ? 'act.unknownOnce' : 'act.unknown', { reason });
    return reason;
  };
  return {
    act,
    isBusy,
    problem: problem(),
    fields: Object.fromEntries(refusal?.extensions.fields?.map((f) => [f.name.replace(/^input\./, ''), f.message]) ?? []),
    refusal,
    again: isOpen && operation.takesKey && last && !isBusy ? () => void act(last.variables) : undefined,
    clear: () => setRefusal(undefined),
  };
}

/** What decides several at once is asked with decisions, each of which has one field, and answers with a row for each. */
interface Several { decisions: readonly Record<string, object | null | undefined>[] }

const inputOf = (variables: object): object => ('input' in variables ? variables.input as object : {});
const isSeveral = (input: object): input is Several => 'decisions' in input && Array.isArray(input.decisions);

const refusalOf = (error: unknown) => (error instanceof Refusal ? error : new Refusal('INTERNAL', String(error)));

/** withKey are the variables with the key of what is done, where its input takes one. */
const withKey = <Variables extends object>({ takesKey }: { takesKey: boolean }, variables: Variables, key: string): Variables => (
  takesKey ? { ...variables, input: keyed(inputOf(variables), key) } : variables);

/** keyed is an input with the key of what it does; decisions have one each. */
const keyed = (input: object, key: string): object => (isSeveral(input)
  ? {
    ...input,
    decisions: input.decisions.map((d, i) => Object.fromEntries(
      Object.entries(d).map(([field, given]) => [field, given && { ...given, idempotencyKey: `${key}-${i}` }]),
    )),
  }
  : { ...input, idempotencyKey: key });

interface Row { code?: string | null }

const rowsOf = (result: object): Row[] =>
  Object.values(result as Record<string, { results?: Row[] } | null>).find((payload) => payload?.results)?.results ?? [];

/**
 * askProven asks, and once more as soon as the person has proven who they are: of several decisions, those that wanted the proof. Their
 * operation asks for the `code` of its `results`.
 */
export async function askProven<Result extends object, Variables extends object>(
  operation: Operation<Result, Variables>, variables: Variables, isGone = () => false,
): Promise<Result> {
  const proves = async () => await prove() && !isGone();
  let result: Result;
  try {
    result = await ask(operation, variables);
  } catch (error) {
    const wants = error instanceof Refusal && error.code === 'STEP_UP_NEEDED';
    if (!wants || !await proves()) throw error;
    return ask(operation, variables);
  }
  const input = inputOf(variables);
  const rows = isSeveral(input) ? rowsOf(result) : [];
  const unproven = rows.flatMap((row, i) => (row.code === 'STEP_UP_NEEDED' ? [i] : []));
  if (!isSeveral(input) || unproven.length === 0 || !await proves()) return result;
  const decisions = unproven.map((i) => input.decisions[i]);
  const again = rowsOf(await ask(operation, { ...variables, input: { ...input, decisions } }));
  unproven.forEach((i, n) => { rows[i] = again[n] ?? rows[i]!; });
  return result;
}
