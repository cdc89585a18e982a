// One way to ask the API: an operation of a .graphql file, and its answer or what was refused.
import type { Operation } from './operation';
import { isConnected } from './connection';
import { session } from './session';

export const ENDPOINT = '/graphql';

/** What tells the API that the session is in the cookie of a page of its own. */
export const BY_COOKIE = { 'X-Vezne-Session': 'cookie' };

interface Extensions {
  code?: string;
  requestId?: string;
  approvalId?: string;
  /** What is wrong with which field of the input. */
  fields?: { name: string; message: string }[];
}

/** Refusal is an answer that says no. Its code is one of the API's, or UNREACHABLE where there was no answer. */
export class Refusal extends Error {
  constructor(readonly code: string, message: string, readonly extensions: Extensions = {}) {
    super(message);
  }

  get requestId() { return this.extensions.requestId; }

  /** Whether asking again, later, may succeed. */
  get isPassing(): boolean {
    return this.code === 'UNREACHABLE' || this.code === 'UNAVAILABLE';
  }
}

export interface Answer<Result> {
  data?: Result | null;
  errors?: { message: string; extensions?: Extensions }[];
}

/** refusalOf is the first error of an answer. */
export function refusalOf({ errors }: Answer<unknown>): Refusal | undefined {
  const [error] = errors ?? [];
  return error && new Refusal(error.extensions?.code ?? 'INTERNAL', error.message, error.extensions);
}

/** ask runs an operation. It throws a Refusal where any part of it is refused. */
export async function ask<Result, Variables>(
  { text }: Operation<Result, Variables>, variables: Variables, signal?: AbortSignal,
): Promise<Result> {
  const answer = await send<Result>(text, variables, signal);
  const refusal = refusalOf(answer);
  if (refusal) {
    if (refusal.code === 'UNAUTHENTICATED') session.lapse();
    throw refusal;
  }
  if (!answer.data) throw new Refusal('INTERNAL', '');
  return answer.data;
}

async function send<Result>(query: string, variables: unknown, signal: AbortSignal | undefined): Promise<Answer<Result>> {
  const headers = {
    ...BY_COOKIE, 'Content-Type': 'application/json', Accept: 'application/json', 'Accept-Language': document.documentElement.lang,
  };
  try {
    const response = await fetch(ENDPOINT, {
      method: 'POST', headers, body: JSON.stringify({ query, variables }), credentials: 'same-origin', signal: signal ?? null,
    });
    const answer = await response.json() as Answer<Result>;
    isConnected.set(true);
    return answer;
  } catch (error) {
    if (signal?.aborted) throw error;
    isConnected.set(false); // no answer, or none of Vezne's: a proxy that stands in for it
    throw new Refusal('UNREACHABLE', '');
  }
}
